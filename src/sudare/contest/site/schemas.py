"""What the API takes and gives, as JSON."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sudare.contest.accounts import LONGEST, SHORTEST
from sudare.contest.contest import CONTROL
from sudare.contest.entries import Entry, Kind, Status
from sudare.contest.phases import Phase, Role, Round
from sudare.contest.results import AttackerLine, Hit, Leader
from sudare.contest.rules import Subject

PRINTED = rf"^[^{CONTROL}]*[^\s{CONTROL}][^{CONTROL}]*$"
Line = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class Shape(BaseModel):
    """What all of them share: nothing that is not declared."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Refusal(Shape):
    """Why something was refused, in the language of the request."""

    message: str


class Credentials(Shape):
    """A team's name and password."""

    team: Line
    password: Annotated[str, StringConstraints(min_length=SHORTEST, max_length=LONGEST)]


class Token(Shape):
    """What to send as a bearer token."""

    token: str


class AccountShape(Shape):
    """Somebody who has an account."""

    name: str
    role: Role


class MomentShape(Shape):
    """Where the contest stands."""

    title: str
    subject: Subject
    rounds: list[Round]
    time_zone: str
    phase: Phase
    is_open: bool
    opens: datetime | None
    closes: datetime | None


class DownloadShape(Shape):
    """A file that can be had now."""

    key: str
    filename: str
    size: int


class ProblemShape(Shape):
    """What is wrong with a file; column is empty where it is about a whole line."""

    line: int
    column: str
    message: str


class EntryShape(Shape):
    """A file that was received, and what became of it; where it lies is not told."""

    id: int
    kind: Kind
    round: Round
    team: str
    target: str | None
    filename: str
    size: int
    received: datetime
    status: Status
    counts: bool
    problems: list[ProblemShape]
    problem_count: int
    score: float | None
    parts: dict[str, float]
    missed: list[str]
    named: int | None
    right: int | None
    needed: int | None
    effective: bool | None

    @classmethod
    def of(cls, entry: Entry) -> "EntryShape":
        """Return what the API says about an entry."""
        told = {name: getattr(entry, name) for name in cls.model_fields if name != "problems"}
        problems = [
            ProblemShape(line=one.line, column=one.column, message=str(one))
            for one in entry.problems
        ]
        return cls(**told, problems=problems)


class StandingsShape(Shape):
    """The result of a round; nobody has won while files are ``waiting`` for their evaluation."""

    leaderboard: list[Leader]
    attackers: list[AttackerLine]
    hits: list[Hit]
    waiting: int


class StatisticsShape(Shape):
    """Errors of analyses by team, and their correlation with the score.

    Errors are null for files that could not be evaluated.
    """

    rows: list[dict[str, str | float | None]]
    correlations: dict[str, float | None]
    waiting: int
    failed: int


class Announcing(Shape):
    """What to tell everybody."""

    text: Annotated[
        str,
        StringConstraints(min_length=1, max_length=4000),
        Field(json_schema_extra={"pattern": PRINTED}),  # told here, refused by the contest
    ]


class PhaseToOpen(Shape):
    """Which phase to open."""

    phase: Phase = Field(description="One of the contest's phases")


class PhaseToClose(Shape):
    """Which phase to close."""

    phase: Phase = Field(description="Closed only if it is the one that is open")
