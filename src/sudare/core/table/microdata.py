"""Microdata: the table that every room works on. Never changed in place, never printed."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, Self, TypeVar, get_args

import numpy as np

from sudare.core.errors import ColumnError, InputError, SettingError, unknown_name
from sudare.core.fingerprints import fingerprint
from sudare.core.messages import say
from sudare.core.notebook import html_table
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.numeric import Numeric
from sudare.core.terms import role_word, scale_word
from sudare.core.types import Array, Floats, Integers, Role, Scale

ROLES: tuple[Role, ...] = get_args(Role)
SCALES: tuple[Scale, ...] = get_args(Scale)
_MOST_NAMED = 5  # records in a message
_UNSEEN = re.compile(r"[\s\u00ad\u115f\u1160\u200b-\u200f\u2060-\u2064\u2800\u3164\ufeff]*")
Given = TypeVar("Given")


class Origin(Protocol):
    """Where data came from, as the border remembers it, so that the same kind can go out."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the border had to guess or skip, in sentences."""

    @property
    def reading(self) -> Mapping[str, Any]:
        """What was said, and found out, about how to read them: as keywords of ``read``."""

    @property
    def path(self) -> str | None:
        """The file that they were read from; None if they come from a frame."""

    @property
    def is_shuffled(self) -> bool:
        """Whether they are a release whose records are not in the order of the original."""

    def build(self, data: "Microdata", kind: str | None) -> object:
        """Return the data as a frame of the kind that came in, or of another kind."""


