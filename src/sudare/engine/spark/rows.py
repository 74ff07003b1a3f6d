"""Rows of a Spark frame: their numbers, and blocks of them on the executors.

A row's number is its position in the frame, counted from 0 over the partitions in their order.
The rows of each partition are counted, when somebody first needs numbers; a task then knows the
number of its first row from its partition, and counts on. Frames whose partitions come out
differently each time they are computed (after a shuffle, say) have no such numbers; a column of
the user's can say them.
"""

import gc
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Self

import numpy as np
import pyarrow as pa

from sudare.core import ColumnError, InputError, Integers, MissingPartError, SudareError

BLOCK_ROWS = 1 << 16
_POSITION_BITS = 33  # Spark numbers rows as partition · 2³³ + position in the partition
_NUMBER = "__sudare_row"

# A block of records, and the number of its first row.
Block = tuple[int, pa.Table]


@dataclass(frozen=True)
class Numbering:
    """How rows get their numbers.

    Attributes
    ----------
    starts
        Number of the first row of each partition, and of all rows at the end, shape
        (partitions + 1,).
    column
        The column that says the number of each row; None where partitions and positions do.
    """

    starts: Integers
    column: str | None = None

    @property
    def records(self) -> int:
        """Number of rows in all."""
        return int(self.starts[-1])

    def range_of(self, partition: int) -> tuple[int, int]:
        """Return the number of a partition's first row, and of the row behind its last."""
        if partition >= len(self.starts) - 1:  # it had no rows, like all behind it
            return self.records, self.records
        return int(self.starts[partition]), int(self.starts[partition + 1])

    def of(self, row_ids: Integers) -> Integers:
        """Return the numbers of rows by the identifiers that Spark gives them.

        Raises
        ------
        InputError
            If there are rows where none were counted.
        """
        if self.column is not None:
            return row_ids
        partition = row_ids >> _POSITION_BITS
        if len(partition) and partition.max() >= len(self.starts) - 1:
            raise changed()
        numbers = self.starts[partition] + (row_ids & ((1 << _POSITION_BITS) - 1))
        if (numbers >= self.records).any():
            raise changed()
        return np.asarray(numbers)


def changed() -> InputError:
    """Return the error for a frame that does not come out twice the same."""
    return InputError(
        "the rows of this Spark frame come out differently each time it is computed; write it to "
        "Parquet first, or name a column that numbers the rows from 0 (row_number=…)."
    )


