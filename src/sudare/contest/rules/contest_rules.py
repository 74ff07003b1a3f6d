"""The rules of a contest in a TOML file; what is left out is as it was in PWSCUP 2018.

::

    title = "Our contest"
    rounds = ["final"]
    time_zone = "Asia/Tokyo"

    [history]
    set_size = 50
    chance = "1/3"

    [schedule.final-masking]
    opens = 2026-09-27T09:00:00
    closes = 2026-10-09T18:00:00
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import tomli_w

from sudare.contest.rules.mail_rules import MailRules
from sudare.contest.rules.phases import ROUNDS, Phase, Round, Schedule, phases_of
from sudare.contest.rules.schedule import (
    check_freeze,
    check_schedule,
    in_zone,
    schedule_from,
    zone_named,
)
from sudare.contest.rules.subjects import check_subject, is_path
from sudare.contest.rules.toml_schema import check_choice, check_type
from sudare.core import Role, Scale, SettingError
from sudare.engine.formats import check_there, toml_content, utf8_text
from sudare.release import Limit, parse_measure
from sudare.transactions import COLUMNS, PWSCUP_2018, HistoryRules
from sudare.transactions.attack import BOUNDS, Bound, exact
from sudare.transactions.loss import all_weights, check_weights

_MEBIBYTE = 1 << 20
_LONGEST_TITLE = 120  # characters
_LARGEST_COUNT = (1 << 31) - 1  # what a column of the database can count
_MAY_BE_ZERO = ("samples", "files_per_day", "files_in_all")
_LARGEST = {"seconds": 24 * 3600, "memory_bytes": 1 << 50}


@dataclass(frozen=True, kw_only=True)
class ContestLimits:
    """How much a team may send, and how much work a file may make.

    Attributes
    ----------
    mask_bytes, attack_bytes
        Largest masked file and largest attack.
    uploads_per_hour
        Files that a team may send within an hour.
    failed_logins
        Wrong passwords for one account from one address within a quarter of an hour, after which
        that address waits; ten times as many from an address for all accounts, or for an account
        from all addresses.
    seconds, memory_bytes
        Time of the processor and memory for the evaluation of one file.
    samples
        Histories that are drawn from a masked file for the tables of use cases; 0 for no tables.
    teams
        Most teams that can register.
    files_per_day, files_in_all
        Files of a kind (and on the same target) that a team may send in a round, within 24 hours
        and in all; 0 for as many as it likes.
    """

    mask_bytes: int = 128 * _MEBIBYTE
    attack_bytes: int = _MEBIBYTE
    uploads_per_hour: int = 120
    failed_logins: int = 10
    seconds: int = 120
    memory_bytes: int = 2048 * _MEBIBYTE
    samples: int = 100
    teams: int = 200
    files_per_day: int = 0
    files_in_all: int = 0


@dataclass(frozen=True, kw_only=True)
class TableRules:
    """The rules of a contest of microdata.

    Attributes
    ----------
    roles, scales
        Of the columns, as for :func:`sudare.read`.
    score
        Measures of the catalog; their mean is the score, smaller is better.
    limits
        What a file must keep to be safe, such as ``k-anonymity >= 3``.
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    scales: Mapping[str, Scale] = field(default_factory=dict)
    score: tuple[str, ...] = ("total-variation",)
    limits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.score:
            raise SettingError("contest: the score needs at least one measure.")
        for text in self.score:
            parse_measure(text)
        for text in self.limits:
            Limit.parse(text)


