"""What the gate finds in a table before its release, and what a person has accepted of it.

A finding names columns and counts, never a value.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, get_args, overload

from sudare.core import Message, SettingError, say, unknown_name

Severity = Literal["stop", "repaired", "note"]
FindingKind = Literal[
    "undeclared-identifier",
    "undeclared-key",
    "twin",
    "nothing-masked",
    "ineffective",
    "broken-promise",
    "order",
    "household-numbers",
    "outside-keys",
    "weights",
    "exact-numbers",
    "absence",
    "free-text",
    "headings",
    "guessable-seed",
    "precise-parameters",
    "recipe-values",
    "metadata",
    "formulas",
    "suppressed-blanks",
    "not-checked",
]
KINDS: tuple[FindingKind, ...] = get_args(FindingKind)


class Named(Protocol):
    """What has the name of a finding: its kind, and the columns it may be about."""

    @property
    def kind(self) -> str:
        """The kind of finding."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns."""


class Confirmed(Named, Protocol):
    """What a person has accepted."""

    @property
    def most_records(self) -> int | None:
        """How many records it may concern; None for any number."""


@dataclass(frozen=True)
class Finding:
    """Something that the custodian must know about a table before its release.

    Attributes
    ----------
    kind
        A word for programs, by which it is confirmed.
    columns
        The columns it is about. Of a twin, those that tell come before those that they tell.
    count
        Number of records concerned; 0 where it is about the table as a whole.
    severity
        "stop" (not released until confirmed), "repaired" (the release differs from the masked
        table so that it is no longer so) or "note".
    detail, remedy
        What is so, and what to do about it; read as text, a sentence in the current language.
    confirmed
        Whether a person has accepted it.
    """

    kind: FindingKind
    columns: tuple[str, ...]
    count: int
    severity: Severity
    detail: Message
    remedy: Message
    confirmed: bool = False

    @property
    def title(self) -> str:
        """What its kind is called in the current language."""
        return kind_title(self.kind)

    @property
    def stops(self) -> bool:
        """Whether nothing may be released because of it."""
        return self.severity == "stop" and not self.confirmed

    @property
    def name(self) -> str:
        """By what it is accepted: its kind, and its columns."""
        return f"{self.kind}:{','.join(self.columns)}" if self.columns else self.kind

    @property
    def is_acceptable(self) -> bool:
        """Whether a person can accept it; not where everybody could undo the masking."""
        return self.kind != "guessable-seed"

    @property
    def confirmation(self) -> str:
        """What is written on the command line to accept it."""
        return f"--confirm {shlex.quote(self.name)}"

    def is_covered_by(self, other: Named) -> bool:
        """Return whether another name covers it: its kind, and all of its columns.

        Of twins the first column reveals the others, and it must be the same: that a region
        reveals a code is another finding than that the code reveals the region.
        """
        same = self.kind == other.kind and set(self.columns) <= set(other.columns)
        if self.kind == "twin":
            same &= tuple(self.columns[:1]) == tuple(other.columns[:1])
        return same

    def accepted_by(self, confirmed: Confirmed) -> bool:
        """Return whether a confirmation covers it, and no fewer records than it concerns.

        How many records a finding without a number concerns is not known: a confirmation of some
        records does not cover it.
        """
        most = confirmed.most_records
        few_enough = most is None or 0 < self.count <= most
        return few_enough and self.is_acceptable and self.is_covered_by(confirmed)

    def told(self) -> "Finding":
        """Return what the public may know of it: no number, since single records may show in it."""
        hidden = Message("The numbers are in the internal edition: single records may show.")
        return replace(self, count=0, detail=without_numbers(self.detail) or hidden)

    def as_dict(self) -> dict[str, Any]:
        """Return what a program reads."""
        return {
            "kind": self.kind,
            "columns": list(self.columns),
            "count": self.count,
            "severity": self.severity,
            "detail": str(self.detail),
            "remedy": str(self.remedy),
            "confirmed": self.confirmed,
        }

    def __str__(self) -> str:
        return str(self.detail)


