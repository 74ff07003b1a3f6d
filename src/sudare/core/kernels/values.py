"""What the expressions of a kernel are while it is translated: numbers, arrays, groups of both."""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

# Kinds of numbers. Whole numbers have 64 bits, as they have in NumPy; "u64" has no sign.
TRUTH, SHORT, WHOLE, WORD, SINGLE, DOUBLE = "i1", "i32", "i64", "u64", "float", "double"
_RANKS = {TRUTH: 0, SHORT: 1, WHOLE: 2, SINGLE: 3, DOUBLE: 4}

# How each kind of array is stored, what its elements are once they are read, and how.
STORED = {
    "float64": ("double", DOUBLE, ""),
    "float32": ("float", SINGLE, ""),
    "int64": ("i64", WHOLE, ""),
    "int32": ("i32", WHOLE, "sext"),
    "uint32": ("i32", WHOLE, "zext"),
    "uint64": ("i64", WORD, ""),
    "bool": ("i8", TRUTH, "trunc"),
}
_CONSTANTS = {
    np.bool_: TRUTH,
    np.int32: SHORT,
    np.int64: WHOLE,
    np.uint64: WORD,
    np.float32: SINGLE,
    np.float64: DOUBLE,
}


class KernelError(TypeError):
    """A kernel says something that cannot be translated, or is called with other arrays."""


@dataclass(frozen=True)
class Number:
    """A number: its kind, and its name or value in the translation."""

    kind: str
    text: str

    @property
    def machine_type(self) -> str:
        """The kind as LLVM writes it, which knows no signs."""
        return "i64" if self.kind == WORD else self.kind


@dataclass(frozen=True)
class View:
    """An array, or rows of one: what it holds, where it begins, its shape, and whose it is."""

    elements: str
    pointer: str
    shape: tuple[Number, ...]
    origin: int | None = None


@dataclass(frozen=True)
class Group:
    """A NamedTuple of numbers and arrays; it exists in the translation only."""

    names: tuple[str, ...]
    values: tuple[Any, ...]


def whole(number: int) -> Number:
    """Return a whole number that is known now."""
    return Number(WHOLE, str(number))


def constant(value: Any) -> Number:
    """Return a number that is known now, of the kind that Python or NumPy gives it."""
    if isinstance(value, bool):
        return Number(TRUTH, str(int(value)))
    if isinstance(value, np.generic) and type(value) in _CONSTANTS:
        kind = _CONSTANTS[type(value)]
        fraction = kind in (SINGLE, DOUBLE)
        return Number(kind, _written(float(value)) if fraction else str(int(value)))
    if isinstance(value, int):
        return whole(value)
    if isinstance(value, float):
        return Number(DOUBLE, _written(value))
    raise refusal(f"a constant of type {type(value).__name__}")


def joined(kind: str, other: str) -> str:
    """Return the kind in which two numbers meet.

    Single precision and whole numbers meet in double precision, as arrays do in NumPy.
    """
    if kind == other:
        return kind
    if WORD in (kind, other):
        raise refusal("arithmetic of words without a sign and other numbers; convert one of them")
    wider, narrower = sorted((kind, other), key=lambda candidate: -_RANKS[candidate])
    return DOUBLE if wider == SINGLE and narrower != TRUTH else wider


def refusal(what: str) -> KernelError:
    """Return the error for what a kernel may not say."""
    return KernelError(f"a kernel cannot have {what}.")


def _written(value: float) -> str:
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
