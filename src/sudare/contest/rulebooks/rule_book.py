"""What a kind of contest is: a rule book that can be read, and a package that applies it.

An organizer writes a class of this kind in a Python file or package of their own::

    from sudare.contest import FileKind, Handout, RuleBook, RulePackage

    class OurContest(RulePackage):
        def describe(self): ...                 # what the pages say: a RuleBook
        def prepare(self, source, folder, *, seats, secret): ...    # what is handed out
        def evaluate(self, kind, task): ...     # check and score a file

    RULES = OurContest
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudare.contest.scoring import ContestUnavailable
from sudare.core import SettingError, SudareError
from sudare.transactions.files import FileProblem, Problems, RefusedError

if TYPE_CHECKING:
    from sudare.contest.rules import ContestRules

MASK = "mask"  # what every team sends first: the file that others attack
Stage = Literal["masking", "attack", "never"]
RuleLines = Sequence[tuple[str, str]]
EvaluationResult = dict[str, Any]
"""``{"result": …}`` of a file in order, or ``{"problems": […], "count": n}`` of another."""


@dataclass(frozen=True, kw_only=True)
class Handout:
    """A file that is handed out.

    Attributes
    ----------
    name, title
        The name of the file, and what the pages call it.
    stage
        From which phase of a round on teams may have it; "never" for the referee's eyes alone.
    own
        Whether each team has one of its own. Of the stage "masking" only the team itself gets it,
        of the stage "attack" all teams do.
    """

    name: str
    title: str
    stage: Stage = "masking"
    own: bool = False


@dataclass(frozen=True, kw_only=True)
class FileKind:
    """A kind of file that is taken.

    Attributes
    ----------
    name
        "mask" for the file that others attack; of an attack any other, at most ten characters.
    title, format, examples
        What the pages call it, how it is written, and lines of such a file.
    header
        Whether the first line of the file, and of the examples, has the names of the columns.
    at_once
        Which numbers of the result its team sees at once; all others come with the round's result.
    """

    name: str
    title: str
    format: str = ""
    examples: tuple[str, ...] = ()
    header: bool = False
    at_once: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """What a contest hands out, takes, measures and tells, as its pages say it.

    Attributes
    ----------
    summary
        The contest in a sentence or two.
    score_title
        What the score of a masked file is called.
    handouts, files
        What is handed out to whom, and which files are taken; the first is the masked file.
    sections
        Headings, and under each names and values.
    thresholds
        How many people must be named correctly, by how many are named.
    weights
        By round, what utility, protection and attacks weigh in the points. Without any, the
        smallest score wins among the files that were never hit effectively.
    statistics
        Whether files that are decided get tables of use cases.
    """

    summary: str
    score_title: str
    files: tuple[FileKind, ...]
    handouts: tuple[Handout, ...]
    sections: tuple[tuple[str, RuleLines], ...] = ()
    thresholds: tuple[tuple[int, int], ...] = ()
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    statistics: bool = False

    def __post_init__(self) -> None:
        names = [kind.name for kind in self.files]
        valid = all(re.fullmatch("[a-z]{1,10}", name) for name in names)
        if names[:1] != [MASK] or len(names) < 2 or not valid or "statistics" in names:
            raise SettingError(
                "contest: a rule book takes a file called 'mask' and then attacks, whose names are "
                "1 to 10 small letters."
            )

    @property
    def attacks(self) -> tuple[FileKind, ...]:
        """The kinds of attacks."""
        return tuple(kind for kind in self.files if kind.name != MASK)

    def file(self, name: str) -> FileKind:
        """Return the kind of file of a name; one that is no more taken tells nothing early."""
        kinds = [kind for kind in self.files if kind.name == name]
        return kinds[0] if kinds else FileKind(name=name, title=name)

    def to_json(self) -> dict[str, Any]:
        """Return the rule book as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "RuleBook":
        """Return the rule book that plain values describe."""
        values = dict(content)
        values["files"] = tuple(
            FileKind(**{**kind, **{n: tuple(kind[n]) for n in ("examples", "at_once")}})
            for kind in values["files"]
        )
        values["handouts"] = tuple(Handout(**handout) for handout in values["handouts"])
        values["sections"] = tuple(
            (heading, tuple((name, value) for name, value in lines))
            for heading, lines in values["sections"]
        )
        values["thresholds"] = tuple((n, r) for n, r in values["thresholds"])
        return cls(**values)


