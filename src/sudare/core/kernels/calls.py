"""Translating a kernel: the few functions that it may call, and those that are its own."""

import ast
import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sudare.core.kernels.values import (
    DOUBLE,
    SHORT,
    SINGLE,
    STORED,
    TRUTH,
    WHOLE,
    WORD,
    Group,
    Number,
    View,
    joined,
    refusal,
    whole,
)

if TYPE_CHECKING:
    from sudare.core.kernels.expressions import Expressions
    from sudare.core.kernels.functions import Frame
    from sudare.core.kernels.statements import Statements

_CASTS: dict[Any, str] = {
    int: WHOLE, float: DOUBLE, bool: TRUTH, np.int32: SHORT, np.int64: WHOLE, np.uint64: WORD,
    np.float32: SINGLE, np.float64: DOUBLE,
}  # fmt: skip
# Functions of fractions: of LLVM where it has them, otherwise of the C library.
_FUNCTIONS: dict[Any, str] = {
    math.sqrt: "llvm.sqrt.f64", np.sqrt: "llvm.sqrt.f64",
    math.floor: "llvm.floor.f64", math.ceil: "llvm.ceil.f64", np.ceil: "llvm.ceil.f64",
    math.log: "log", np.log: "log", math.log1p: "log1p", np.log1p: "log1p", math.exp: "exp",
    math.copysign: "llvm.copysign.f64",
}  # fmt: skip
_ROUNDING = (math.floor, math.ceil)  # Python makes whole numbers of these


def prefetch(array: Any, row: int, byte: int) -> None:
    """Ask the processor for the line of memory that holds a byte of a row, soon to be read."""


def as_matrix(vector: Any, rows: int, columns: int) -> Any:
    """Return the first elements of an array of one dimension as a matrix."""
    return vector[: rows * columns].reshape(rows, columns)


class Calls:
    """Writes the calls of a kernel."""

    def __init__(self, statements: "Statements", expressions: "Expressions") -> None:
        self.statements, self.expressions = statements, expressions
        self.code, self.flags = statements.code, ""
        self.special: dict[Any, Callable[..., Any]] = {
            len: lambda view: view.shape[0],
            min: lambda *numbers: self.extreme("<", *numbers, flags=self.flags),
            max: lambda *numbers: self.extreme(">", *numbers, flags=self.flags),
            abs: self._absolute,
            prefetch: self._prefetch,
            as_matrix: lambda view, *shape: replace(view, shape=shape),
            np.empty: self._workspace,
        }

    def value(self, frame: "Frame", node: ast.Call) -> Any:
        """Write a call; return what it returns."""
        called = self.expressions.value(frame, node.func)
        given = [self.expressions.value(frame, argument) for argument in node.args]
        if node.keywords:
            raise refusal("arguments by name")
        if inspect.isclass(called) and hasattr(called, "_fields"):
            return Group(called._fields, tuple(given))
        if hasattr(called, "kernel_flags"):
            return self.statements.functions.call(self.code, called, given)
        self.flags = frame.flags
        if called in self.special:
            return self.special[called](*given)
        return self._function(called, *given)

    def extreme(self, order: str, *numbers: Number, flags: str = "") -> Number:
        """Return the least or the largest of some numbers, of equal ones the first, as Python."""
        best = numbers[0]
        for number in numbers[1:]:
            kind = joined(best.kind, number.kind)
            best, other = self.code.converted(best, kind), self.code.converted(number, kind)
            first = self.code.compared(order, other, best, flags)
            best = self.code.chosen(first, other, best, flags)
        return best

    def _function(self, called: Any, *given: Number) -> Number:
        code = self.code
        if called in _CASTS:
            cast = _CASTS[called]
            return code.truth(*given) if cast == TRUTH else code.converted(given[0], cast)
        if called not in _FUNCTIONS:
            raise refusal(f"a call of {getattr(called, '__name__', called)}")
        doubles = [code.converted(number, DOUBLE) for number in given]
        result = code.call(_FUNCTIONS[called], DOUBLE, *doubles)
        return code.converted(result, WHOLE) if called in _ROUNDING else result

    def _absolute(self, number: Number) -> Number:
        if number.kind in (SINGLE, DOUBLE):
            width = 64 if number.kind == DOUBLE else 32
            return self.code.call(f"llvm.fabs.f{width}", number.kind, number)
        negative = self.code.arithmetic("-", whole(0), number, "")
        return self.extreme(">", self.code.converted(number, WHOLE), negative)

    def _workspace(self, size_of: Any, kind: Any = float) -> View:
        """Return an array of a known size that lives as long as the kernel runs."""
        shape = size_of if isinstance(size_of, tuple) else (size_of,)
        if not all(isinstance(size, Number) and size.text.isdigit() for size in shape):
            raise refusal("an array of a size that is computed; pass it in")
        elements = np.dtype(kind).name
        size = math.prod(int(number.text) for number in shape)
        return View(elements, self.code.slot(f"[{size} x {STORED[elements][0]}]"), shape)

    def _prefetch(self, view: View, row: Number, byte: Number) -> tuple[()]:
        start = self.code.rows_from(view, row, view.shape[1:]).pointer
        where = self.code.value("ptr", f"getelementptr i8, ptr {start}, i64 {byte.text}")
        self.code.outer("llvm.prefetch.p0", "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        self.code.put(f"call void @llvm.prefetch.p0(ptr {where.text}, i32 0, i32 1, i32 1)")
        return ()