@dataclass(frozen=True, eq=False, repr=False)
class Microdata:
    """A table of records: columns with a name, a role and a scale.

    Read one with :func:`sudare.read`; a masker returns another. ``repr`` shows names, roles and
    counts, never values.

    Attributes
    ----------
    record_numbers
        Which records of the original these are, from 0, where masking left some out; None where
        all are there, in their order. Secret: written nowhere.
    """

    columns: tuple[Column, ...]
    origin: Origin | None = None
    record_numbers: Integers | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            raise InputError("a table needs at least one column.")
        check_names(self.names)
        if len({column.rows for column in self.columns}) > 1:
            raise InputError("the columns differ in length.")
        for role in ("weight", "household"):
            named = self.with_role(role)
            if len(named) > 1:
                raise ColumnError(
                    "{count} columns have the role '{role}'; only one may have it.",
                    count=len(named),
                    role=role,
                )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the border had to guess or skip, in sentences."""
        return self.origin.notes if self.origin else ()

    @property
    def reading(self) -> Mapping[str, Any]:
        """How the table was read, as keywords of :func:`sudare.read`; no roles."""
        return self.origin.reading if self.origin else {}

    @property
    def is_shuffled(self) -> bool:
        """Whether it was read from a release, in which records have another order."""
        return self.origin is not None and self.origin.is_shuffled

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return dict(zip(self.names, self.columns, strict=True))

    @property
    def rows(self) -> int:
        """Number of entries: of records, unless equal ones were counted together."""
        return self.columns[0].rows

    @property
    def copies(self) -> Integers | None:
        """How many records each entry represents; None where each is one record."""
        return self.columns[0].copies

    @property
    def records(self) -> int:
        """Number of records."""
        return self.columns[0].records

    def total(self, values: Array) -> float:
        """Return the sum over all records of a number per entry, shape (rows,)."""
        return float(values.sum() if self.copies is None else values @ self.copies)

    def __getitem__(self, name: str) -> Column:
        """Return one column by its name."""
        try:
            return self._by_name[name]
        except (KeyError, TypeError):
            raise unknown_name("column", name, self.names) from None

    def span(self, name: str) -> Column:
        """Return one column with its smallest and largest number, if not more."""
        return self[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __len__(self) -> int:
        return self.rows

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Return the names of the columns that have a role."""
        return tuple(column.name for column in self.columns if column.role == role)

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the key columns: what an attacker may know."""
        return self.with_role("key")

    @property
    def sensitive(self) -> tuple[str, ...]:
        """Names of the sensitive columns: what an attacker wants to learn."""
        return self.with_role("sensitive")

    @cached_property
    def weights(self) -> Floats | None:
        """Sampling weights, if a column has that role."""
        named = self.with_role("weight")
        return check_weights(self[named[0]]) if named else None

    @property
    def counted(self) -> Array | None:
        """How many records each entry counts for: its copies, its weight, both, or (None) one."""
        return multiplied(self.copies, self.weights)

    def has_values(self, name: str) -> bool:
        """Return whether any record has a value in a column."""
        return not self[name].empty

    def weights_for(self, name: str) -> Floats | None:
        """Return the sampling weights of a column's entries: the same for all, in memory."""
        return self.weights

    def replacing(self, changed: Iterable[Column]) -> Self:
        """Return the table with some columns exchanged for others of the same name."""
        by_name = {column.name: column for column in changed}
        check_known("column", by_name, self.names)
        return replace(self, columns=tuple(by_name.get(c.name, c) for c in self.columns))

    def without(self, names: Iterable[str]) -> Self:
        """Return the table without some columns."""
        dropped = set(names)
        return replace(self, columns=tuple(c for c in self.columns if c.name not in dropped))

    def take(self, rows: Array) -> Self:
        """Return some records, in the order given."""
        numbers = None if self.record_numbers is None else self.record_numbers[rows]
        columns = tuple(column.take(rows) for column in self.columns)
        return replace(self, columns=columns, record_numbers=numbers)

    def keeping(self, rows: Integers) -> Self:
        """Return the table with some of its records only, and remember which they are."""
        return replace(self, record_numbers=self._numbers()).take(rows)

    def still_in(self, after: "Microdata") -> Self:
        """Return the records that a masked table still has, in the same order.

        The table itself where masking left none out, or where the other was not masked from it.
        """
        if after.record_numbers is None or after.record_numbers is self.record_numbers:
            return self
        own, wanted = self._numbers(), after.record_numbers
        order = np.argsort(own, kind="stable")
        places = np.searchsorted(own, wanted, sorter=order)
        there = places < len(own)
        if not there.all() or not np.array_equal(own[order[places]], wanted):
            return self
        return self.take(order[places])

    def _numbers(self) -> Integers:
        return np.arange(self.rows) if self.record_numbers is None else self.record_numbers

    def assigning(
        self, roles: Mapping[str, Role] | None = None, scales: Mapping[str, Scale] | None = None
    ) -> Self:
        """Return the table with other roles and scales for the columns named."""
        roles, scales = by_column("roles", roles), by_column("scales", scales)
        check_known("column", [*roles, *scales], self.names)
        check_words("role", roles, ROLES)
        check_words("scale", scales, SCALES)
        columns = (rescaled(column, scales.get(column.name)) for column in self.columns)
        assigned = tuple(replace(c, role=roles.get(c.name, c.role)) for c in columns)
        return replace(self, columns=assigned)

    def to_frame(self, kind: str | None = None) -> object:
        """Return a frame of the kind that came in, or of the kind named.

        Parameters
        ----------
        kind
            "pandas", "polars", "pyarrow" or "duckdb"; by default the kind that was read.
        """
        if self.origin is None:
            raise InputError(
                "these data did not come from a frame; use sudare.to_frame(data, kind)."
            )
        return self.origin.build(self, kind)

    def equals(self, other: Self) -> bool:
        """Return whether the other table has the same columns, roles, labels and values."""
        return self.names == other.names and all(
            _same(mine, theirs) for mine, theirs in zip(self.columns, other.columns, strict=True)
        )

    def fingerprint(self) -> str:
        """Return a digest of names, roles, scales and values; as secret as the data."""
        return fingerprint(part for column in self.columns for part in _contents(column))

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the columns, and no value."""
        rows = [
            {
                say("column"): column.name,
                say("role"): role_word(column.role),
                say("scale"): scale_word(column.scale),
                say("missing"): int(column.missing.sum()),
                say("not applicable"): int(column.not_applicable.sum()),
            }
            for column in self.columns
        ]
        return html_table(rows, caption=say("{count} {count:row|rows}", count=self.rows))

    def __repr__(self) -> str:
        roles = Counter(column.role for column in self.columns)
        parts = ", ".join(f"{roles[role]} {role}" for role in ROLES if roles[role])
        return f"<Microdata {self.rows} rows × {len(self.columns)} columns: {parts}>"


def visible_text(text: str) -> str:
    """Return text without blanks and other invisible characters at its ends."""
    start = _UNSEEN.match(text)
    rest = text[start.end() if start else 0 :]
    end = _UNSEEN.match(rest[::-1])
    return rest[: len(rest) - (end.end() if end else 0)]


def check_names(names: Iterable[str]) -> None:
    """Refuse names that occur more than once, and invisible names."""
    names = list(names)
    hidden = [number for number, name in enumerate(names, 1) if _UNSEEN.fullmatch(name)]
    if hidden:
        raise InputError(
            "{count:column|columns} {numbers} of the table {count:has a name|have names} without a "
            "visible character; rename {count:it|them} first.",
            count=len(hidden),
            numbers=", ".join(map(str, hidden)),
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            "{count} column {count:name occurs|names occur} more than once: {names}; rename "
            "them first, or state header_rows = 0 (--header-rows 0) if the first line is a record.",
            count=len(twice),
            names=", ".join(twice),
        )


def by_column(setting: str, given: Mapping[str, Given] | None) -> Mapping[str, Given]:
    """Return what is said by column, empty where nothing is; refuse what is no mapping."""
    if given is None or isinstance(given, Mapping):
        return given or {}
    raise SettingError(
        "{setting} must be given by column, as {example}, not as a {type}.",
        setting=setting,
        example="{'age': …}",
        type=type(given).__name__,
    )


def check_known(what: str, names: Iterable[str], known: Collection[str]) -> None:
    """Refuse names that do not exist."""
    for name in names:
        if name not in known:
            raise unknown_name(what, name, known)


def check_words(what: str, given: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Refuse a role or scale that does not exist."""
    for name, word in given.items():
        if word not in known:
            raise SettingError(
                "column '{column}': {what} must be one of {known}.",
                column=name,
                what=what,
                known=", ".join(known),
            )


