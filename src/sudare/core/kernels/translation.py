"""A kernel in LLVM's language."""

from collections.abc import Callable
from typing import Any, get_type_hints

from sudare.core.kernels.functions import Functions, calls_in
from sudare.core.kernels.instructions import Instructions
from sudare.core.kernels.parameters import ScalarParameter, leaves_of
from sudare.core.kernels.statements import Statements
from sudare.core.kernels.values import DOUBLE, SINGLE, WHOLE, Group, Number, View

ENTRY = "entry"


class Translation:
    """A kernel in LLVM's language, what it returns, and into which arrays it writes."""

    def __init__(
        self, function: Callable[..., Any], parameters: tuple[tuple[str, Any], ...]
    ) -> None:
        code = Instructions()
        self._words = self._leaves = 0
        given = [self._given(code, kind) for _, kind in parameters]
        statements = Statements(code, Functions(code.outside, calls_in(function)))
        slots, self.single = statements.function(function, given, function.kernel_flags)  # type: ignore[attr-defined]
        self.results = "".join("d" if slot.kind in (SINGLE, DOUBLE) else "q" for slot in slots)
        for number, slot in enumerate(slots):
            kind = DOUBLE if self.results[number] == "d" else WHOLE
            value = code.converted(statements.read(slot), kind)
            address = code.value("ptr", f"getelementptr i64, ptr %results, i64 {number}")
            code.put(f"store {kind} {value.text}, ptr {address.text}")
        code.put("ret void")
        self.written = frozenset(code.written)
        head = f"define void @{ENTRY}(ptr %given, ptr %results) {{\nstart:\n"
        self.text = "\n".join([*code.outside.values(), f"{head}{code.body()}\n}}\n"])

    def _given(self, code: Instructions, kind: Any) -> Any:
        """Read a parameter: words of 64 bits, an array as its address and its shape."""
        if hasattr(kind, "_fields"):
            hints = get_type_hints(kind, include_extras=True)
            values = tuple(self._given(code, hints[name]) for name in kind._fields)
            return Group(kind._fields, values)
        (leaf,) = leaves_of(kind)
        self._leaves += 1
        if isinstance(leaf, ScalarParameter):
            return self._word(code, leaf.kind)
        pointer = self._word(code, "ptr")
        shape = tuple(self._word(code, WHOLE) for _ in range(leaf.dimensions))
        return View(leaf.elements, pointer.text, shape, self._leaves - 1)

    def _word(self, code: Instructions, kind: str) -> Number:
        address = code.value("ptr", f"getelementptr i64, ptr %given, i64 {self._words}")
        self._words += 1
        return code.value(kind, f"load {kind}, ptr {address.text}")
