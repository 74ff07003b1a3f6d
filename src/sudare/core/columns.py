"""Columns: integer codes with labels, or numbers. Missing and not-applicable stay apart."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from sudare.core.errors import ColumnError
from sudare.core.types import Array, Codes, Flags, Floats, Integers, Role, Scale

MISSING = -1
NOT_APPLICABLE = -2
_STRANGER = -3

Label = object  # what the border read: text, whole numbers, dates, truth values


@dataclass(frozen=True, eq=False, repr=False)
class Written:
    """The texts that a column had before the border read them as numbers or dates.

    Attributes
    ----------
    texts
        The distinct texts; opaque to everyone but the border.
    numbers
        The number of each text, NaN where it has none, shape (d,).
    absent
        Which texts are words for "not applicable", shape (d,).
    codes
        The text of each entry, ``MISSING`` where there was none, shape (rows,).
    typed
        Whether the source has types of its own, and a text for this column.
    """

    texts: object
    numbers: Floats
    absent: Flags
    codes: Codes
    typed: bool = False

    def take(self, rows: Array) -> "Written":
        """Return the texts of some entries, in the order given."""
        return replace(self, codes=self.codes[rows])

    def fits(self, numbers: Floats, absent: Flags) -> bool:
        """Return whether every entry still has the value that its text has."""
        own, has_text = np.append(self.numbers, np.nan)[self.codes], self.codes >= 0
        return (
            len(own) == len(numbers)
            and np.array_equal(own, numbers, equal_nan=True)
            and np.array_equal(self.absent[self.codes[has_text]], absent[has_text])
        )


@dataclass(frozen=True, eq=False, repr=False)
class Column(ABC):
    """What both kinds of column share.

    Attributes
    ----------
    storage
        How the border writes the column back; opaque to everyone else. A wish: when masked values
        no longer fit (a mean in a column of whole numbers), the border takes the nearest that does.
    absent_label
        The word for "not applicable" in files, if the data have one.
    copies
        How many records each entry represents, shape (rows,), in a table whose equal records were
        counted together; None where each is one record.
    written
        How the values were written, where the border had to read texts.
    """

    name: str
    _: KW_ONLY
    role: Role = "other"
    scale: Scale = "nominal"
    storage: object = None
    absent_label: str | None = None
    copies: Integers | None = None
    written: Written | None = None

    def __post_init__(self) -> None:
        if self.copies is not None:
            object.__setattr__(self, "copies", _frozen(self.copies, np.int64))

    @property
    @abstractmethod
    def rows(self) -> int:
        """Number of entries: of records, unless equal ones were counted together."""

    @property
    def records(self) -> int:
        """Number of records."""
        return self.rows if self.copies is None else int(self.copies.sum())

    @property
    @abstractmethod
    def missing(self) -> Flags:
        """Which records should have a value and have none."""

    @property
    @abstractmethod
    def not_applicable(self) -> Flags:
        """Which records cannot have a value."""

    @property
    @abstractmethod
    def coded(self) -> "Categorical":
        """The column as codes: itself, or one code per distinct number."""

    @property
    def numeric(self) -> "Numeric":
        """The column itself, where methods that take numbers have made sure that it holds them."""
        raise TypeError(type(self).__name__)

    @abstractmethod
    def take(self, rows: Array) -> Self:
        """Return the column of some records, in the order given."""

    @property
    def known(self) -> Flags:
        """Which records have a value."""
        return ~(self.missing | self.not_applicable)

    @property
    def blank_text(self) -> Flags:
        """Which records hold text of nothing but blanks, shape (rows,)."""
        return np.zeros(self.rows, np.bool_)

    def suppressed_since(self, before: "Column") -> Flags:
        """Return which values masking made missing, shape (rows,).

        None if values came where none were before: then blanks changed places, and nobody can tell
        which of them are the original's. Text of blanks only was not suppressed: writing and
        reading a file makes it missing, too.
        """
        lost: Flags = self.missing & ~before.missing & ~before.blank_text
        return lost & ~(before.missing & ~self.missing).any()

    @property
    def gaps(self) -> int:
        """Number of records whose value is missing."""
        return int(self.missing.sum() if self.copies is None else self.missing @ self.copies)

    @property
    @abstractmethod
    def empty(self) -> bool:
        """Whether no record has a value; most often the first one tells."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.name}' {self.role} {self.scale}, {self.rows} rows>"


