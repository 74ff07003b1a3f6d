"""What the API takes and gives, as JSON."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sudare.contest.accounts import LONGEST_PASSWORD, SHORTEST_PASSWORD
from sudare.contest.contest import CONTROL_CHARACTERS
from sudare.contest.entries import ContestEntry, EntryStatus
from sudare.contest.results import AttackerLine, LeaderboardLine, ScoredAttack
from sudare.contest.rules import ADDRESS, LONGEST_ADDRESS, ContestRole, Phase, Round

PRINTED = rf"^[^{CONTROL_CHARACTERS}]*[^\s{CONTROL_CHARACTERS}][^{CONTROL_CHARACTERS}]*$"
TeamName = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class Schema(BaseModel):
    """What all of them share: nothing that is not declared."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Refusal(Schema):
    """Why something was refused, in the language of the request."""

    message: str


class Credentials(Schema):
    """A team's name and password."""

    team: TeamName
    password: Annotated[
        str, StringConstraints(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)
    ]


class NewTeam(Credentials):
    """A team's name and password, and where mail goes, if the contest sends any."""

    address: Annotated[
        str,
        StringConstraints(max_length=LONGEST_ADDRESS),
        Field(json_schema_extra={"pattern": f"^({ADDRESS})?$"}),  # refused by the contest
    ] = ""


class Token(Schema):
    """What to send as a bearer token."""

    token: str


class AccountSchema(Schema):
    """Somebody who has an account."""

    name: str
    role: ContestRole


class MomentSchema(Schema):
    """Where the contest stands."""

    title: str
    subject: str
    rounds: list[Round]
    time_zone: str
    phase: Phase
    is_open: bool
    opens: datetime | None
    closes: datetime | None


class DownloadSchema(Schema):
    """A file that can be had now."""

    key: str
    filename: str
    size: int


class ProblemSchema(Schema):
    """What is wrong with a file; column is empty where it is about a whole line."""

    line: int
    column: str
    message: str


class EntrySchema(Schema):
    """A file that was received, and what became of it; where it is stored stays secret."""

    id: int
    kind: str
    round: Round
    team: str
    target: str | None
    filename: str
    size: int
    received: datetime
    status: EntryStatus
    counts: bool
    problems: list[ProblemSchema]
    problem_count: int
    score: float | None
    parts: dict[str, float]
    missed: list[str]
    named: int | None
    right: int | None
    needed: int | None
    effective: bool | None
    success: float | None

    @classmethod
    def of(cls, entry: ContestEntry) -> "EntrySchema":
        """Return what the API says about an entry."""
        values = {name: getattr(entry, name) for name in cls.model_fields if name != "problems"}
        problems = [
            ProblemSchema(line=problem.line, column=problem.column, message=str(problem))
            for problem in entry.problems
        ]
        return cls(**values, problems=problems)


class StandingsSchema(Schema):
    """The result of a round; nobody has won while files are ``waiting`` for their evaluation."""

    leaderboard: list[LeaderboardLine]
    attackers: list[AttackerLine]
    hits: list[ScoredAttack]
    waiting: int
    frozen: datetime | None = Field(description="Since when later changes are not shown")


class StatisticsSchema(Schema):
    """Errors of analyses by team, and their correlation with the score.

    Errors are null for files that could not be evaluated.
    """

    rows: list[dict[str, str | float | None]]
    correlations: dict[str, float | None]
    p_values: dict[str, float | None]
    waiting: int
    failed: int


class AnnouncementText(Schema):
    """What to tell everybody."""

    text: Annotated[
        str,
        StringConstraints(min_length=1, max_length=4000),
        Field(json_schema_extra={"pattern": PRINTED}),  # documented here, refused by the contest
    ]


class PhaseToOpen(Schema):
    """Which phase to open."""

    phase: Phase = Field(description="One of the contest's phases")


class PhaseToClose(Schema):
    """Which phase to close."""

    phase: Phase = Field(description="Closed only if it is the one that is open")
