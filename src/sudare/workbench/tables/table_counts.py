"""What the screens know of a table: its counts, and its columns as codes."""

import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from sudare.core import Column, Language, Microdata, Numeric, TooLargeError, language
from sudare.describe import Cards, Problem, Proposal
from sudare.engine.counting import Groups, groups

_REMEMBERED = 60  # results that are kept, each at most as large as the columns it counts
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Description:
    """What is shown about the columns in one language: proposals, problems, and a card for each.

    Attributes
    ----------
    notes
        What had to be guessed while the table was read.
    cards, unlocked_cards
        With counts below ten hidden, and with all counts.
    """

    notes: tuple[str, ...]
    proposals: tuple[Proposal, ...]
    problems: tuple[Problem, ...]
    cards: Cards
    unlocked_cards: Cards


@dataclass(frozen=True, eq=False, repr=False)
class TableCounts:
    """A table as the screens need it.

    Attributes
    ----------
    records
        Number of records.
    head
        The columns without any record: names, scales, and which hold numbers.
    table
        All columns; None where they do not fit in memory.
    entries
        Equal combinations of the columns that may be keys, once each, their number in ``copies``.
    descriptions
        By language.
    sampled
        Number of records that the descriptions were made from, if not all.
    """

    records: int
    head: Microdata
    table: Microdata | None
    entries: Microdata
    descriptions: Mapping[Language, Description]
    sampled: int | None = None
    _results: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def description(self) -> Description:
        """What is shown about the columns in the language of the reader."""
        return self.descriptions[language()]

    def counted(self, names: Sequence[str]) -> Microdata:
        """Return equal combinations of some columns once, their number in ``copies``.

        A weight column that is there comes along, with the mean weight of the records.
        """
        wanted = tuple(sorted(names))
        return self.remembered(("counted", wanted), lambda: combined(self.holding(wanted), wanted))

    def remembered(self, about: Hashable, make: Callable[[], Result]) -> Result:
        """Return what was computed of the table before, or compute it and remember it a while."""
        with self._lock:
            if about in self._results:
                self._results.move_to_end(about)
                return self._results[about]
        made = make()
        with self._lock:
            self._results[about] = made
            while len(self._results) > _REMEMBERED:
                self._results.popitem(last=False)
        return made

    def column(self, name: str) -> Column:
        """Return a column by its distinct values, with copies."""
        return self.counted([name])[name]

    def holding(self, names: Sequence[str]) -> Microdata:
        """Return the smallest table available that has some columns, records counted or not."""
        if all(name in self.entries for name in names):
            return self.entries
        if self.table is None:
            raise TooLargeError(
                "the table is too large to count these columns at once; it is counted again with "
                "its present keys."
            )
        return self.table

    def save(self, path: Path) -> None:
        """Write what another process is to load."""
        parts = (self.records, self.head, self.table, self.entries, self.descriptions, self.sampled)
        with path.open("xb") as file:
            pickle.dump(parts, file, protocol=5)

    @classmethod
    def load(cls, path: Path) -> "TableCounts":
        """Return what a job of this server has just written into its private folder."""
        with path.open("rb") as file:
            return cls(*pickle.load(file))  # noqa: S301


def combined(table: Microdata, names: Sequence[str]) -> Microdata:
    """Return some columns of a table with equal records once, their number in ``copies``.

    Examples
    --------
    >>> import sudare
    >>> entries = combined(sudare.datasets.toy(), ["sex"])
    >>> entries.rows, entries.records
    (2, 400)
    """
    columns = [table[name] for name in names]
    kinds = groups(columns)
    taken = tuple(replace(column.take(kinds.example), copies=kinds.sizes) for column in columns)
    weighed = _mean_weights(table, kinds) if not set(names) & set(table.with_role("weight")) else ()
    return Microdata((*taken, *weighed))


def _mean_weights(table: Microdata, kinds: Groups) -> tuple[Column, ...]:
    weights = table.weights
    if weights is None:
        return ()
    (name,) = table.with_role("weight")
    means = kinds.sums(np.asarray(weights)) / kinds.sizes
    return (Numeric(name, values=means, role="weight", scale="ratio", copies=kinds.sizes),)