@dataclass(frozen=True, eq=False, repr=False)
class Categorical(Column):
    """Codes 0…len(labels)-1, ``MISSING`` or ``NOT_APPLICABLE``, and what each code means.

    The order of the labels is the order of an ordinal variable; otherwise the border sorts them,
    so that codes never depend on record order.
    """

    codes: Array
    labels: tuple[Label, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "codes", _frozen(self.codes, np.int32))
        object.__setattr__(self, "labels", tuple(self.labels))

    @property
    def rows(self) -> int:
        """Number of entries."""
        return len(self.codes)

    @cached_property
    def missing(self) -> Flags:
        """Which records should have a value and have none."""
        missing: Flags = self.codes == MISSING
        return missing

    @cached_property
    def not_applicable(self) -> Flags:
        """Which records cannot have a value."""
        not_applicable: Flags = self.codes == NOT_APPLICABLE
        return not_applicable

    @property
    def known(self) -> Flags:
        """Which records have a value."""
        known: Flags = self.codes >= 0
        return known

    @property
    def empty(self) -> bool:
        """Whether no record has a value."""
        return bool((self.codes[:1] < 0).all() and (self.codes < 0).all())

    @property
    def coded(self) -> "Categorical":
        """The column itself."""
        return self

    @property
    def blank_text(self) -> Flags:
        """Which records hold text of nothing but blanks, shape (rows,)."""
        blank = [code for code, label in enumerate(self.labels) if not str(label).strip()]
        flags: Flags = np.isin(self.codes, blank)
        return flags

    def take(self, rows: Array) -> Self:
        """Return the column of some records, in the order given."""
        return replace(
            self,
            codes=self.codes[rows],
            copies=_taken(self.copies, rows),
            written=None if self.written is None else self.written.take(rows),
        )

    def labels_that_occur(self) -> tuple[Label, ...]:
        """Return the labels that at least one record has."""
        codes = np.unique(self.codes)
        return tuple(self.labels[code] for code in codes if code >= 0)

    def codes_in(self, labels: tuple[Label, ...]) -> Codes:
        """Return the codes on another list of labels, as a plan learnt them.

        Raises
        ------
        ColumnError
            If a label that occurs is not on the list.
        """
        if labels == self.labels:
            return self.codes
        codes: Codes = label_codes(self.labels, labels, _STRANGER)[self.codes]
        strangers = len(np.unique(self.codes[codes == _STRANGER]))
        if strangers:
            raise ColumnError(
                "column '{column}' has {count} {count:category|categories} that did not occur "
                "when the method was fitted; fit it again on these data.",
                column=self.name,
                count=strangers,
            )
        return codes


@dataclass(frozen=True, eq=False, repr=False)
class Numeric(Column):
    """Numbers; a record without one is NaN, and ``absent`` says which of these cannot have one."""

    values: Array
    _: KW_ONLY
    absent: Flags | None = None
    scale: Scale = "ratio"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "values", _frozen(self.values, np.float64))
        infinite = np.isinf(self.values)
        if infinite.any():
            raise ColumnError(
                "column '{column}' has {count} infinite {count:number|numbers}; make them "
                "missing or top-code them before reading.",
                column=self.name,
                count=int(infinite.sum()),
            )
        if self.absent is not None:
            object.__setattr__(self, "absent", _frozen(self.absent, np.bool_))

    @property
    def rows(self) -> int:
        """Number of entries."""
        return len(self.values)

    @cached_property
    def missing(self) -> Flags:
        """Which records should have a value and have none."""
        empty: Flags = np.isnan(self.values)
        return empty if self.absent is None else empty & ~self.absent

    @property
    def not_applicable(self) -> Flags:
        """Which records cannot have a value."""
        return np.zeros(self.rows, np.bool_) if self.absent is None else self.absent

    @property
    def known(self) -> Flags:
        """Which records have a value."""
        return ~np.isnan(self.values)

    @property
    def empty(self) -> bool:
        """Whether no record has a value."""
        return bool(np.isnan(self.values[:1]).all() and np.isnan(self.values).all())

    @property
    def numeric(self) -> "Numeric":
        """The column itself."""
        return self

    @cached_property
    def coded(self) -> Categorical:
        """One code per distinct number, in ascending order."""
        levels, positions = distinct(self.values[self.known])
        codes = np.full(self.rows, MISSING, np.int32)
        codes[self.known] = positions
        codes[self.not_applicable] = NOT_APPLICABLE
        whole = bool((levels == np.rint(levels)).all() and (np.abs(levels) < 2**53).all())
        return Categorical(
            self.name,
            codes,
            tuple(levels.astype(np.int64).tolist() if whole else levels.tolist()),
            role=self.role,
            scale="ordinal",
            storage=self.storage,
            absent_label=self.absent_label,
            copies=self.copies,
            written=self.written,
        )

    def take(self, rows: Array) -> Self:
        """Return the column of some records, in the order given."""
        return replace(
            self,
            values=self.values[rows],
            absent=_taken(self.absent, rows),
            copies=_taken(self.copies, rows),
            written=None if self.written is None else self.written.take(rows),
        )


