"""What is wrong with a file, by line and column."""

from dataclasses import dataclass, field

from sudare.core.messages import say

MOST = 100  # a file that is wrong throughout is told so, not printed


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file. It never shows the cell itself."""

    line: int
    column: str
    reason: str
    facts: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        reason = say(self.reason, **self.facts)
        if not self.column:
            return say("line {line}: {reason}", line=self.line, reason=reason)
        return say(
            "line {line}, {column}: {reason}",
            line=self.line,
            column=say(self.column),
            reason=reason,
        )


class Problems:
    """Collects problems; counts all of them and keeps the first hundred."""

    def __init__(self) -> None:
        self.kept: list[Problem] = []
        self.count = 0

    def add(self, line: int, column: str, reason: str, **facts: object) -> None:
        """Note a problem."""
        self.count += 1
        if len(self.kept) < MOST:
            self.kept.append(Problem(line, column, reason, facts))