@dataclass(frozen=True, kw_only=True)
class ContestRules:
    r"""What a contest is about, what files may hold, how they are scored, and when.

    Attributes
    ----------
    title
        What the pages are headed.
    subject
        "history" for purchase histories, "table" for microdata, "synthetic-cohort", the name of an
        installed package of rules (entry point group ``sudare.contest``), or the path of one.
    rounds
        "preliminary" and "final", or one of them.
    history, bound, columns
        For histories: the rules of files and attacks, which bound makes an attack effective, and
        the names of the five columns where T is a table with a header.
    table
        For microdata: roles, score and limits. ``history.chance``, ``history.level`` and ``bound``
        say when an attack is effective there too.
    settings
        What any other package of rules lets organizers set.
    limits
        Sizes, numbers and times.
    schedule
        When phases open and close by themselves.
    freeze
        When the leaderboard of a round freezes by itself.
    time_zone
        The zone in which the pages show times, such as "Asia/Tokyo"; in a TOML file, also that of
        times which are written without their offset.
    database
        Address of the database; by default an SQLite file in the contest's folder.
    approval
        Whether the referee must approve a team before it gets data or sends files.
    mail
        The SMTP server through which teams are told about phases and announcements, if any.

    Examples
    --------
    >>> rules = ContestRules.from_toml('[history]\nset_size = 50')
    >>> rules.history.set_size, rules.history.chance, rules.bound
    (50, Fraction(1, 3), 'contest')
    """

    title: str = "sudare contest"
    subject: str = "history"
    rounds: tuple[Round, ...] = ROUNDS
    history: HistoryRules = PWSCUP_2018
    bound: Bound = "contest"
    columns: Mapping[str, str] = field(default_factory=dict)
    table: TableRules = field(default_factory=TableRules)
    settings: Mapping[str, Any] = field(default_factory=dict)
    limits: ContestLimits = field(default_factory=ContestLimits)
    schedule: Schedule = field(default_factory=dict)
    freeze: Mapping[Round, datetime] = field(default_factory=dict)
    time_zone: str = "UTC"
    database: str = ""
    approval: bool = False
    mail: MailRules = field(default_factory=MailRules)

    def __post_init__(self) -> None:
        check_subject(self.subject)
        check_choice("bound", self.bound, BOUNDS)
        distinct = set(self.rounds) & set(ROUNDS)
        if not self.rounds or len(distinct) < len(self.rounds):
            raise SettingError("contest: rounds are 'preliminary' and 'final', or one of them.")
        ordered = tuple(name for name in ROUNDS if name in distinct)
        object.__setattr__(self, "rounds", ordered)
        check_weights(self.history.weights, "contest: weights")
        if self.columns and set(self.columns) != set(COLUMNS):
            raise SettingError(
                "contest: columns must name all of {columns}, or none.", columns=", ".join(COLUMNS)
            )
        if self.history.first_date > self.history.last_date:
            raise SettingError("contest: first_date must not be after last_date.")
        zone_named(self.time_zone)
        check_schedule(self.schedule, self.phases)
        check_freeze(self.freeze, self.rounds)
        _check_title(self.title)

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which times are shown."""
        return zone_named(self.time_zone)

    @property
    def shown_subject(self) -> str:
        """The subject as it may be shown publicly: of a path, its last part."""
        return Path(self.subject).name if is_path(self.subject) else self.subject

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases, in order."""
        return phases_of(self.rounds)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "ContestRules":
        """Read rules from a TOML file."""
        source = Path(path)
        check_there(source)
        return cls._of(toml_content(utf8_text(source), source), source.parent)

    @classmethod
    def from_toml(cls, text: str) -> "ContestRules":
        """Return the rules that a text states."""
        return cls._of(toml_content(text, Path("contest.toml")))

    @classmethod
    def _of(cls, content: dict[str, Any], beside: Path | None = None) -> "ContestRules":
        """Return the rules that a file states; a path in it is taken from its folder."""
        subject = content.get("subject")
        if beside is not None and isinstance(subject, str) and is_path(subject):
            content["subject"] = str(beside.resolve() / subject)
        if "weights" in content and isinstance(
            content.get("history", {}), dict
        ):  # of the columns of a history; people look for them at the top
            content.setdefault("history", {})["weights"] = content.pop("weights")
        check_type(content, cls)
        zone = zone_named(content.get("time_zone", cls.time_zone))
        parts: dict[str, Callable[[Any], Any]] = {
            "history": _history,
            "table": _table,
            "limits": lambda given: ContestLimits(**_positive(given, "limits.")),
            "schedule": lambda given: schedule_from(given, zone),
            "freeze": lambda given: {name: in_zone(at, zone) for name, at in given.items()},
            "rounds": tuple,
            "mail": lambda given: MailRules(**given),
        }
        return cls(**{name: parts[name](v) if name in parts else v for name, v in content.items()})

    def public_toml(self) -> str:
        """Return the rules as a file for the public.

        An address of a database may hold a password; paths and mail tell about the server.
        """
        return (
            replace(self, database="", mail=MailRules())
            .to_toml()
            .replace(self.subject, self.shown_subject)
        )

    def to_toml(self) -> str:
        """Return the rules as the text of their file, complete."""
        return tomli_w.dumps(
            {
                "title": self.title,
                "subject": self.subject,
                "rounds": list(self.rounds),
                "bound": self.bound,
                "time_zone": self.time_zone,
                **({"database": self.database} if self.database else {}),
                **({"approval": True} if self.approval else {}),
                **({"mail": vars(self.mail)} if self.mail.server else {}),
                "history": {
                    **{name: _worded(v) for name, v in vars(self.history).items()},
                    "weights": all_weights(self.history.weights),
                },
                **({"columns": dict(self.columns)} if self.columns else {}),
                **({"table": _listed(vars(self.table))} if self.subject == "table" else {}),
                **({"settings": dict(self.settings)} if self.settings else {}),
                **({"freeze": dict(self.freeze)} if self.freeze else {}),
                "limits": vars(self.limits),
                "schedule": {
                    str(phase): {k: v for k, v in vars(period).items() if v is not None}
                    for phase, period in self.schedule.items()
                },
            }
        )


def _check_title(title: str) -> None:
    """Refuse a title that a page or the subject of a mail cannot show."""
    if not title.strip() or not title.isprintable() or len(title) > _LONGEST_TITLE:
        raise SettingError(
            "contest: title must have 1 to {limit} characters that can be printed.",
            limit=_LONGEST_TITLE,
        )


def _table(given: Mapping[str, Any]) -> TableRules:
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    return TableRules(**settings)


def _history(given: Mapping[str, Any]) -> HistoryRules:
    """Return the rules for histories: chance and level exact, limits within theirs."""
    settings = dict(given)
    for name in {"chance", "level"} & set(settings):
        try:
            settings[name] = exact(settings[name])
        except SettingError:
            settings[name] = Fraction(0)
        if not 0 < settings[name] < 1:
            raise SettingError("contest: history.{name} must be above 0 and below 1.", name=name)
    _positive({name: value for name, value in settings.items() if type(value) is int}, "history.")
    return replace(PWSCUP_2018, **settings)


def _positive(given: Mapping[str, int], prefix: str) -> Mapping[str, int]:
    for name, value in given.items():
        least, most = 0 if name in _MAY_BE_ZERO else 1, _LARGEST.get(name, _LARGEST_COUNT)
        if not least <= value <= most:
            raise SettingError(
                "contest: {name} must be a whole number from {least} to {most}.",
                name=prefix + name,
                least=least,
                most=most,
            )
    return given


def _worded(value: object) -> object:
    return str(value) if isinstance(value, Fraction) else value


def _listed(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(v) if isinstance(v, tuple) else dict(v) for name, v in given.items()}