@dataclass(frozen=True)
class EvaluationTask:
    """What is scored, and where the result is written.

    Attributes
    ----------
    data
        What was handed out, by name: to everybody, and of the team that sent the masked file or
        whose file is attacked.
    load
        Gives what :meth:`RulePackage.load` made of it.
    file
        The file that was received.
    published, pseudonyms
        Of a masked file: where what others get of it, and the table of pseudonyms, are written. Of
        an attack, ``pseudonyms`` is the table of its target and ``published`` what was published.
    secret
        Of the contest: it decides the order of published rows that are alike.
    """

    data: Mapping[str, Path]
    load: Callable[[], Any]
    file: Path
    published: Path | None = None
    pseudonyms: Path | None = None
    secret: bytes = field(default=b"", repr=False)

    def original(self) -> Any:
        """Return the data; what is wrong with the contest's own files is not the team's fault."""
        with own_files():
            return self.load()

    @property
    def outputs(self) -> tuple[Path, Path]:
        """Where what is published, and the table of pseudonyms, are written or lie."""
        assert self.published is not None  # noqa: S101
        assert self.pseudonyms is not None  # noqa: S101
        return self.published, self.pseudonyms


class RulePackage(ABC):
    """A kind of contest. Its methods run in processes with limits on memory and time.

    Parameters
    ----------
    rules
        The rules as the TOML file states them; settings of one's own are in ``rules.settings``.
    """

    shared: ClassVar[bool] = False  # whether what load gives can be shared by forked processes

    def __init__(self, rules: "ContestRules") -> None:
        self.rules = rules

    @abstractmethod
    def describe(self) -> RuleBook:
        """Return the rule book, in the current language."""

    @abstractmethod
    def prepare(self, source: Path | None, folder: Path, *, seats: int, secret: bytes) -> None:
        """Write what is handed out: ``NAME.csv``, and ``SEAT/NAME.csv`` for each team's own.

        Parameters
        ----------
        source
            The organizer's data, if they gave any.
        folder
            An empty folder.
        seats
            How many teams can take part; they are counted from 1.
        secret
            Of the contest and the round, for draws that nobody can repeat.
        """

    def load(self, data: Mapping[str, Path]) -> Any:
        """Read what was handed out, once for all files that are evaluated."""
        return data

    @abstractmethod
    def evaluate(self, kind: str, task: EvaluationTask) -> EvaluationResult:
        """Check and score a file of a kind.

        A result has ``score`` and ``parts`` for a masked file, ``named``, ``effective`` and
        ``right`` and ``needed``, or ``success`` from 0 to 1, for an attack.
        """

    def check_attack(self, kind: str, path: Path, data: Mapping[str, Path]) -> EvaluationResult:
        """Check an attack as far as a team can, which does not know the answers.

        Parameters
        ----------
        kind, path
            The kind of attack, and its file.
        data
            What the team was handed out, and what it has of the target.
        """
        return {"problems": [], "count": 0}

    def write_sample(self, kind: FileKind, data: Mapping[str, Path], path: Path) -> None:
        """Write a valid file of a kind, or at least one of its form."""
        path.write_text("".join(f"{line}\n" for line in kind.examples), encoding="utf-8")


@contextmanager
def own_files() -> Iterator[None]:
    """Read files of the contest itself: what is wrong with them is not the team's fault."""
    try:
        yield
    except SudareError as error:
        raise ContestUnavailable from error


def refused(problems: Problems) -> EvaluationResult:
    """Return the result of an invalid file."""
    return {
        "problems": [problem_to_json(problem) for problem in problems.kept],
        "count": problems.count,
    }


def problem_to_json(problem: FileProblem) -> dict[str, Any]:
    """Return a problem as the database keeps it, so that any language can tell it."""
    return {
        "line": problem.line,
        "column": problem.column,
        "template": problem.reason.template,
        "facts": {
            name: fact if isinstance(fact, int | float) else str(fact)
            for name, fact in problem.reason.facts.items()
        },
    }


def problem_from_json(kept: Mapping[str, Any]) -> FileProblem:
    """Return the problem that the database keeps."""
    return FileProblem(
        kept["line"], kept["column"], RefusedError(kept["template"], **kept["facts"])
    )
