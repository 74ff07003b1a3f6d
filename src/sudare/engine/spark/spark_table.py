"""Spark: a frame on a cluster as a large table, and the masked table as a frame again.

Spark carries blocks of records to the executors and adds up what they counted; every formula
stays ours.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from shutil import rmtree
from typing import Any, Self

import numpy as np
import pyarrow as pa

from sudare.core import Column, Draws, InputError, Microdata, Parting, Plan, Sizes
from sudare.engine.counting import Packing
from sudare.engine.formats import check_free, remove_leftovers, temporary_name
from sudare.engine.frames import (
    AbsentWords,
    ReadOptions,
    column_of,
    frame_of,
    in_one_spelling,
    to_arrow,
    widened,
)
from sudare.engine.large import (
    BESIDE,
    LEAST_MEMORY,
    Blocks,
    BlockTable,
    Chain,
    Coding,
    Counted,
    CountTask,
    Distinct,
    DistinctTask,
    Entries,
    MemoryBudget,
    Source,
    half_of_memory,
)
from sudare.engine.spark.counts import (
    FIRST,
    at_once,
    counted_keys,
    distinct_values,
    has_numbers,
    masked_sizes,
    raw_sizes,
)
from sudare.engine.spark.number_columns import span
from sudare.engine.spark.parts import PlacedPlan, masked_in_parts
from sudare.engine.spark.rows import Block, NumberedFrame, answered, quoted
from sudare.engine.spark.types import output_schema
from sudare.engine.spark.values import frame_by_value

# By name, as some of these types are not in every version of Spark.
_VALUES = {
    *("BooleanType", "ByteType", "ShortType", "IntegerType", "LongType", "FloatType", "DoubleType"),
    *("DecimalType", "StringType", "CharType", "VarcharType", "DateType", "TimestampType"),
    *("TimestampNTZType", "DayTimeIntervalType", "NullType"),
}

_DRAWN = "__sudare_drawn"
_STATISTICS = "parquet.column.statistics.enabled"
_OWNER_ONLY = 0o700


@dataclass(frozen=True, eq=False)
class SparkSource(Source):
    """The columns of a Spark frame.

    Attributes
    ----------
    levels
        By column, its distinct values as far as they were counted.
    first
        Some of the first records, as Spark has them, where they are known.
    """

    rows: NumberedFrame
    first: Sequence[Any] = field(default=(), repr=False)
    levels: dict[str, pa.Array] = field(default_factory=dict, repr=False)

    @cached_property
    def schema(self) -> pa.Schema:
        """Names and types of the columns, as Arrow has them."""
        schema: pa.Schema = answered(self.rows.frame.limit(0).toArrow).schema
        return schema

    @property
    def records(self) -> int:
        """Number of records."""
        return self.rows.numbering.records

    def gathered(self, work: Callable[[Blocks], Any], names: Sequence[str]) -> list[Any]:
        """Run work over every partition of some columns; have Spark count distinct values."""
        if isinstance(work, DistinctTask):
            return [self._distinct(work.fields)]
        return self.rows.select(tuple(names)).gathered(work)

    def counted(self, task: CountTask, budget: MemoryBudget) -> Entries:
        """Have Spark count the keys of all records."""
        return counted_keys(self.rows, task, budget)

    def _distinct(self, fields: Sequence[pa.Field]) -> list[Distinct]:
        counted = distinct_values(self.rows, fields, self.first)
        for raw_field, own in zip(fields, counted, strict=True):
            if not own.is_many:
                values, _ = own.gather()
                self.levels[raw_field.name] = pa.concat_arrays([values, pa.nulls(1, values.type)])
        return counted

    def blocks(self, names: Sequence[str]) -> Blocks:
        """Bring some columns here in blocks, in their order."""
        return self.rows.select(tuple(names)).blocks()

    def beside(self, other: Source) -> Source:
        """Return both frames as one; names of the other's columns begin with ``BESIDE``."""
        if not isinstance(other, SparkSource):
            return super().beside(other)
        return SparkSource(self.rows.beside(other.rows, BESIDE))


