"""What columns of codes and columns of numbers share. Missing and not-applicable stay apart."""

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from sudare.core.table.written import AnyWritten
from sudare.core.types import Array, Flags, Integers, Role, Scale

if TYPE_CHECKING:
    from sudare.core.table.categorical import Categorical
    from sudare.core.table.numeric import Numeric

MISSING = -1
NOT_APPLICABLE = -2

Label = object  # what the border read: text, whole numbers, dates, truth values


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
    written: AnyWritten | None = None

    def __post_init__(self) -> None:
        if self.copies is not None:
            object.__setattr__(self, "copies", frozen(self.copies, np.int64))
        if self.written is not None and self.written.rows != self.rows:
            object.__setattr__(self, "written", None)  # the texts are those of other records

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
        lost: Flags = self.missing & ~before.missing
        if not lost.any():
            return lost
        return lost & ~before.blank_text & ~(before.missing & ~self.missing).any()

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


def taken(values: Array | None, rows: Array) -> Array | None:
    """Return the entries of some rows, or None where there are none to take from."""
    return None if values is None else values[rows]


def frozen(values: Array, kind: type[np.generic]) -> Array:
    """Return values as a read-only array of one kind."""
    view = np.asarray(values, dtype=kind).view()
    view.flags.writeable = False
    return view
