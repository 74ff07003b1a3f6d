"""What is wrong with a file, by line and column."""

from dataclasses import dataclass

from sudare.core import InputError, say

MOST = 100  # of a file that is wrong throughout, not every line is listed


class RefusedError(InputError):
    """What is wrong with a cell or a line; it never shows the cell itself."""


@dataclass(frozen=True)
class FileProblem:
    """One thing that is wrong with a file: where, and why; line 0 means the whole file."""

    line: int
    column: str
    reason: RefusedError

    def __str__(self) -> str:
        if not self.line:
            return str(self.reason)
        if not self.column:
            return say("line {line}: {reason}", line=self.line, reason=self.reason)
        return say(
            "line {line}, {column}: {reason}",
            line=self.line,
            column=say(self.column),
            reason=self.reason,
        )


class Problems:
    """Collects problems; counts all of them and keeps the first hundred."""

    def __init__(self) -> None:
        self.kept: list[FileProblem] = []
        self.count = 0

    def add(self, line: int, column: str, reason: RefusedError) -> None:
        """Note a problem; an empty column means the whole line."""
        self.count += 1
        if len(self.kept) < MOST:
            self.kept.append(FileProblem(line, column, reason))