@dataclass(frozen=True, eq=False)
class NumberedFrame:
    """A Spark frame whose rows have numbers.

    Attributes
    ----------
    frame
        The frame.
    counted
        Returns how rows get their numbers; the rows are counted when it is first called.
    """

    frame: Any
    counted: Callable[[], Numbering]

    @classmethod
    def of(cls, frame: Any, column: str | None = None) -> Self:
        """Return a frame with numbers for its rows, by their positions or by a column."""
        if column is None:
            return cls(frame, cache(lambda: Numbering(_starts(partition_sizes(frame)))))
        ordered = frame.repartitionByRange(column).sortWithinPartitions(column)
        numbering = Numbering(np.array([0, checked_numbers(frame, column)]), column)
        return cls(ordered, lambda: numbering)

    @property
    def numbering(self) -> Numbering:
        """How rows get their numbers."""
        return self.counted()

    def select(self, columns: tuple[str, ...]) -> Self:
        """Return some columns of the frame, and the one that numbers the rows if there is one."""
        chosen = [quoted(name) for name in columns]
        if self.numbering.column is not None:
            chosen.append(quoted(self.numbering.column).alias(_NUMBER))
        return replace(self, frame=self.frame.select(*chosen))

    def placed(self, columns: tuple[str, ...]) -> Any:
        """Return some columns as a frame, with what the numbers of rows are made from."""
        from pyspark.sql import functions

        own = self.numbering.column
        row_id = functions.monotonically_increasing_id() if own is None else quoted(own)
        return self.frame.select(*[quoted(name) for name in columns], row_id.alias(_NUMBER))

    def map(self, work: Callable[[Iterator[Block]], Iterator[pa.RecordBatch]], schema: Any) -> Any:
        """Return the frame that a function of blocks makes, on the executors.

        Parameters
        ----------
        work
            Called once per partition with its blocks; it must be picklable.
        schema
            The Spark schema of what it returns.
        """
        return quietly(lambda: self.frame.mapInArrow(OnBlocks(self.numbering, work), schema))

    def first_block(self, columns: tuple[str, ...], rows: int = 1000) -> Block:
        """Bring some columns of some of the first rows here."""
        table = answered(self.placed(columns).limit(rows).toArrow)
        return next(runs(table, self.numbering))

    def blocks(self) -> Iterator[Block]:
        """Bring all rows here, partition by partition, in their order."""
        shipped = self.map(_shipped, "first_row long, block binary")
        rows = answered(lambda: shipped.toLocalIterator(prefetchPartitions=True))
        while (row := answered(lambda: next(rows, None))) is not None:
            yield row["first_row"], pa.ipc.open_stream(row["block"]).read_all()

    def beside(self, other: Self, mark: str) -> Self:
        """Return the rows of both frames side by side by their numbers.

        Parameters
        ----------
        other
            A frame with as many rows.
        mark
            Put before the names of its columns.
        """
        theirs = other.with_numbers()
        marked = [quoted(n).alias(n if n == _NUMBER else mark + n) for n in theirs.columns]
        joined = self.with_numbers().join(theirs.select(*marked), _NUMBER)
        ordered = joined.repartitionByRange(_NUMBER).sortWithinPartitions(_NUMBER)
        numbering = replace(self.numbering, column=_NUMBER)
        return replace(self, frame=ordered, counted=lambda: numbering)

    def with_numbers(self) -> Any:
        """Return the frame with a column of the numbers of its rows."""
        from pyspark.sql import functions

        placed = self.placed(tuple(n for n in self.frame.columns if n != _NUMBER))
        if self.numbering.column is not None:
            return placed
        row_id, starts = functions.col(_NUMBER), functions.lit(self.numbering.starts.tolist())
        start = starts[functions.shiftright(row_id, _POSITION_BITS)]
        within = row_id.bitwiseAND(functions.lit((1 << _POSITION_BITS) - 1))
        return placed.withColumn(_NUMBER, start + within)

    def gathered(self, work: Callable[[Iterator[Block]], Any]) -> list[Any]:
        """Return what a picklable function makes of the blocks of each partition, in any order."""
        gathered = self.map(Gathering(work), "answer binary")
        answers = []
        rows = 0
        for row in answered(gathered.collect):
            answer, seen = pickle.loads(row["answer"])  # noqa: S301 - our own executors wrote it
            if isinstance(answer, SudareError):
                raise answer
            answers.append(answer)
            rows += seen
        if rows != self.numbering.records:
            raise changed()
        return answers