@dataclass(frozen=True, eq=False, repr=False)
class SparkTable(BlockTable):
    """A Spark frame that is masked and measured where it is."""

    source: SparkSource

    @cached_property
    def head(self) -> Microdata:
        """The columns without any record; those that nobody masked are not surveyed for it."""
        known = [name for name in self.kept if self._is_changed(name) or not self._is_plain(name)]
        made = {c.name: c for c in self.chain(known).head().columns} if known else {}
        return Microdata(tuple(made.get(name) or self._sketched(name) for name in self.kept))

    def _is_plain(self, name: str) -> bool:
        """Return whether the type of a column alone tells what it holds."""
        kind = self.source.schema.field(name).type
        is_long = pa.types.is_integer(kind) and kind.bit_width == 64
        is_stated = self.options.type_of(name) is not None
        return name not in self.codings and not (is_long or is_stated or pa.types.is_decimal(kind))

    def _sketched(self, name: str) -> Column:
        raw_field = self.source.schema.field(name)
        options = replace(
            self.options, orders={}, missing=AbsentWords(), not_applicable=AbsentWords()
        )
        column = column_of(raw_field, pa.chunked_array([pa.nulls(1, raw_field.type)]), options)
        return column.take(np.zeros(0, np.int64))

    def coded(self, fields: Sequence[pa.Field]) -> dict[str, Coding]:
        """Return how raw columns are read; those that are numbers by their type need no survey."""
        typed = {
            raw_field.name: Counted(self._sketched(raw_field.name), self.options)  # type: ignore[arg-type]
            for raw_field in fields
            if raw_field.name not in self.codings and self.is_number(raw_field)
        }
        known = self.surveyed([raw_field for raw_field in fields if raw_field.name not in typed])
        return {
            raw_field.name: typed.get(raw_field.name) or known[raw_field.name]
            for raw_field in fields
        }

    def is_number(self, raw_field: pa.Field) -> bool:
        """Return whether the type of a column says that it holds numbers, and all of them exact."""
        name, options = raw_field.name, self.options
        if options.has_words or options.as_labels(name) or name in options.types:
            return False
        kind = raw_field.type
        is_short = pa.types.is_integer(kind) and kind.bit_width < 64
        return bool(is_short or pa.types.is_floating(kind) or pa.types.is_date32(kind))

    def has_values(self, name: str) -> bool:
        """Return whether any record has a value in a column."""
        raw_field = self.source.schema.field(name)
        if name in self.codings or not self.is_number(raw_field) or self._is_changed(name):
            return not self.outlined(name).empty
        return has_numbers(self.source.rows.frame, raw_field, self.source.first)

    def span(self, name: str) -> Column:
        """Return a column with its smallest and largest number, if not more."""
        raw_field = self.source.schema.field(name)
        is_typed = self.is_number(raw_field) and not pa.types.is_date(raw_field.type)
        is_known = name in self.codings or self._is_changed(name)
        if is_known or not is_typed or not self.has_values(name):
            return self.outlined(name)
        return span(self, self._sketched(name).numeric)

    def group_sizes(self, groupings: Sequence[Sequence[str]]) -> list[Sizes]:
        """Have Spark count the groups, and how many have each size."""
        return at_once([self._counting_sizes(names) for names in groupings])

    def _counting_sizes(self, names: Sequence[str]) -> Callable[[], Sizes]:
        """Return what has the groups by some columns counted."""
        options, rows = self.options, self.source.rows
        is_raw = not any(self._is_changed(name) for name in names)
        if is_raw and not (options.has_words or options.orders or options.types):
            fields = [self.source.schema.field(name) for name in names]
            return partial(raw_sizes, rows.frame, fields)
        work = CountTask((self.chain(names),), Packing(self._digits(names)))
        return partial(masked_sizes, rows, work)

    def in_parts(self, parting: Parting, names: Sequence[str]) -> tuple[Plan, list[Any]]:
        """Have executors mask every part by itself, with some columns at hand."""
        return masked_in_parts(self.source.rows, self.chain(names), parting, SparkSource)

    def transformed(self, plan: Plan, draws: Draws, *, random: bool = True) -> Self:
        """Return the table masked by a plan, block by block and not before it is read."""
        if isinstance(plan, PlacedPlan) and plan.source is not None:
            codings = {**self.codings, **plan.codings}
            beside = replace(self, source=plan.source, codings=codings)
            return super(SparkTable, beside).transformed(plan, draws, random=random)
        return super().transformed(plan, draws, random=random)

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the table as a Spark frame, or brought here as a frame of another kind.

        A Spark frame is computed when its values are needed, as all Spark frames are.
        """
        frame = self._frame()
        if kind in {None, "pyspark", "spark"}:
            return frame
        return frame_of(answered(frame.toArrow), str(kind))

    def _frame(self) -> Any:
        own = self.source.rows.frame
        masked = tuple(name for name in self.kept if self._is_changed(name))
        if not masked:
            return own.select(*[quoted(name) for name in self.kept])
        by_value = frame_by_value(self, masked) if self.drawn.isdisjoint(masked) else None
        if by_value is not None:
            return by_value
        return self._masked_frame(masked)

    def released_frame(self, order: Draws | None) -> Any:
        """Return the table as a Spark frame in the order of draws, one for each record, if any.

        Texts of which a type was stated are written plainly: "40" and "40.0" are one value to all
        that is counted.
        """
        stated = [name for name in self.kept if self.options.type_of(name) is not None]
        if order is None and not stated:
            return self._frame()
        made = tuple(name for name in self.kept if name in stated or self._is_changed(name))
        frame = self._masked_frame(made or self.kept[:1], order, released=True)
        return frame if order is None else frame.orderBy(quoted(_DRAWN)).drop(_DRAWN)

    def _masked_frame(
        self, masked: tuple[str, ...], order: Draws | None = None, *, released: bool = False
    ) -> Any:
        chain = self.chain(masked)
        out = _plainly if released else to_arrow
        arrow, spark = output_schema(self, chain, out)
        if order is not None:
            arrow = arrow.append(pa.field(_DRAWN, pa.float64()))
            spark = spark.add(_DRAWN, "double")
        raw = tuple(dict.fromkeys((*chain.needed, *(n for n in self.kept if n not in masked))))
        return self.source.rows.select(raw).map(Masking(chain, arrow, out, order), spark)

    def _is_changed(self, name: str) -> bool:
        """Return whether a column can differ from the raw one."""
        return bool(self.options.missing) or any(name in p.step.columns for p, _ in self.steps)


@dataclass(frozen=True, eq=False)
class Masking:
    """What an executor runs to mask: raw blocks in, masked batches out, in the types declared."""

    chain: Chain
    schema: pa.Schema
    out: Callable[[Microdata], pa.Table]
    order: Draws | None = None

    def __call__(self, blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
        """Return the masked records of a partition."""
        for first_row, raw in blocks:
            masked = self.out(self.chain.block(first_row, raw))
            own = set(self.chain.names)
            if self.order is not None:
                drawn = self.order.starting_at(first_row).uniform("", masked.num_rows)
                masked, own = masked.append_column(_DRAWN, pa.array(drawn)), {*own, _DRAWN}
            tables = [masked if column.name in own else raw for column in self.schema]
            columns = [
                widened(table.column(column.name), column.type)
                for table, column in zip(tables, self.schema, strict=True)
            ]
            yield from pa.table(columns, schema=self.schema).to_batches()


def _plainly(block: Microdata) -> pa.Table:
    return to_arrow(in_one_spelling(block))


def read_spark(frame: Any, options: ReadOptions, row_number: str | None = None) -> SparkTable:
    """Return a Spark frame as a large table.

    Parameters
    ----------
    frame
        The frame.
    options
        What is said about its columns.
    row_number
        A column that numbers the rows 0, 1, 2 and so on; by default they are numbered as they
        are in the partitions.
    """
    options.check(frame.columns)
    for column in frame.schema.fields:
        if type(column.dataType).__name__ not in _VALUES:
            raise InputError(
                "column '{column}' has the type {type}, which is neither numbers, dates nor "
                "labels; turn it into one of these first.",
                column=column.name,
                type=column.dataType.simpleString(),
            )
    rows = NumberedFrame.of(frame, row_number)
    first = answered(lambda: frame.head(FIRST))
    if not first:
        raise InputError("the table has column names but no rows.")
    kept = tuple(name for name in frame.columns if name != row_number)
    budget = MemoryBudget(max(half_of_memory(), LEAST_MEMORY))
    return SparkTable(SparkSource(rows, first), options, kept, budget=budget)


def parquet_frame(session: Any, path: Path) -> Any:
    """Return a Parquet file, or a folder of such files, as a Spark frame."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return answered(lambda: session.read.parquet(str(path)))
    except (PySparkException, Py4JJavaError):  # not there, or no Parquet
        raise InputError(
            "Spark cannot read '{path}' as Parquet; give a Parquet file, or a folder of them, that "
            "all executors can see.",
            path=str(path),
        ) from None