def label_codes(
    labels: Iterable[Label], onto: Sequence[Label], otherwise: int | None = None
) -> Codes:
    """Return the code that each label has on another list, by which codes are moved there.

    Codes -2 and -1, for what is absent, index the last two entries, shape (labels + 2,).

    Parameters
    ----------
    labels
        Labels in the order of their codes.
    onto
        The other list.
    otherwise
        The code of labels that are not on it; by default they are numbered behind it.

    Examples
    --------
    >>> label_codes(("b", "c"), ("a", "b")).tolist()
    [1, 2, -2, -1]
    """
    given = tuple(labels)
    code_of = {label: code for code, label in enumerate(onto)}
    strangers = dict.fromkeys(label for label in given if label not in code_of)
    numbered = enumerate(strangers, len(onto))
    code_of |= {name: code if otherwise is None else otherwise for code, name in numbered}
    return np.array([code_of[label] for label in given] + [NOT_APPLICABLE, MISSING], np.int32)


def same_values(mine: Column, theirs: Column) -> bool:
    """Return whether two columns have the same values, as they would be written.

    Examples
    --------
    >>> ages = Numeric("age", np.array([31.0, 40.0]))
    >>> same_values(ages, ages.coded), same_values(ages, ages.take(np.array([1, 0])))
    (True, False)
    """
    if mine.rows != theirs.rows:
        return False
    if isinstance(mine, Numeric) and isinstance(theirs, Numeric):
        alike = np.array_equal(mine.values, theirs.values, equal_nan=True)
        return alike and np.array_equal(mine.not_applicable, theirs.not_applicable)
    one, other = mine.coded, theirs.coded
    labels = tuple(map(str, one.labels))
    moved = label_codes(map(str, other.labels), labels)[other.codes]
    return np.array_equal(label_codes(labels, labels)[one.codes], moved)


def distinct(values: Floats) -> tuple[Floats, Codes]:
    """Return the distinct numbers in ascending order and each record's position among them.

    Whole numbers of a narrow range are looked up in a table, everything else by sorting.

    Examples
    --------
    >>> levels, positions = distinct(np.array([5.0, 3.0, 5.0]))
    >>> levels.tolist(), positions.tolist()
    ([3.0, 5.0], [1, 0, 1])
    """
    if len(values):
        low, high = float(values.min()), float(values.max())
        if high - low < min(4 * len(values) + 256, 2**24) and (values == np.rint(values)).all():
            shifted = (values - low).astype(np.int32)
            seen = np.bincount(shifted) > 0
            position = (np.cumsum(seen) - 1).astype(np.int32)
            return np.flatnonzero(seen).astype(np.float64) + low, position[shifted]
    levels, codes = np.unique(values, return_inverse=True)
    return levels, codes.astype(np.int32)


def _taken(values: Array | None, rows: Array) -> Array | None:
    return None if values is None else values[rows]


def _frozen(values: Array, kind: type[np.generic]) -> Array:
    view = np.asarray(values, dtype=kind).view()
    view.flags.writeable = False
    return view