def multiplied(copies: Integers | None, weights: Floats | None) -> Array | None:
    """Return what each entry counts for: its copies, its weight, both, or (for None) one."""
    if copies is None or weights is None:
        return weights if copies is None else copies
    return weights * copies


def check_weights(column: Column, first_row: int = 0) -> Floats:
    """Return the numbers of a weight column; refuse missing and negative ones.

    Records are named by their number in the table, of which the column begins at the first row.
    """
    if not isinstance(column, Numeric):
        raise ColumnError("weights must be numbers; column '{column}' is not.", column=column.name)
    blank = np.flatnonzero(np.isnan(column.values)) + first_row + 1
    if blank.size:
        raise ColumnError(
            "column '{column}': {count} {count:record has|records have} no weight "
            "({count:record|records} {records}); write one or remove the {count:record|records} in "
            "the file, or do without weights (no --weights, or the role 'other').",
            column=column.name,
            count=blank.size,
            records=", ".join(map(str, blank[:_MOST_NAMED])) + ", …" * (blank.size > _MOST_NAMED),
        )
    bad = int((column.values < 0).sum())
    if bad:
        raise ColumnError(
            "weights must be 0 or more; column '{column}' has {count} that {count:is|are} not.",
            column=column.name,
            count=bad,
        )
    return column.values


def rescaled(column: Column, scale: Scale | None) -> Column:
    """Return the column on another scale; numbers become codes when the scale is one of labels."""
    if scale is None:
        return column
    if scale in {"nominal", "ordinal"}:
        return replace(column.coded, scale=scale)
    if isinstance(column, Categorical):
        raise ColumnError(
            "column '{column}' holds categories, so its scale cannot be '{scale}'.",
            column=column.name,
            scale=scale,
        )
    return replace(column, scale=scale)


def _contents(column: Column) -> tuple[object, ...]:
    facts = (column.name, column.role, column.scale)
    if isinstance(column, Categorical):
        return (*facts, column.labels, column.codes)
    if isinstance(column, Numeric):
        return (*facts, column.values, column.not_applicable)
    return facts


def _same(mine: Column, theirs: Column) -> bool:
    if (mine.role, mine.scale) != (theirs.role, theirs.scale):
        return False
    if isinstance(mine, Categorical) and isinstance(theirs, Categorical):
        return mine.labels == theirs.labels and np.array_equal(mine.codes, theirs.codes)
    if isinstance(mine, Numeric) and isinstance(theirs, Numeric):
        return np.array_equal(mine.values, theirs.values, equal_nan=True) and np.array_equal(
            mine.not_applicable, theirs.not_applicable
        )
    return False