def write_parts(
    table: SparkTable, path: Path, *, order: Draws | None = None, private: bool = False
) -> Path:
    """Have the executors write a table as a folder of Parquet files, whole or not at all.

    The files have no statistics of their columns.

    Parameters
    ----------
    table
        The table.
    path
        The folder, where all executors can see it; nothing of that name may be there.
    order
        The draws by which the records are put in another order; None where they keep theirs.
    private
        Whether only the owner may read it, also while it is written.
    """
    check_free(path, overwrite=False)
    remove_leftovers(path.parent)
    frame = _without_minus_zero(table.to_frame() if private else table.released_frame(order))
    draft = path.with_name(temporary_name())
    parts = draft / "parts" if private else draft
    try:
        if private:
            draft.mkdir(mode=_OWNER_ONLY)
        writer = frame.write.option(_STATISTICS, "false")
        answered(lambda: writer.parquet(str(parts)))
        if private:
            parts.chmod(_OWNER_ONLY)
        parts.replace(path)
    finally:
        rmtree(draft, ignore_errors=True)
    return path


def _without_minus_zero(frame: Any) -> Any:
    """Return a frame in which equal numbers are written alike."""
    from pyspark.sql import functions

    kinds = {name: kind for name, kind in frame.dtypes if kind in {"float", "double"}}
    nothing = functions.lit(0.0)
    changed = {
        name: (quoted(name) + nothing.cast(kind)).alias(name) for name, kind in kinds.items()
    }
    return frame.select(*[changed.get(name, quoted(name)) for name in frame.columns])