class Findings(Sequence[Finding]):
    """All findings of a release, in the order of their kinds.

    Examples
    --------
    >>> findings = Findings()
    >>> findings.stops, len(findings)
    ((), 0)
    """

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        rank = {kind: position for position, kind in enumerate(KINDS)}
        self._findings = tuple(sorted(findings, key=lambda finding: rank[finding.kind]))

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Finding]: ...

    def __getitem__(self, index: int | slice) -> Finding | Sequence[Finding]:
        """Return one finding, or some."""
        return self._findings[index]

    def __len__(self) -> int:
        return len(self._findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    def __add__(self, more: Iterable[Finding]) -> "Findings":
        return Findings((*self, *more))

    @property
    def stops(self) -> tuple[Finding, ...]:
        """The findings for which nothing may be released."""
        return tuple(finding for finding in self if finding.stops)

    @property
    def repaired(self) -> tuple[Finding, ...]:
        """The findings that the release no longer has."""
        return tuple(finding for finding in self if finding.severity == "repaired")

    @property
    def confirmed(self) -> tuple[Finding, ...]:
        """The findings that a person has accepted."""
        return tuple(finding for finding in self if finding.confirmed)

    def of_kind(self, kind: FindingKind) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(finding for finding in self if finding.kind == kind)

    def confirmed_by(self, confirmations: Iterable[Confirmed]) -> "Findings":
        """Return the findings with those confirmed that a person has accepted.

        Raises
        ------
        SettingError
            If a confirmation names a kind that does not exist.
        """
        accepted = tuple(confirmations)
        for confirmation in accepted:
            if confirmation.kind not in KINDS:
                raise unknown_name("kind of finding", confirmation.kind, KINDS)
        return Findings(
            replace(finding, confirmed=finding.confirmed or any(map(finding.accepted_by, accepted)))
            if finding.severity == "stop"
            else finding
            for finding in self
        )

    def told(self) -> "Findings":
        """Return what the public may know of them."""
        return Findings(finding.told() for finding in self)

    def as_list(self) -> list[dict[str, Any]]:
        """Return what a program reads."""
        return [finding.as_dict() for finding in self]

    def __repr__(self) -> str:
        return f"<Findings: {len(self)}, {len(self.stops)} stop the release>"


def without_numbers(text: Message | None) -> Message | None:
    """Return a sentence that tells no number, or None."""
    return None if any(map(str.isdigit, str(text))) else text


def kind_title(kind: FindingKind) -> str:
    """Return what a kind of finding is called in the current language."""
    titles = {
        "undeclared-identifier": say("identifier not declared"),
        "undeclared-key": say("key not declared"),
        "twin": say("column that reveals a masked one"),
        "nothing-masked": say("nothing is masked"),
        "ineffective": say("mask that hides too little"),
        "broken-promise": say("promise that does not hold"),
        "order": say("order of the records"),
        "household-numbers": say("household numbers"),
        "outside-keys": say("numbers that other files share"),
        "weights": say("exact weights"),
        "exact-numbers": say("exact values that are unique"),
        "absence": say("blanks or removed records that tell a value"),
        "free-text": say("free text"),
        "headings": say("headings that may be a record"),
        "guessable-seed": say("seed that can be guessed"),
        "precise-parameters": say("parameters with too many digits"),
        "recipe-values": say("rare values that are named"),
        "metadata": say("metadata of the file"),
        "formulas": say("text that spreadsheets run"),
        "suppressed-blanks": say("suppressed and not applicable alike"),
        "not-checked": say("not checked"),
    }
    return titles[kind]


@dataclass(frozen=True)
class NamedConfirmation:
    """A confirmation as the command line states it: ``kind:column``, or ``kind:first,second``.

    Examples
    --------
    >>> NamedConfirmation.parse("twin:code,region")
    NamedConfirmation(kind='twin', columns=('code', 'region', 'code,region'))
    """

    kind: str
    columns: tuple[str, ...] = ()
    most_records: int | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> "NamedConfirmation":
        """Return a confirmation from its text; refuse a kind that does not exist."""
        kind, _, named = text.partition(":")
        if kind.strip() not in KINDS:
            raise unknown_name("kind of finding", kind.strip(), KINDS)
        if ":" in text and not named.strip():
            raise SettingError("write kind:column, for example twin:code,region.")
        columns = tuple(part.strip() for part in named.split(",") if part.strip())
        # A heading may itself hold a comma: the whole text is then a column, too.
        return cls(kind.strip(), (*columns, named.strip()) if len(columns) > 1 else columns)
