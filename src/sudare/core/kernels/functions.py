"""Functions that a kernel calls: each is translated once for the kinds of what it is given."""

import ast
import inspect
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sudare.core.kernels.instructions import Instructions
from sudare.core.kernels.values import WHOLE, Group, Number, View, refusal


@dataclass(frozen=True)
class Slot:
    """Where the value of a variable is kept, and its kind."""

    kind: str
    pointer: str


@dataclass
class Frame:
    """One function while it is translated: its variables, and where its loops and itself end."""

    outer: dict[str, Any]
    flags: str
    end: str
    variables: dict[str, Any] = field(default_factory=dict)
    binders: dict[str, ast.AST] = field(default_factory=dict)
    loops: list[tuple[str, str]] = field(default_factory=list)
    results: tuple[Slot, ...] | None = None
    single: bool = True


@cache
def parsed(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return a function as a tree."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    if not isinstance(definition, ast.FunctionDef):
        raise refusal("no name")
    return definition


@dataclass(frozen=True)
class Defined:
    """A function of the translation: its name, the kinds of its results, and what it writes to."""

    name: str
    kinds: tuple[str, ...]
    single: bool
    written: frozenset[int]


@dataclass
class Functions:
    """The functions of one kernel; what is called in one place only is written there."""

    outside: dict[str, str]
    calls: Counter[Callable[..., Any]]
    known: dict[Any, Defined | None] = field(default_factory=dict)

    def call(self, code: Instructions, called: Any, given: list[Any]) -> Any:
        """Write a call; return its results."""
        from sudare.core.kernels.statements import Statements

        if self.calls[called] == 1:
            return self._in_place(code, called, given)
        key = called, tuple(map(_kind, given))
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self._define(called, given)
        function = self.known[key]
        if function is None:
            raise refusal(f"{called.__name__}, which calls itself")
        statements, leaves = Statements(code, self), list(_leaves(given))
        slots: list[Slot] = [statements.slot(kind) for kind in function.kinds]
        words = [f"{kind} {text}" for leaf in leaves for kind, text in _words(leaf)]
        words += [f"ptr {slot.pointer}" for slot in slots]
        code.put(f"call void @{function.name}({', '.join(words)})")
        origins = [leaf.origin for leaf in leaves if isinstance(leaf, View)]
        written = {origins[number] for number in function.written}
        code.written |= {origin for origin in written if origin is not None}
        numbers = tuple(statements.read(slot) for slot in slots)
        return numbers[0] if function.single else numbers

    def _in_place(self, code: Instructions, called: Any, given: list[Any]) -> Any:
        from sudare.core.kernels.statements import Statements

        statements = Statements(code, self)
        slots, single = statements.function(called, given, called.kernel_flags)
        numbers = tuple(statements.read(slot) for slot in slots)
        return numbers[0] if single and slots else numbers

    def _define(self, called: Any, given: list[Any]) -> Defined:
        from sudare.core.kernels.statements import Statements

        code = Instructions(outside=self.outside)
        parameters = _Parameters()
        values = [parameters.like(value) for value in given]
        statements = Statements(code, self)
        slots, single = statements.function(called, values, called.kernel_flags)
        for number, slot in enumerate(slots):
            value = statements.read(slot)
            code.put(f"store {value.machine_type} {value.text}, ptr %r{number}")
        code.put("ret void")
        name = f"{called.__name__}.{len(self.known)}"
        words = [*parameters.words, *(f"ptr %r{number}" for number in range(len(slots)))]
        head = f"define internal void @{name}({', '.join(words)})"
        self.outside[f"function {name}"] = f"{head} {{\nstart:\n{code.body()}\n}}"
        kinds = tuple(slot.kind for slot in slots)
        return Defined(name, kinds, single and bool(slots), frozenset(code.written))


@dataclass
class _Parameters:
    """The parameters of a function, as it sees what it is given."""

    words: list[str] = field(default_factory=list)
    arrays: int = 0

    def word(self, machine_type: str) -> str:
        """Return the name of one more parameter."""
        name = f"%p{len(self.words)}"
        self.words.append(f"{machine_type} {name}")
        return name

    def like(self, value: Any) -> Any:
        """Return a value of the same kind that the function is given."""
        if isinstance(value, Number):
            return Number(value.kind, self.word(value.machine_type))
        if isinstance(value, View):
            self.arrays += 1
            number, pointer = self.arrays - 1, self.word("ptr")
            shape = tuple(Number(WHOLE, self.word("i64")) for _ in value.shape)
            return View(value.elements, pointer, shape, number)
        if isinstance(value, Group):
            return Group(value.names, tuple(self.like(part) for part in value.values))
        return value


def calls_in(function: Callable[..., Any]) -> Counter[Callable[..., Any]]:
    """Return in how many places of a kernel, and of what it calls, each function is called."""
    calls: Counter[Callable[..., Any]] = Counter()
    looked_at, waiting = set[Callable[..., Any]](), [function]
    while waiting:
        caller = waiting.pop()
        looked_at.add(caller)
        for node in ast.walk(parsed(caller)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called: Any = caller.__globals__.get(node.func.id)
                if hasattr(called, "kernel_flags"):
                    calls[called] += 1
                    waiting += [] if called in looked_at else [called]
    return calls


def _leaves(given: Any) -> Iterator[Number | View]:
    for value in given:
        if isinstance(value, Group):
            yield from _leaves(value.values)
        elif isinstance(value, Number | View):
            yield value


def _words(leaf: Number | View) -> Iterator[tuple[str, str]]:
    if isinstance(leaf, Number):
        yield leaf.machine_type, leaf.text
        return
    yield "ptr", leaf.pointer
    for size in leaf.shape:
        yield "i64", size.text


def _kind(value: Any) -> Any:
    """Return what the translation of a function depends on; of constants, what they are."""
    if isinstance(value, Number):
        return value.kind
    if isinstance(value, View):
        return value.elements, len(value.shape)
    if isinstance(value, Group):
        return value.names, tuple(map(_kind, value.values))
    return value
