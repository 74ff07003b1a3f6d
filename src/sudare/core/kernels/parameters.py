"""The parameters of a kernel, from its annotations: words of 64 bits, and how they are packed."""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

import numpy as np

from sudare.core.kernels.array_kinds import Elements
from sudare.core.kernels.values import DOUBLE, WHOLE, KernelError

# Appends the words of a value.
Packer = Callable[[Any, list[Any]], None]
_SCALARS = {bool: ("q", WHOLE), int: ("q", WHOLE), float: ("d", DOUBLE)}


_first_byte = ctypes.c_char.from_buffer


def _address(array: Any) -> int:
    """Return where the elements of an array are."""
    try:
        return ctypes.addressof(_first_byte(array))  # a seventh of the time of the other way
    except (TypeError, ValueError):  # nobody may write there, or nothing is there
        return array.__array_interface__["data"][0]


class ScalarParameter:
    """A parameter that is a number."""

    def __init__(self, kind: type) -> None:
        self.layout, self.kind = _SCALARS[kind]

    def packer(self, *, written: bool) -> Packer:
        """Return what appends the word of a number."""
        if self.kind == DOUBLE:
            return lambda value, words: words.append(value)  # struct takes numbers only
        return lambda value, words: words.append(value.__index__())

    def __repr__(self) -> str:
        return self.kind


class ArrayParameter:
    """A parameter that is an array, row by row."""

    def __init__(self, elements: Elements) -> None:
        self.elements, self.dimensions = elements.kind, elements.dimensions
        self.layout = "q" * (1 + self.dimensions)

    def packer(self, *, written: bool) -> Packer:
        """Return what appends the address and the shape of an array."""
        wanted, dimensions = np.dtype(self.elements), self.dimensions

        def pack(value: Any, words: list[Any]) -> None:
            flags = value.flags
            if value.dtype != wanted or value.ndim != dimensions or not flags.c_contiguous:
                raise TypeError
            if written and not flags.writeable:
                raise TypeError
            words.append(_address(value))
            words.extend(value.shape)

        return pack

    def __repr__(self) -> str:
        return f"{self.elements}[{'·' * self.dimensions}]"


Leaf = ScalarParameter | ArrayParameter


def leaves_of(kind: Any) -> Iterator[Leaf]:
    """Yield the numbers and arrays of a parameter: itself, or the parts of a NamedTuple."""
    elements = [argument for argument in get_args(kind) if isinstance(argument, Elements)]
    if elements:
        yield ArrayParameter(elements[0])
    elif kind in _SCALARS:
        yield ScalarParameter(kind)
    elif hasattr(kind, "_fields"):
        hints = get_type_hints(kind, include_extras=True)
        for name in kind._fields:
            yield from leaves_of(hints[name])
    else:
        raise KernelError(f"a kernel cannot take {kind}.")


def flattened(values: Any) -> Iterator[Any]:
    """Yield the numbers and arrays that are given, those of NamedTuples one by one."""
    for value in values:
        if isinstance(value, tuple):
            yield from flattened(value)
        else:
            yield value
