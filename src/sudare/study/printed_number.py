"""A number that a paper prints, beside ours, and why there may be none of ours."""

from typing import NamedTuple

from sudare.core import Message
from sudare.study.result import Row

NOT_PUBLIC = Message("the team's file is not public")
NO_HISTORY = Message("give the history of the contest (--history)")
OTHER_DATA = Message("made-up data of the same shape")
OTHER_FILES = Message("our own ten files in place of the teams'")


class PrintedNumber(NamedTuple):
    """A printed number: where it stands, what it is, and what we have for it."""

    source: str
    figure: str
    published: float
    ours: float | None
    note: Message | None = None

    def row(self, paper: str) -> Row:
        """Return it as a row of the table."""
        ours = "" if self.ours is None else self.ours
        return {
            "paper": paper,
            "source": self.source,
            "figure": self.figure,
            "published": self.published,
            "ours": ours,
            "note": str(self.note or ""),
        }
