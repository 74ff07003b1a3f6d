"""Large tables: data that are not in memory, and what methods may ask of them.

A large table counts, sums and carries blocks of records; it never holds statistics. A masker that
works on rows learns from an :class:`Outline`, in which each column is by itself.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakKeyDictionary

from sudare.core.draws import Draws, Seed
from sudare.core.errors import TooLargeError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.microdata import Microdata
from sudare.core.table.moments import Moments
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats, Integers, Role, Scale

if TYPE_CHECKING:
    from sudare.core.methods import Plan

BlockResult = TypeVar("BlockResult")
Sizes = tuple[Integers, Integers]  # of groups, ascending, and how many groups have each
Counts = dict[frozenset[str], tuple[Microdata, ...]]  # by columns
MOST_VALUES = 1_000_000  # distinct values of a column that are counted one by one


class Parting(ABC):
    """How records are divided into parts that are masked by themselves, in memory. Can be sent.

    Attributes
    ----------
    columns
        The columns that change.
    """

    columns: tuple[str, ...]

    @abstractmethod
    def part_of(self, block: Microdata) -> Integers:
        """Return the part of each record, from 0, shape (n,)."""

    @abstractmethod
    def mask(self, part: Microdata) -> tuple[Microdata, Any]:
        """Return all records of a part masked, and what the masker wants to know of them."""


class LargeTable(ABC):
    """A table that is not in memory: a file, or a frame on a cluster.

    ``repr`` shows names, roles and counts, never values.

    Attributes
    ----------
    reading
        How the table was read, as keywords of :func:`sudare.open`; no roles.
    is_shuffled
        Whether it was read from a release, in which records have another order.
    """

    reading: Mapping[str, Any] = MappingProxyType({})
    is_shuffled: bool = False

    @property
    @abstractmethod
    def head(self) -> Microdata:
        """The columns without any record: names, roles, scales, and which hold numbers."""

    @property
    @abstractmethod
    def is_masked(self) -> bool:
        """Whether a plan made it of another table; not where it was read masked."""

    @property
    def relabelled(self) -> Mapping[str, "LargeTable"]:
        """The columns that may list labels which no record has any more, and the table before."""
        return {}

    @property
    @abstractmethod
    def records(self) -> int:
        """Number of records."""

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """What the border had to guess or skip, in sentences."""

    @abstractmethod
    def outlined(self, name: str) -> Column:
        """Return one column by its distinct values, in the order of the codes, with copies.

        Labels are those of the whole table. Numbers with too many distinct values come as
        :class:`Extremes`.
        """

    def has_values(self, name: str) -> bool:
        """Return whether any record has a value in a column."""
        return not self.outlined(name).empty

    def span(self, name: str) -> Column:
        """Return a column with its smallest and largest number, if not more; see ``outlined``."""
        return self.outlined(name)

    def group_sizes(self, groupings: Sequence[Sequence[str]]) -> list[Sizes] | None:
        """Return the sizes of the groups of equal records, and how many groups have each.

        Of several groupings, each by some columns. None where the table does not count them by
        itself, but must be ``counted``.
        """
        return None

    @abstractmethod
    def mean_weights(self, name: str) -> Floats | None:
        """Return the mean weight of the records behind each entry of ``outlined(name)``."""

    @abstractmethod
    def moments(self, names: Sequence[str], *, weighted: bool = False) -> Moments:
        """Return the moments of some columns over the records that have all of them.

        To the last digit those of the same table in memory. Where ``weighted``, sampling weights
        count if there are any.
        """

    @abstractmethod
    def contents(self, draws: Draws) -> str:
        """Return what it holds in a line; see :func:`sudare.core.contents`."""

    @abstractmethod
    def counted(self, names: Sequence[str]) -> Microdata:
        """Return some columns with equal records once, their number in ``copies``.

        Entries are in the order of their codes. Where the table has sampling weights, the
        weight column is there too, with the mean weight of the records behind an entry.
        """

    @abstractmethod
    def counted_with(
        self, after: Self, names: Sequence[str], after_names: Sequence[str] | None = None
    ) -> tuple[Microdata, Microdata]:
        """Return some columns of this table and of a masked one, equal pairs of records once.

        Both tables have one entry per pair, in the same order, and the same ``copies``; weights
        are those of this table. Columns of the masked table are the same ones unless named.
        """

    @abstractmethod
    def in_blocks(
        self, names: Sequence[str], work: Callable[[Microdata], BlockResult]
    ) -> Iterable[BlockResult]:
        """Yield what some work finds in each block of records, in any order.

        The work has some columns and the weights, is done where the block is, and returns something
        small; it and what it returns can be pickled.
        """

    @abstractmethod
    def in_blocks_with(
        self, after: Self, names: Sequence[str], work: Callable[[Microdata, Microdata], BlockResult]
    ) -> Iterable[BlockResult]:
        """Yield the same for blocks of this table and of a masked one, side by side."""

    @abstractmethod
    def unchanged_in(self, after: Self, names: Sequence[str]) -> bool:
        """Return whether a masked table has the values of this one; stops where it has not."""

    @abstractmethod
    def filtered(self, keep: Callable[[Microdata], Integers]) -> tuple[Integers, Microdata]:
        """Return the records that remain where only some of those seen so far are kept.

        Parameters
        ----------
        keep
            Says which of some records remain; can be pickled. What remains of all must not depend
            on what was left out before.

        Returns
        -------
        rows, data
            The numbers of the records, ascending, and the records.
        """

    @abstractmethod
    def transformed(self, plan: "Plan", draws: Draws, *, random: bool = True) -> Self:
        """Return the table masked by a plan, block by block and not before it is read.

        Where the masker is not ``random``, a plan that masks each column by itself takes equal
        values to equal ones.
        """

    def in_parts(self, parting: Parting, names: Sequence[str]) -> "tuple[Plan, list[Any]]":
        """Mask every part by itself, with some columns at hand.

        Returns
        -------
        plan, summaries
            What puts masked records in their places, and what the masker wants to know of each
            part.
        """
        raise TooLargeError("tables of this kind cannot be masked in parts; use a sample.")

    @abstractmethod
    def without(self, names: Iterable[str]) -> Self:
        """Return the table without some columns."""

    @abstractmethod
    def assigning(
        self,
        roles: Mapping[str, Role] | None = None,
        scales: Mapping[str, Scale] | None = None,
    ) -> Self:
        """Return the table with other roles and scales for the columns named."""

    @abstractmethod
    def sample(self, rows: int, *, seed: Seed = None) -> Microdata:
        """Return a simple random sample of records, in their order, in memory."""

    @abstractmethod
    def to_frame(self, kind: str | None = None) -> object:
        """Return a frame of the kind that came in, or of the kind named."""

    @cached_property
    def counts(self) -> Counts:
        """What was counted of the table and is small, for later use."""
        return {}

    @cached_property
    def counts_with(self) -> WeakKeyDictionary["LargeTable", Counts]:
        """The same, of the table and another side by side."""
        return WeakKeyDictionary()

    @cached_property
    def sizes(self) -> dict[frozenset[str], Sizes]:
        """The sizes of groups that were counted, by columns."""
        return {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return self.head.names

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns without any record."""
        return self.head.columns

    def __contains__(self, name: str) -> bool:
        return name in self.head

    def __len__(self) -> int:
        return self.records

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Return the names of the columns that have a role."""
        return self.head.with_role(role)

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the key columns: what an attacker may know."""
        return self.head.keys

    @property
    def sensitive(self) -> tuple[str, ...]:
        """Names of the sensitive columns: what an attacker wants to learn."""
        return self.head.sensitive

    def outline(self) -> "Outline":
        """Return the table as row-wise methods learn from it."""
        return Outline(self.head.columns, table=self)

    def __repr__(self) -> str:
        shown = repr(self.head).removeprefix("<Microdata 0 rows")
        return f"<{type(self).__name__} {self.records} rows{shown}"


