"""Translating a kernel: its expressions, as LLVM's instructions."""

import ast
import builtins
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from sudare.core.kernels.calls import Calls
from sudare.core.kernels.functions import Frame, Slot
from sudare.core.kernels.values import (
    DOUBLE,
    SINGLE,
    STORED,
    TRUTH,
    WHOLE,
    Group,
    Number,
    View,
    constant,
    joined,
    refusal,
    whole,
)

if TYPE_CHECKING:
    from sudare.core.kernels.statements import Statements

_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class Expressions:
    """Writes the expressions of a kernel."""

    def __init__(self, statements: "Statements") -> None:
        self.statements, self.code = statements, statements.code
        self.calls = Calls(statements, self)

    def number(self, frame: Frame, node: ast.expr) -> Number:
        """Return an expression that is a number."""
        value = self.value(frame, node)
        if not isinstance(value, Number):
            raise refusal(f"'{ast.unparse(node)}' in the place of a number")
        return value

    def value(self, frame: Frame, node: ast.expr) -> Any:  # noqa: PLR0911
        """Return what an expression is: a number, an array, a group, or several."""
        match node:
            case ast.Constant():
                return constant(node.value)
            case ast.Name():
                return self._named(frame, node.id)
            case ast.Attribute():
                return self._attribute(frame, node)
            case ast.Tuple():
                return tuple(self.value(frame, element) for element in node.elts)
            case ast.Subscript():
                return self._element(frame, node)
            case ast.Call():
                return self.calls.value(frame, node)
            case _:
                return self._computed(frame, node)

    def _computed(self, frame: Frame, node: ast.expr) -> Number:
        match node:
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2)):
                base = self.number(frame, node.left)
                return self.code.arithmetic("*", base, base, frame.flags)
            case ast.BinOp():
                left, right = self.number(frame, node.left), self.number(frame, node.right)
                return self.code.arithmetic(sign_of(node.op), left, right, frame.flags)
            case ast.UnaryOp():
                return self._unary(frame, node)
            case ast.Compare():
                return self._compared(frame, node)
            case ast.BoolOp():
                return self._decided(frame, node)
            case ast.IfExp():
                return self._either(frame, node)
            case _:
                raise refusal(f"an expression like '{ast.unparse(node)[:40]}'")

    def _named(self, frame: Frame, name: str) -> Any:
        if name in frame.variables:
            value = frame.variables[name]
            return self.statements.read(value) if isinstance(value, Slot) else value
        value = _known(frame.outer.get(name, getattr(builtins, name, None)))
        if value is None:
            raise refusal(f"the name '{name}', which has no value here")
        is_number = isinstance(value, bool | int | float | np.generic)
        return constant(value) if is_number else value

    def _attribute(self, frame: Frame, node: ast.Attribute) -> Any:
        whose = self.value(frame, node.value)
        if isinstance(whose, Group) and node.attr in whose.names:
            return whose.values[whose.names.index(node.attr)]
        if isinstance(whose, View) and node.attr == "shape":
            return whose.shape
        if isinstance(whose, ModuleType):
            value = getattr(whose, node.attr)
            return constant(value) if isinstance(value, float) else value
        raise refusal(f"'{ast.unparse(node)}'")

    # Arrays

    def part(self, frame: Frame, node: ast.Subscript) -> "View | tuple[View, str]":
        """Return rows of an array, or the array and the address of one of its elements."""
        view = self.value(frame, node.value)
        if not isinstance(view, View):
            raise refusal(f"an index of '{ast.unparse(node.value)}'")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for axis, index in enumerate(parts):
            if isinstance(index, ast.Slice):
                if axis != len(parts) - 1:
                    raise refusal("a slice before another index")
                return self._slice(frame, view, index)
            position = self.number(frame, index)
            if position.kind in (SINGLE, DOUBLE) or position.text.startswith("-"):
                raise refusal(f"the index '{ast.unparse(index)}'")
            if axis == len(parts) - 1 and len(view.shape) == 1:
                return view, self.code.element(view, [position])
            view = self.code.rows_from(view, position, view.shape[1:])
        return view

    def _slice(self, frame: Frame, view: View, cut: ast.Slice) -> View:
        """Return rows of an array; as in Python, a slice ends where the array does."""
        size = view.shape[0]
        first = whole(0) if cut.lower is None else self.number(frame, cut.lower)
        stop = size if cut.upper is None else self.number(frame, cut.upper)
        if cut.step is not None or "-" in first.text + stop.text:
            raise refusal("a slice with a step or from the end")
        if cut.upper is not None:
            stop = self.calls.extreme("<", size, stop)
        count = self.calls.extreme(">", whole(0), self.code.arithmetic("-", stop, first, ""))
        return self.code.rows_from(view, first, (count, *view.shape[1:]))

    def _element(self, frame: Frame, node: ast.Subscript) -> Any:
        whose = self.value(frame, node.value)
        if isinstance(whose, tuple):
            return self._item(frame, whose, node.slice)
        part = self.part(frame, node)
        return part if isinstance(part, View) else self.code.load(*part)

    def _item(self, frame: Frame, values: tuple[Any, ...], index: ast.expr) -> Any:
        """Return one of several values; of constants, by an index that is computed."""
        position = self.number(frame, index)
        if position.text.isdigit():
            return values[int(position.text)]
        texts = ", ".join(f"{number.machine_type} {number.text}" for number in values)
        table = f"[{len(values)} x {values[0].machine_type}]"
        same = (n for n, d in self.code.outside.items() if d.endswith(f"[{texts}]"))
        name = next(same, f"table.{len(self.code.outside)}")
        self.code.outer(name, f"@{name} = private unnamed_addr constant {table} [{texts}]")
        kind = values[0].kind
        elements = next(name for name, (_, read, _) in STORED.items() if read == kind)
        view = View(elements, f"@{name}", (whole(len(values)),))
        return self.code.load(view, self.code.element(view, [position]))

    # Numbers

    def _unary(self, frame: Frame, node: ast.UnaryOp) -> Number:
        number = self.number(frame, node.operand)
        match node.op:
            case ast.USub() if number.kind in (SINGLE, DOUBLE):
                return self.code.value(number.kind, f"fneg {number.kind} {number.text}")
            case ast.USub() if number.text.isdigit():
                return whole(-int(number.text))
            case ast.USub():
                return self.code.arithmetic("-", whole(0), number, "")
            case ast.Invert() if number.kind != TRUTH:
                return self.code.arithmetic("^", number, Number(number.kind, "-1"), "")
            case ast.Not():
                return self.code.value(TRUTH, f"xor i1 {self.code.truth(number).text}, 1")
            case _:
                raise refusal(f"'{ast.unparse(node)}'")

    def _compared(self, frame: Frame, node: ast.Compare) -> Number:
        """Write comparisons; all numbers are computed first, as none has an effect."""
        numbers = [self.number(frame, operand) for operand in (node.left, *node.comparators)]
        both = Number(TRUTH, "1")
        for operator, left, right in zip(node.ops, numbers, numbers[1:], strict=False):
            if type(operator) not in _ORDERS:
                raise refusal(f"'{ast.unparse(node)}'")
            truth = self.code.compared(_ORDERS[type(operator)], left, right)
            both = self.code.arithmetic("&", both, truth, "")
        return both

    def _decided(self, frame: Frame, node: ast.BoolOp) -> Number:
        """Write "and" and "or": what does not matter is not computed."""
        slot, end = self.statements.slot(TRUTH), self.code.label()
        for operand in node.values:
            truth = self.code.truth(self.number(frame, operand))
            self.statements.keep(slot, truth)
            if operand is not node.values[-1]:
                further = self.code.label()
                ways = (further, end) if isinstance(node.op, ast.And) else (end, further)
                self.code.branch(truth, *ways)
                self.code.start(further)
        self.code.start(end)
        return self.statements.read(slot)

    def _either(self, frame: Frame, node: ast.IfExp) -> Number:
        """Write one of two values; only that one is computed."""
        then, otherwise, end = self.code.label(), self.code.label(), self.code.label()
        self.code.branch(self.number(frame, node.test), then, otherwise)
        self.code.start(then)
        first = self.number(frame, node.body)
        middle, self.code.lines = self.code.lines, []
        self.code.ended = True
        self.code.start(otherwise)
        second = self.number(frame, node.orelse)
        slot = self.statements.slot(joined(first.kind, second.kind))
        self.statements.keep(slot, second)
        self.code.jump(end)
        rest, self.code.lines, self.code.ended = self.code.lines, middle, False
        self.statements.keep(slot, first)
        self.code.jump(end)
        self.code.lines += rest
        self.code.start(end)
        return self.statements.read(slot)

    def range_of(self, frame: Frame, node: ast.Call) -> tuple[Number, Number, Number]:
        """Return the first number of a range, where it stops, and its step."""
        numbers = [
            self.code.converted(self.number(frame, argument), WHOLE) for argument in node.args
        ]
        if len(numbers) == 1:
            numbers.insert(0, whole(0))
        return numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else whole(1)


def sign_of(operator: ast.operator) -> str:
    """Return an operator as it is written."""
    if type(operator) not in _SIGNS:
        raise refusal(f"the operator {type(operator).__name__}")
    return _SIGNS[type(operator)]


def _known(value: Any) -> Any:
    """Return what a name outside a kernel refers to: numbers are translated, others kept."""
    if isinstance(value, tuple) and all(isinstance(part, int | float) for part in value):
        return tuple(constant(part) for part in value)
    return value
