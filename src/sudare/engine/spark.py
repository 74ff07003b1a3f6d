"""Spark: a frame on a cluster as a large table, and the masked table as a frame again.

Spark carries blocks of records to the executors and adds up what they counted; every formula
stays ours.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from sudare.core.errors import InputError, MismatchError
from sudare.engine.chain import Chain
from sudare.engine.frames import frame_of
from sudare.engine.incoming import Asked
from sudare.engine.large import BESIDE, BlockTable, Source
from sudare.engine.outgoing import to_arrow, widened
from sudare.engine.spark_rows import Block, NumberedFrame, answered, quoted
from sudare.engine.spark_types import output_schema
from sudare.engine.survey import Blocks

# By name, as some of these types are not in every version of Spark.
_VALUES = (
    "BooleanType ByteType ShortType IntegerType LongType FloatType DoubleType DecimalType "
    "StringType CharType VarcharType DateType TimestampType TimestampNTZType DayTimeIntervalType "
    "NullType"
).split()


@dataclass(frozen=True, eq=False)
class SparkSource(Source):
    """The columns of a Spark frame."""

    rows: NumberedFrame

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
        """Run work over every partition of some columns and return what each gave."""
        return self.rows.select(tuple(names)).gathered(work)

    def blocks(self, names: Sequence[str]) -> Blocks:
        """Bring some columns here in blocks, in their order."""
        return self.rows.select(tuple(names)).blocks()

    def beside(self, other: Source) -> Source:
        """Return both frames as one; names of the other's columns begin with ``BESIDE``."""
        if not isinstance(other, SparkSource):
            return super().beside(other)
        if self.records != other.records:
            raise MismatchError(
                "the table before has {before} rows and the one after has {after}; their records "
                "must correspond.",
                before=self.records,
                after=other.records,
            )
        return SparkSource(self.rows.beside(other.rows, BESIDE))


@dataclass(frozen=True, eq=False, repr=False)
class SparkTable(BlockTable):
    """A Spark frame that is masked and measured where it is."""

    source: SparkSource

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the table as a Spark frame, or brought here as a frame of another kind.

        A Spark frame is computed when Spark is asked for it, as all Spark frames are.
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
        chain = self.chain(masked)
        arrow, spark = output_schema(self, chain)
        raw = tuple(dict.fromkeys((*chain.needed, *(n for n in self.kept if n not in masked))))
        return self.source.rows.select(raw).map(Masking(chain, arrow), spark)

    def _is_changed(self, name: str) -> bool:
        """Return whether a column can differ from the raw one."""
        return bool(self.asked.missing) or any(name in p.step.columns for p, _ in self.steps)


@dataclass(frozen=True, eq=False)
class Masking:
    """What an executor runs to mask: raw blocks in, masked batches out, in the types declared."""

    chain: Chain
    schema: pa.Schema

    def __call__(self, blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
        """Return the masked records of a partition."""
        for first_row, raw in blocks:
            masked = to_arrow(self.chain.block(first_row, raw))
            tables = [masked if one.name in self.chain.names else raw for one in self.schema]
            columns = [
                widened(table.column(one.name), one.type)
                for table, one in zip(tables, self.schema, strict=True)
            ]
            yield from pa.table(columns, schema=self.schema).to_batches()


def read_spark(frame: Any, asked: Asked, row_number: str | None = None) -> SparkTable:
    """Return a Spark frame as a large table.

    Parameters
    ----------
    frame
        The frame.
    asked
        What is said about its columns.
    row_number
        A column that numbers the rows 0, 1, 2 and so on; by default they are numbered as they
        stand in the partitions.
    """
    asked.check(frame.columns)
    for one in frame.schema.fields:
        if type(one.dataType).__name__ not in _VALUES:
            raise InputError(
                "column '{column}' has the type {type}, which is neither numbers, dates nor "
                "labels; turn it into one of these first.",
                column=one.name,
                type=one.dataType.simpleString(),
            )
    rows = NumberedFrame.of(frame, row_number)
    if not rows.numbering.records:
        raise InputError("the table has column names but no rows.")
    kept = tuple(name for name in frame.columns if name != row_number)
    return SparkTable(SparkSource(rows), asked, kept)
