"""Texts counted together: one pass surveys some columns and counts their combinations.

Where few combinations are possible, each has a counter. The survey follows from the counters, and
so does every count of these columns as they are in the file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Array, Integers, Sizes
from sudare.engine.large.group_counts import CountTask, Entries
from sudare.engine.large.memory_budget import MemoryBudget
from sudare.engine.large.survey import Blocks, Distinct, Gather, joined

_MOST = 1 << 21  # counters
_MOST_LEVELS = 1 << 12  # of one column


class CombinedTexts:
    """How many records have each combination of the texts of some columns, so far.

    Attributes
    ----------
    names
        Of the columns.
    levels
        The texts of each column; null has the code after the last.
    counts
        By the codes of all columns, of dimension (columns,).
    """

    def __init__(self, fields: Sequence[pa.Field]) -> None:
        self.names = [field.name for field in fields]
        self.levels = [pa.array([], field.type) for field in fields]
        self.counts: Integers = np.zeros((1,) * len(fields), np.int64)

    def add(self, block: pa.Table, copies: Integers | None = None) -> bool:
        """Count the records of a block; return whether all their texts had room."""
        codes = [self._codes(at, joined(block[name])) for at, name in enumerate(self.names)]
        if prod(map(self._size, range(len(codes)))) > _MOST:
            return False
        self._make_room()
        keys = np.zeros(block.num_rows, np.int32)
        for at, code in enumerate(codes):
            keys *= np.int32(self._size(at))
            keys += code
        ones = np.ones(len(keys), np.int64) if copies is None else copies
        np.add.at(self.counts.reshape(-1), keys, ones)
        return True

    def _size(self, at: int) -> int:
        """Return the number of codes of a column, or more than there may be."""
        return len(self.levels[at]) + 1 if len(self.levels[at]) <= _MOST_LEVELS else _MOST + 1

    def _codes(self, at: int, values: pa.Array) -> Array:
        """Return the codes of texts; new ones are noted."""
        coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
        own, levels = coded.indices, coded.dictionary.cast(self.levels[at].type)
        if not levels.equals(self.levels[at]):
            is_new = pc.invert(pc.is_in(levels, value_set=self.levels[at]))
            self.levels[at] = pa.concat_arrays([self.levels[at], levels.filter(is_new)])
            own = pc.index_in(levels, value_set=self.levels[at]).take(own)
        if own.null_count:
            own = own.fill_null(len(self.levels[at]))
        return own.to_numpy()

    def _make_room(self) -> None:
        """Have a counter for each combination of the texts noted."""
        shape = tuple(len(levels) + 1 for levels in self.levels)
        if shape != self.counts.shape:
            before, self.counts = self.counts, np.zeros(shape, np.int64)
            kept = [
                [*range(old - 1), new - 1] for old, new in zip(before.shape, shape, strict=True)
            ]
            self.counts[np.ix_(*kept)] = before

    def table(self) -> tuple[pa.Table, Integers]:
        """Return each combination once, and how many records have it."""
        used = np.nonzero(self.counts)
        columns = [
            pa.DictionaryArray.from_arrays(
                pa.array(codes.astype(np.int32), mask=codes == len(levels)), levels
            )
            for codes, levels in zip(used, self.levels, strict=True)
        ]
        return pa.table(columns, self.names), self.counts[used]

    def distinct(self, most: int) -> list[Distinct]:
        """Return the distinct texts of each column."""
        surveys = []
        for at, levels in enumerate(self.levels):
            others = tuple(axis for axis in range(self.counts.ndim) if axis != at)
            totals = self.counts.sum(axis=others)
            surveys.append(Distinct(nulls=int(totals[-1]), most=most))
            surveys[-1].add(levels, totals[:-1])
        return surveys

    def counted(self, task: CountTask, budget: MemoryBudget) -> Entries:
        """Return the keys of all records, each once, with their counts."""
        keys, counts = self._counted(task)
        most = budget.entries(len(task.packing.digits))
        task.check(int(counts.sum()), most, lambda: float(len(counts)))
        return keys, counts, None

    def sizes(self, task: CountTask, budget: MemoryBudget) -> Sizes:
        """Return the sizes of the groups of equal records, and how many groups have each."""
        return np.unique_counts(self._counted(task)[1])

    def _counted(self, task: CountTask) -> tuple[list[Integers], Integers]:
        table, copies = self.table()
        keys = task.key_arrays(0, table)
        order = np.lexsort(keys[::-1])
        changed = [key[order][1:] != key[order][:-1] for key in keys]
        starts = np.concatenate([[0], np.flatnonzero(np.any(changed, axis=0)) + 1])
        return [key[order][starts] for key in keys], np.add.reduceat(copies[order], starts)


@dataclass(frozen=True)
class CombinationTask:
    """Counts the texts of some columns together."""

    fields: tuple[pa.Field, ...]

    def __call__(self, blocks: Blocks) -> CombinedTexts | None:
        """Return the combinations in some blocks; None where too many are possible."""
        combined = CombinedTexts(self.fields)
        return combined if all(combined.add(block) for _, block in blocks) else None


def combined_texts(fields: Sequence[pa.Field], gather: Gather) -> CombinedTexts | None:
    """Return the combinations of the texts of some columns; None where too many are possible."""
    if len(fields) >= _MOST.bit_length():  # each with a text and null: too many, and for NumPy, too
        return None
    combined = CombinedTexts(fields)
    for part in gather(CombinationTask(tuple(fields)), combined.names):
        if part is None or not combined.add(*part.table()):
            return None
    return combined
