"""Translating a kernel: its statements, as LLVM's instructions.

A variable keeps the kind of number that it gets first, and a name of an array is given once.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from sudare.core.kernels.expressions import Expressions, sign_of
from sudare.core.kernels.functions import Frame, Functions, Slot, parsed
from sudare.core.kernels.instructions import Instructions
from sudare.core.kernels.values import (
    DOUBLE,
    SINGLE,
    TRUTH,
    Group,
    KernelError,
    Number,
    View,
    refusal,
    whole,
)


class Statements:
    """Writes the statements of a kernel, or of a function that it calls."""

    def __init__(self, code: Instructions, functions: Functions) -> None:
        self.code, self.functions = code, functions
        self.expressions = Expressions(self)

    def function(
        self, function: Callable[..., Any], given: Sequence[Any], flags: str
    ) -> tuple[tuple[Slot, ...], bool]:
        """Write a function; return where its results are, and whether it has only one."""
        definition = parsed(function)
        frame = Frame(function.__globals__, flags, self.code.label())
        names = [argument.arg for argument in definition.args.args]
        for name, value in zip(names, given, strict=True):
            self.bind(frame, name, value, definition)
        try:
            self.block(frame, definition.body)
        except KernelError as error:
            error.add_note(f"in the kernel {function.__module__}.{function.__name__}")
            raise
        self.code.start(frame.end)
        return frame.results or (), frame.single

    def block(self, frame: Frame, body: Sequence[ast.stmt]) -> None:
        """Write statements up to the first after which nothing comes."""
        for statement in body:
            if self.code.ended:
                return
            try:
                self.statement(frame, statement)
            except KernelError as error:
                error.add_note(f"line {statement.lineno}: {ast.unparse(statement)[:100]}")
                raise

    def statement(self, frame: Frame, node: ast.stmt) -> None:
        """Write a statement."""
        match node:
            case ast.Assign():
                value = self.expressions.value(frame, node.value)
                for target in node.targets:
                    self.assign(frame, target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as given):
                self.assign(frame, target, self.expressions.value(frame, given))
            case ast.AugAssign():
                self._augment(frame, node)
            case ast.For():
                self._for(frame, node)
            case ast.While():
                self._while(frame, node)
            case ast.If():
                self._if(frame, node)
            case ast.Return():
                self._return(frame, node)
            case ast.Break() | ast.Continue():
                self.code.jump(frame.loops[-1][isinstance(node, ast.Break)])
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as call):
                self.expressions.calls.value(frame, call)
            case _:
                raise refusal(f"a statement like '{ast.unparse(node)[:40]}'")

    def bind(self, frame: Frame, name: str, value: Any, binder: ast.AST) -> None:
        """Give a variable a value. Arrays are known by their names, numbers are kept in slots."""
        if not isinstance(value, Number):
            if frame.binders.setdefault(name, binder) is not binder:
                raise refusal(f"two arrays of the name '{name}'")
            frame.variables[name] = value
            return
        slot = frame.variables.get(name)
        if slot is None:
            slot = self.slot(value.kind)
            frame.variables[name] = slot
        if not isinstance(slot, Slot):
            raise refusal(f"an array and a number of the name '{name}'")
        self.keep(slot, value)

    def slot(self, kind: str) -> Slot:
        """Return a place for a number."""
        return Slot(kind, self.code.slot(Number(kind, "").machine_type))

    def keep(self, slot: Slot, value: Number) -> None:
        """Write a number into its slot; it may become wider, but loses nothing."""
        fractions = (SINGLE, DOUBLE)
        narrower = value.kind in fractions and slot.kind not in fractions
        if (
            narrower
            or (value.kind, slot.kind) == (DOUBLE, SINGLE)
            or slot.kind == TRUTH != value.kind
        ):
            raise refusal(f"a variable that is {slot.kind} first and {value.kind} later")
        value = self.code.converted(value, slot.kind)
        self.code.put(f"store {value.machine_type} {value.text}, ptr {slot.pointer}")

    def assign(self, frame: Frame, target: ast.expr, value: Any) -> None:
        """Write an assignment to a name, an element, rows of an array, or several of these."""
        match target:
            case ast.Name():
                self.bind(frame, target.id, value, target)
            case ast.Tuple():
                parts = value.values if isinstance(value, Group) else value
                if not isinstance(parts, tuple) or len(parts) != len(target.elts):
                    raise refusal("an assignment of several names to something else")
                for variable, part in zip(target.elts, parts, strict=True):
                    self.assign(frame, variable, part)
            case ast.Subscript():
                self._assign_element(frame, target, value)
            case _:
                raise refusal(f"an assignment to '{ast.unparse(target)}'")

    def _assign_element(self, frame: Frame, target: ast.Subscript, value: Any) -> None:
        part = self.expressions.part(frame, target)
        if isinstance(part, View):
            self.fill(part, value)
            return
        view, address = part
        if not isinstance(value, Number):
            raise refusal("an array in the place of a number")
        self.code.store(view, address, value)

    def fill(self, view: View, value: Any) -> None:
        """Write a number into all elements of an array, or the elements of another into it."""
        size = view.shape[0]
        for more in view.shape[1:]:
            size = self.code.arithmetic("*", size, more, "")
        flat = View(view.elements, view.pointer, (size,), view.origin)

        def write(position: Number) -> None:
            given = value
            if isinstance(value, View):
                other = View(value.elements, value.pointer, (size,), value.origin)
                given = self.code.load(other, self.code.element(other, [position]))
            self.code.store(flat, self.code.element(flat, [position]), given)

        self.counted(whole(0), size, whole(1), write, self.code.label(), self.code.label())

    def counted(
        self,
        first: Number,
        stop: Number,
        step: Number,
        body: Callable[[Number], None],
        further: str,
        end: str,
    ) -> None:
        """Write a loop over whole numbers; a step that is not known now is above 0."""
        counter, head, inside = self.slot("i64"), self.code.label(), self.code.label()
        self.keep(counter, first)
        self.code.start(head)
        number = self.read(counter)
        order = ">" if step.text.startswith("-") else "<"
        self.code.branch(self.code.compared(order, number, stop), inside, end)
        self.code.start(inside)
        body(number)
        self.code.start(further)
        self.keep(counter, self.code.arithmetic("+", number, step, ""))
        self.code.jump(head)
        self.code.start(end)

    def read(self, slot: Slot) -> Number:
        """Return the value of a variable."""
        machine = Number(slot.kind, "").machine_type
        return self.code.value(slot.kind, f"load {machine}, ptr {slot.pointer}")

    def _augment(self, frame: Frame, node: ast.AugAssign) -> None:
        sign = sign_of(node.op)
        right = self.expressions.number(frame, node.value)
        if isinstance(node.target, ast.Name):
            left = self.expressions.number(frame, ast.Name(node.target.id, ast.Load()))
            self.assign(frame, node.target, self.code.arithmetic(sign, left, right, frame.flags))
            return
        if not isinstance(node.target, ast.Subscript):
            raise refusal(f"an assignment to '{ast.unparse(node.target)}'")
        part = self.expressions.part(frame, node.target)
        if isinstance(part, View):
            raise refusal("arithmetic of whole arrays")
        view, address = part
        left = self.code.load(view, address)
        self.code.store(view, address, self.code.arithmetic(sign, left, right, frame.flags))

    def _for(self, frame: Frame, node: ast.For) -> None:
        end, further = self.code.label(), self.code.label()

        def body(value: Any) -> None:
            self.assign(frame, node.target, value)
            frame.loops.append((further, end))
            self.block(frame, node.body)
            frame.loops.pop()

        iterated = node.iter
        if isinstance(iterated, ast.Tuple):
            self._for_each(frame, node, end)
        elif isinstance(iterated, ast.Call) and ast.unparse(iterated.func) == "range":
            first, stop, step = self.expressions.range_of(frame, iterated)
            self.counted(first, stop, step, body, further, end)
        else:
            view = self.expressions.value(frame, iterated)
            if not isinstance(view, View) or len(view.shape) != 1:
                raise refusal(f"a loop over '{ast.unparse(iterated)}'")

            def element(position: Number) -> None:
                body(self.code.load(view, self.code.element(view, [position])))

            self.counted(whole(0), view.shape[0], whole(1), element, further, end)

    def _for_each(self, frame: Frame, node: ast.For, end: str) -> None:
        """Write the body of a loop once for each of some values."""
        values = self.expressions.value(frame, node.iter)
        for value in values:
            further = self.code.label()
            self.assign(frame, node.target, value)
            frame.loops.append((further, end))
            self.block(frame, node.body)
            frame.loops.pop()
            self.code.start(further)
        self.code.start(end)

    def _while(self, frame: Frame, node: ast.While) -> None:
        head, inside, end = self.code.label(), self.code.label(), self.code.label()
        self.code.start(head)
        self.code.branch(self.expressions.number(frame, node.test), inside, end)
        self.code.start(inside)
        frame.loops.append((head, end))
        self.block(frame, node.body)
        frame.loops.pop()
        self.code.jump(head)
        self.code.start(end)

    def _if(self, frame: Frame, node: ast.If) -> None:
        then, otherwise, end = self.code.label(), self.code.label(), self.code.label()
        self.code.branch(self.expressions.number(frame, node.test), then, otherwise)
        self.code.start(then)
        self.block(frame, node.body)
        self.code.jump(end)
        self.code.start(otherwise)
        self.block(frame, node.orelse)
        self.code.jump(end)
        self.code.start(end)

    def _return(self, frame: Frame, node: ast.Return) -> None:
        value = () if node.value is None else self.expressions.value(frame, node.value)
        numbers = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(number, Number) for number in numbers):
            raise refusal("an array that is returned")
        if frame.results is None:
            frame.results = tuple(self.slot(number.kind) for number in numbers)
            frame.single = isinstance(value, Number)
        for slot, number in zip(frame.results, numbers, strict=True):
            self.keep(slot, number)
        self.code.jump(frame.end)