def _shipped(blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
    """Return each block as one value, so that Spark need not look into it."""
    for first_row, table in blocks:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        packed = pa.array([sink.getvalue().to_pybytes()], pa.binary())
        yield pa.record_batch([pa.array([first_row]), packed], names=["first_row", "block"])


@dataclass(frozen=True)
class Gathering:
    """What an executor runs to answer with one object per partition; a refusal is an answer."""

    work: Callable[[Iterator[Block]], Any]

    def __call__(self, blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
        """Return one batch with the pickled answer, and how many rows there were."""
        seen = 0

        def counted() -> Iterator[Block]:
            nonlocal seen
            for first_row, table in blocks:
                seen += table.num_rows
                yield first_row, table

        try:
            answer = self.work(counted())
        except SudareError as error:
            answer = error
        pickled = pickle.dumps((answer, seen))
        yield pa.record_batch([pa.array([pickled], pa.binary())], names=["answer"])


@dataclass(frozen=True)
class OnBlocks:
    """What an executor runs: batches become numbered blocks, and blocks what ``work`` makes."""

    numbering: Numbering
    work: Callable[[Iterator[Block]], Iterator[pa.RecordBatch]]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Return the batches that go back to Spark."""
        gc.freeze()  # Spark looks for garbage after every task: not among modules, which all stay
        yield from self.work(self.blocks(batches))

    def blocks(self, batches: Iterator[pa.RecordBatch]) -> Iterator[Block]:
        """Yield runs of consecutive rows, as large as memory likes them."""
        held: list[pa.Table] = []
        first = after = rows = 0
        for start, run in self._runs(batches):
            if held and (start != after or rows >= BLOCK_ROWS):
                yield first, pa.concat_tables(held)
                held, rows = [], 0
            first = first if held else start
            held.append(run)
            rows += run.num_rows
            after = start + run.num_rows
        if held:
            yield first, pa.concat_tables(held)

    def _runs(self, batches: Iterator[pa.RecordBatch]) -> Iterator[Block]:
        """Yield the rows of a partition with the number of the first, as they come."""
        if self.numbering.column is None:
            first, end = self.numbering.range_of(_partition())
            for batch in batches:
                if first + batch.num_rows > end:
                    raise changed()
                if batch.num_rows:
                    yield first, pa.Table.from_batches([batch])
                first += batch.num_rows
            return
        for batch in batches:
            yield from runs(pa.Table.from_batches([batch]), self.numbering)


def _partition() -> int:
    """Return the partition that this executor is at work on."""
    from pyspark import TaskContext

    return int(TaskContext.get().partitionId())  # type: ignore[union-attr]


def runs(table: pa.Table, numbering: Numbering) -> Iterator[Block]:
    """Yield the rows of a table in runs whose numbers have no gap."""
    numbers = numbering.of(table.column(_NUMBER).to_numpy())
    table = table.drop_columns([_NUMBER])
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    for start, end in zip([0, *breaks], [*breaks, len(numbers)], strict=True):
        if end > start:
            yield int(numbers[start]), table.slice(start, end - start)


def partition_sizes(frame: Any) -> dict[int, int]:
    """Return the number of rows of each partition that has any."""
    from pyspark.sql import functions

    partition = functions.spark_partition_id().alias("part")
    sizes = answered(frame.select(partition).groupBy("part").count().collect)
    if {row["part"] for row in sizes} == {0}:
        # Of small tables Spark works this out here, without any partition: ask the executors.
        ones = frame.select(functions.lit(1).alias("one"))
        counted = quietly(lambda: ones.mapInArrow(_counted, "part int, count long"))
        sizes = answered(counted.collect)
    return {row["part"]: row["count"] for row in sizes}


def _counted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return the number of rows of a partition, if it has any."""
    if rows := sum(batch.num_rows for batch in batches):
        columns = [pa.array([_partition()], pa.int32()), pa.array([rows])]
        yield pa.record_batch(columns, names=["part", "count"])


def _starts(sizes: dict[int, int]) -> Integers:
    counts = np.zeros(max(sizes, default=-1) + 2, np.int64)
    for partition, size in sizes.items():
        counts[partition + 1] = size
    return np.cumsum(counts)


def checked_numbers(frame: Any, column: str) -> int:
    """Return the number of rows of a frame; refuse numbers that are not 0, 1, 2 and so on."""
    from pyspark.sql import functions
    from pyspark.sql.types import IntegralType

    if not isinstance(frame.schema[column].dataType, IntegralType):
        raise ColumnError("row numbers must be whole; column '{column}' is not.", column=column)
    number = quoted(column)
    facts = frame.agg(
        functions.count("*"),
        functions.count(number),
        functions.min(number),
        functions.max(number),
        functions.count_distinct(number),
    ).collect()[0]
    rows, filled, lowest, highest, distinct = facts
    if rows and not (rows == filled == distinct and lowest == 0 and highest == rows - 1):
        raise ColumnError(
            "column '{column}' does not number the rows: it must hold 0, 1, 2 and so on, each "
            "once.",
            column=column,
        )
    return int(rows)


def quoted(name: str) -> Any:
    """Return a column by its name, whatever signs are in it."""
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def answered(action: Callable[[], Any]) -> Any:
    """Have Spark work; say in a sentence what an executor lacks."""
    from pyspark.errors import PySparkException

    try:
        return quietly(action)
    except PySparkException as error:
        if "No module named 'sudare" not in str(error):
            raise
    raise MissingPartError(
        "the Spark executors do not have sudare: install it in their Python (see PYSPARK_PYTHON), "
        "in the same version as here."
    )


def quietly(call: Callable[[], Any]) -> Any:
    """Call Spark without its remark on the version of pandas, of which we use nothing."""
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        return call()
