"""Where the blocks of a large table come from: a file, a cluster, or two of them side by side."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from sudare.core import MismatchError, Sizes
from sudare.engine.large.group_counts import CountTask, Entries, GroupCounts
from sudare.engine.large.memory_budget import MemoryBudget
from sudare.engine.large.survey import Blocks

BESIDE = "\ue000"  # before the names of the second of two tables that are read side by side


class Source(ABC):
    """Where the raw columns of a large table are."""

    @property
    @abstractmethod
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""

    @property
    @abstractmethod
    def records(self) -> int:
        """Number of records."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the border had to guess or skip, in sentences."""
        return ()

    @abstractmethod
    def gathered(self, work: Callable[[Blocks], Any], names: Sequence[str]) -> list[Any]:
        """Run work over every part of some columns and return what each part gave.

        Work takes blocks, each with the number of its first record, can be pickled, and may run
        at several places at once.
        """

    @abstractmethod
    def blocks(self, names: Sequence[str]) -> Blocks:
        """Yield some columns in blocks, in their order, with the number of each first record."""

    def counted(self, task: CountTask, budget: MemoryBudget) -> Entries:
        """Return the keys of all records, each once, with their counts and summed weights."""
        return self.groups(task, budget).entries(self.records)

    def sizes(self, task: CountTask, budget: MemoryBudget) -> Sizes:
        """Return the sizes of the groups of equal records, and how many groups have each."""
        return self.groups(task, budget).sizes(self.records)

    def groups(self, task: CountTask, budget: MemoryBudget) -> GroupCounts:
        """Return what counts the records of all blocks."""
        return GroupCounts(task, partial(self.blocks, task.needed), budget)

    def beside(self, other: "Source") -> "Source":
        """Return both sources as one; names of the other's columns begin with ``BESIDE``."""
        raise MismatchError(
            "these two large tables cannot be read side by side; mask one of them to get the "
            "other, or measure samples."
        )
