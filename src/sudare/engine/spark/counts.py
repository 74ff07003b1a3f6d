"""What Spark counts by itself: distinct values, equal records, and keys that executors counted.

Counting is what Spark is made for, so raw columns are counted there and only what is distinct
comes here. Masked records are first counted on the executors, partition by partition.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from sudare.core import MOST_VALUES, Sizes
from sudare.engine.counting import Threads
from sudare.engine.large import CountTask, Distinct, Entries, MemoryBudget
from sudare.engine.spark.rows import Block, NumberedFrame, answered, quoted

TaskResult = TypeVar("TaskResult")
FIRST = 1000  # records that are looked at before columns are counted
_AT_ONCE = 4  # jobs at the same time
_COUNT = "__sudare_count"


def distinct_values(
    rows: NumberedFrame, fields: Sequence[pa.Field], first: Sequence[Any] = ()
) -> list[Distinct]:
    """Return the distinct values of each column with their number, unless they are too many.

    Where some first records are known, only columns that vary among these are suspected.
    """
    varied = [f.name for f in fields if len({row[f.name] for row in first}) >= len(first) // 2]
    many = _surely_many(rows, varied)

    def of(raw_field: pa.Field) -> Distinct:
        none = [(pa.array([], raw_field.type), np.zeros(0, np.int64))]
        if raw_field.name in many:
            return Distinct(none, is_many=True)
        counted = _counts(rows.frame, [raw_field.name]).limit(MOST_VALUES + 2)
        table = answered(counted.toArrow).combine_chunks()
        if table.num_rows > MOST_VALUES + 1:
            return Distinct(none, is_many=True)
        values, counts = (_array(table.column(name)) for name in (raw_field.name, _COUNT))
        known = np.asarray(values.is_valid())
        numbers = counts.to_numpy()
        return Distinct([(values.drop_null(), numbers[known])], nulls=int(numbers[~known].sum()))

    return at_once([partial(of, raw_field) for raw_field in fields])


def at_once(tasks: Sequence[Callable[[], TaskResult]]) -> list[TaskResult]:
    """Have Spark do several things at the same time, so that none waits for the end of another."""
    if len(tasks) == 1:
        return [tasks[0]()]
    with Threads(_AT_ONCE) as pool:
        return list(pool.map(lambda task: task(), tasks))


def _surely_many(rows: NumberedFrame, names: Sequence[str]) -> set[str]:
    """Return the columns that have far more distinct values than can be counted one by one."""
    from pyspark.sql import functions

    if not names or rows.numbering.records <= MOST_VALUES:
        return set()
    guesses = [functions.approx_count_distinct(quoted(name)) for name in names]
    estimates = answered(rows.frame.agg(*guesses).collect)[0]
    return {
        name for name, estimate in zip(names, estimates, strict=True) if estimate > 2 * MOST_VALUES
    }


def has_numbers(frame: Any, raw_field: pa.Field, first: Sequence[Any] = ()) -> bool:
    """Return whether any record has a number in a column; most often the first ones tell."""
    if any(
        row[raw_field.name] is not None and row[raw_field.name] == row[raw_field.name]
        for row in first
    ):
        return True
    return not answered(frame.where(without_nan(raw_field).isNotNull()).isEmpty)


def raw_sizes(frame: Any, fields: Sequence[pa.Field]) -> Sizes:
    """Return the sizes of the groups of equal raw values, and how many groups have each."""
    keys = frame.select(
        *[without_nan(raw_field).alias(f"key{i}") for i, raw_field in enumerate(fields)]
    )
    return _sizes(_counts(keys, keys.columns))


def masked_sizes(rows: NumberedFrame, work: CountTask) -> Sizes:
    """Return the same of masked records."""
    return _sizes(_masked_counts(rows, work).withColumnRenamed("records", _COUNT))


def _sizes(counts: Any) -> Sizes:
    from pyspark.sql import functions

    grouped = counts.groupBy(_COUNT).agg(functions.count("*").alias("groups"))
    table = answered(grouped.toArrow).sort_by(_COUNT)
    return table.column(_COUNT).to_numpy(), table.column("groups").to_numpy()


def without_nan(raw_field: pa.Field) -> Any:
    """Return a column in which NaN is null, as it is missing for us."""
    from pyspark.sql import functions

    own = quoted(raw_field.name)
    return (
        functions.nanvl(own, functions.lit(None)) if pa.types.is_floating(raw_field.type) else own
    )


def counted_keys(rows: NumberedFrame, work: CountTask, budget: MemoryBudget) -> Entries:
    """Return the keys of all records, each once in their order, with counts and summed weights."""
    is_raw = work.weight is None and not any(chain.steps for chain in work.chains)
    frame = _counts(rows.frame, work.needed) if is_raw else _masked_counts(rows, work)
    work.check(
        rows.numbering.records,
        budget.entries(len(work.packing.digits)),
        lambda: answered(frame.count),
    )
    table = answered(frame.toArrow).combine_chunks()
    if is_raw:
        table = _keys_of(table, work)
    arrays = {name: _array(table.column(name)).to_numpy() for name in table.column_names}
    order = np.lexsort([arrays[word] for word in reversed(work.words)])
    words = [arrays[word][order] for word in work.words]
    weights = None if work.weight is None else arrays["weight"][order]
    return words, arrays["records"][order], weights


def _keys_of(table: pa.Table, work: CountTask) -> pa.Table:
    """Return keys, each once, for raw values; several values may have the same key."""
    raw = table.drop_columns([_COUNT])
    keys = pa.Table.from_batches([work.keys(0, raw)])
    return _summed(keys.append_column("records", table.column(_COUNT)), work)


def _sums(work: CountTask) -> list[str]:
    return ["records"] if work.weight is None else ["records", "weight"]


def _summed(keys: pa.Table, work: CountTask) -> pa.Table:
    """Return each key once, with the sums of its records and weights."""
    sums = _sums(work)
    grouped = keys.group_by(work.words).aggregate([(name, "sum") for name in sums])
    return grouped.select([*work.words, *(f"{name}_sum" for name in sums)]).rename_columns(
        [*work.words, *sums]
    )


def _masked_counts(rows: NumberedFrame, work: CountTask) -> Any:
    """Return a frame of the keys of all records, each once, with their counts and weights."""
    from pyspark.sql import functions

    words, sums = work.words, _sums(work)
    schema = ", ".join(
        [*(f"{n} long" for n in [*words, "records"]), *(f"{n} double" for n in sums[1:])]
    )
    parts = rows.select(tuple(work.needed)).map(Counting(work), schema)
    return parts.groupBy(*words).agg(*(functions.sum(name).alias(name) for name in sums))


@dataclass(frozen=True, eq=False)
class Counting:
    """What an executor runs to count the keys of a partition; those of many blocks may come again.

    Attributes
    ----------
    work
        What is counted.
    most
        Keys that are held before they are handed on.
    """

    work: CountTask
    most: int = 1 << 20

    def __call__(self, blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
        """Return keys of a partition, with their number and summed weights."""
        held: list[pa.Table] = []
        for first_row, raw in blocks:
            held.append(self._counted(first_row, raw))
            if sum(table.num_rows for table in held) > self.most:
                held = [_summed(pa.concat_tables(held), self.work)]
                if held[0].num_rows > self.most // 2:
                    yield from held.pop().combine_chunks().to_batches()
        if held:
            yield from _summed(pa.concat_tables(held), self.work).combine_chunks().to_batches()

    def _counted(self, first_row: int, raw: pa.Table) -> pa.Table:
        keys = pa.Table.from_batches([self.work.keys(first_row, raw)])
        ones = pa.array(np.ones(keys.num_rows, np.int64))
        return _summed(keys.append_column("records", ones), self.work)


def _counts(frame: Any, names: Sequence[str]) -> Any:
    from pyspark.sql import functions

    grouped = frame.groupBy(*[quoted(name) for name in names])
    return grouped.agg(functions.count("*").alias(_COUNT))


def _array(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
