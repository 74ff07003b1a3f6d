"""Writing LLVM's language: instructions, blocks, and the arithmetic of a kernel's numbers."""

from dataclasses import dataclass, field

from sudare.core.kernels.values import (
    DOUBLE,
    SHORT,
    SINGLE,
    STORED,
    TRUTH,
    WHOLE,
    WORD,
    Number,
    View,
    joined,
    refusal,
    whole,
)

_FRACTIONS = (SINGLE, DOUBLE)
_ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
_PLAIN = {"+": "add", "-": "sub", "*": "mul"}
_BITS = {"&": "and", "|": "or", "^": "xor"}


@dataclass
class Instructions:
    """The translation of one function, written line by line.

    Every variable has a place in memory ("slot"); LLVM moves them into registers. ``outside`` is
    what all functions of a kernel share: declarations, tables, and what they call. ``written`` are
    the arrays given into which the function writes.
    """

    lines: list[str] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    outside: dict[str, str] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    ended: bool = False
    count: int = 0

    def body(self) -> str:
        """Return all that was written."""
        return "\n".join([*self.slots, *self.lines])

    def name(self) -> str:
        """Return a name that was not used yet."""
        self.count += 1
        return f"%t{self.count}"

    def put(self, line: str) -> None:
        """Write an instruction without a value."""
        self.lines.append(f"  {line}")

    def value(self, kind: str, line: str) -> Number:
        """Write an instruction and return its value."""
        name = self.name()
        self.put(f"{name} = {line}")
        return Number(kind, name)

    def slot(self, machine_type: str) -> str:
        """Return a place in memory for a variable, or for an array of known size."""
        name = self.name()
        self.slots.append(f"  {name} = alloca {machine_type}, align 8")
        return name

    def label(self) -> str:
        """Return the name of a block that is to come."""
        return self.name().replace("%t", "b")

    def start(self, label: str) -> None:
        """Begin a block."""
        self.jump(label)
        self.lines.append(f"{label}:")
        self.ended = False

    def jump(self, label: str) -> None:
        """End a block, unless it has ended."""
        if not self.ended:
            self.put(f"br label %{label}")
        self.ended = True

    def branch(self, condition: Number, then: str, otherwise: str) -> None:
        """End a block with a decision."""
        self.put(f"br i1 {self.truth(condition).text}, label %{then}, label %{otherwise}")
        self.ended = True

    def outer(self, name: str, declaration: str) -> None:
        """Declare what the kernel calls or reads from outside."""
        self.outside[name] = declaration

    def call(self, name: str, kind: str, *given: Number) -> Number:
        """Call a function of LLVM or of the C library with numbers of one kind."""
        types = ", ".join(number.machine_type for number in given)
        self.outer(name, f"declare {kind} @{name}({types})")
        texts = ", ".join(f"{number.machine_type} {number.text}" for number in given)
        return self.value(kind, f"call {kind} @{name}({texts})")

    # Numbers

    def converted(self, number: Number, kind: str) -> Number:
        """Return a number as one of another kind."""
        source, text = number.kind, number.text
        if source == kind:
            return number
        if {source, kind} == {WHOLE, WORD}:
            return Number(kind, text)
        machine = Number(kind, "").machine_type
        if source in _FRACTIONS and kind in _FRACTIONS:
            way = "fpext" if kind == DOUBLE else "fptrunc"
        elif source in _FRACTIONS:
            way = "fptoui" if kind == WORD else "fptosi"
        elif kind in _FRACTIONS:
            way = "uitofp" if source in (WORD, TRUTH) else "sitofp"
        elif kind == SHORT and source != TRUTH:
            way = "trunc"
        else:
            way = "zext" if source == TRUTH else "sext"
        return self.value(kind, f"{way} {number.machine_type} {text} to {machine}")

    def truth(self, number: Number) -> Number:
        """Return whether a number is not zero."""
        return number if number.kind == TRUTH else self.compared("!=", number, Number(TRUTH, "0"))

    def compared(self, order: str, left: Number, right: Number, flags: str = "") -> Number:
        """Return whether two numbers are in an order."""
        kind = joined(left.kind, right.kind)
        left, right = self.converted(left, kind), self.converted(right, kind)
        word = _ORDER[order]
        if kind in _FRACTIONS:
            way = f"fcmp {flags}{'u' if word == 'ne' else 'o'}{word}"
        else:
            sign = "u" if kind in (WORD, TRUTH) else "s"
            way = f"icmp {word if word in ('eq', 'ne') else sign + word}"
        return self.value(TRUTH, f"{way} {left.machine_type} {left.text}, {right.text}")

    def chosen(self, condition: Number, then: Number, otherwise: Number, flags: str = "") -> Number:
        """Return one of two numbers of one kind, without a branch."""
        kind, machine = then.kind, then.machine_type
        picked = f"{machine} {then.text}, {machine} {otherwise.text}"
        allowed = flags if kind in _FRACTIONS else ""
        return self.value(kind, f"select {allowed}i1 {condition.text}, {picked}")

    def arithmetic(self, sign: str, left: Number, right: Number, flags: str) -> Number:
        """Return the result of an operation as Python defines it."""
        if sign in _BITS and left.kind == right.kind == TRUTH:
            return self.value(TRUTH, f"{_BITS[sign]} i1 {left.text}, {right.text}")
        kind = joined(left.kind, right.kind)
        kind = WHOLE if kind == TRUTH else kind
        if sign == "/" and kind not in _FRACTIONS:
            kind = DOUBLE
        left, right = self.converted(left, kind), self.converted(right, kind)
        if kind in _FRACTIONS:
            return self._of_fractions(sign, left, right, flags)
        return self._of_whole(sign, left, right)

    def _of_fractions(self, sign: str, left: Number, right: Number, flags: str) -> Number:
        if sign not in ("+", "-", "*", "/"):
            raise refusal(f"'{sign}' of fractions")
        way = "fdiv" if sign == "/" else f"f{_PLAIN[sign]}"
        return self.value(left.kind, f"{way} {flags}{left.kind} {left.text}, {right.text}")

    def _of_whole(self, sign: str, left: Number, right: Number) -> Number:
        kind, both = left.kind, f"{left.machine_type} {left.text}, {right.text}"
        if sign in _PLAIN or sign in _BITS:
            return self.value(kind, f"{_PLAIN.get(sign) or _BITS[sign]} {both}")
        if sign in ("<<", ">>"):
            way = "shl" if sign == "<<" else "lshr" if kind == WORD else "ashr"
            return self.value(kind, f"{way} {both}")
        if sign not in ("//", "%"):
            raise refusal(f"'{sign}' of whole numbers")
        if kind == WORD:
            return self.value(kind, f"{'udiv' if sign == '//' else 'urem'} {both}")
        rest = self.value(kind, f"srem {both}")  # rounded toward zero; Python rounds down
        apart = self.value(kind, f"xor i64 {rest.text}, {right.text}")
        uneven = self.compared("!=", rest, whole(0))
        beyond = self.compared("<", apart, whole(0))
        down = self.value(TRUTH, f"and i1 {uneven.text}, {beyond.text}")
        if sign == "%":
            return self.chosen(down, self._of_whole("+", rest, right), rest)
        quotient = self.value(kind, f"sdiv {both}")
        return self._of_whole("-", quotient, self.converted(down, WHOLE))

    # Arrays

    def rows_from(self, view: View, first: Number, shape: tuple[Number, ...]) -> View:
        """Return the part of an array that begins at a row."""
        offset = self.converted(first, WHOLE)
        for size in view.shape[1:]:
            offset = self._of_whole("*", offset, size)
        return View(view.elements, self._address(view, offset), shape, view.origin)

    def element(self, view: View, index: list[Number]) -> str:
        """Return where an element is."""
        if len(index) != len(view.shape):
            raise refusal(f"{len(index)} indices for an array of {len(view.shape)} dimensions")
        offset = self.converted(index[0], WHOLE)
        for number, size in zip(index[1:], view.shape[1:], strict=True):
            offset = self._of_whole("*", offset, size)
            offset = self._of_whole("+", offset, self.converted(number, WHOLE))
        return self._address(view, offset)

    def _address(self, view: View, offset: Number) -> str:
        stored = STORED[view.elements][0]
        step = f"getelementptr inbounds {stored}, ptr {view.pointer}, i64 {offset.text}"
        return self.value("ptr", step).text

    def load(self, view: View, address: str) -> Number:
        """Read an element."""
        stored, kind, way = STORED[view.elements]
        if not way:
            return self.value(kind, f"load {stored}, ptr {address}")
        raw = self.value(stored, f"load {stored}, ptr {address}")
        return self.value(kind, f"{way} {stored} {raw.text} to {kind}")

    def store(self, view: View, address: str, number: Number) -> None:
        """Write an element; fractions are not written as whole numbers."""
        stored, kind, way = STORED[view.elements]
        if number.kind in _FRACTIONS and kind not in _FRACTIONS:
            raise refusal("a fraction written into an array of whole numbers")
        if kind == TRUTH:
            number = self.converted(self.truth(number), WHOLE)
        else:
            number = self.converted(number, kind)
        if way:
            number = self.value(stored, f"trunc i64 {number.text} to {stored}")
        self.put(f"store {stored} {number.text}, ptr {address}")
        if view.origin is not None:
            self.written.add(view.origin)