@dataclass(frozen=True, eq=False, repr=False)
class Outline(Microdata):
    """A large table as methods learn from it that mask each record by itself.

    ``outline[name]`` has the distinct values of a column with their number; entries of different
    columns do not belong together. Columns are counted when they are asked for.
    """

    _: KW_ONLY
    table: LargeTable

    def __getitem__(self, name: str) -> Column:
        """Return one column by its distinct values, with copies."""
        return self.table.outlined(name) if name in self else super().__getitem__(name)

    @property
    def records(self) -> int:
        """Number of records."""
        return self.table.records

    def has_values(self, name: str) -> bool:
        """Return whether any record has a value in a column."""
        return self.table.has_values(name)

    def span(self, name: str) -> Column:
        """Return one column with its smallest and largest number, if not more."""
        return self.table.span(name)

    def weights_for(self, name: str) -> Floats | None:
        """Return the mean sampling weight of each entry of a column, if there are weights."""
        return self.table.mean_weights(name)


def not_counted(data: Microdata, name: str) -> Column:
    """Return a column as far as it is known without counting: what it is, at least."""
    return Microdata.__getitem__(data, name)


@dataclass(frozen=True, eq=False, repr=False)
class Extremes(Numeric):
    """The smallest and the largest number of a column with too many to be counted one by one.

    An entry without a number follows where records lack one. Bounds can be taken from it; what
    would need every value is refused.
    """

    @property
    def coded(self) -> Categorical:
        """Refused: there are too many values."""
        raise TooLargeError(
            "column '{column}' of this large table has too many distinct values for the memory "
            "allowed, or more than {limit}; round or group it first, give bounds in place of "
            "shares, allow more memory, or work on a sample.",
            column=self.name,
            limit=MOST_VALUES,
        )
