"""The types of a masked Spark frame, which Spark must know before anything is computed.

In memory a column of numbers keeps its type if all masked values fit it, and is widened if not.
Here the same choice is made: from the labels, from the distinct values where no draw changes
them, from the first records where these need the widest type already, and only else by a run over
all records.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sudare.core import Microdata, Numeric
from sudare.engine.frames import to_arrow, wider
from sudare.engine.large import Chain
from sudare.engine.spark.rows import Block, quietly
from sudare.engine.spark.values import masked_values

if TYPE_CHECKING:
    from sudare.engine.spark.spark_table import SparkTable


def output_schema(
    table: "SparkTable", chain: Chain, out: Callable[[Microdata], pa.Table] = to_arrow
) -> tuple[pa.Schema, Any]:
    """Return the types of a table's columns for Arrow and for Spark.

    Parameters
    ----------
    table
        The masked table.
    chain
        How its masked columns come from raw ones.
    out
        How they are written.
    """
    kinds = _masked_types(table, chain, out)
    source, frame = table.source.schema, table.source.rows.frame
    arrow = pa.schema([pa.field(n, kinds.get(n, source.field(n).type)) for n in table.kept])
    empty = arrow.empty_table()
    spark = quietly(lambda: frame.sparkSession.createDataFrame(empty).schema)
    for column in spark.fields:
        if arrow.field(column.name).type == source.field(column.name).type:
            column.dataType = frame.schema[column.name].dataType
    return arrow, spark


def _masked_types(
    table: "SparkTable", chain: Chain, out: Callable[[Microdata], pa.Table]
) -> dict[str, pa.DataType]:
    head = chain.head()
    kinds = dict(zip(head.names, out(head).schema.types, strict=True))
    unsettled = []
    for column in head.columns:
        if not isinstance(column, Numeric) or column.storage == pa.float64():
            continue
        pairs = masked_values(table, column.name)
        if pairs is None:
            unsettled.append(column.name)
        else:
            kinds[column.name] = pairs.schema.types[1]
    if unsettled:
        kinds |= _by_first_records(table, tuple(unsettled))
        narrow = tuple(name for name in unsettled if kinds[name] != pa.float64())
        if narrow:
            kinds |= _by_all_records(table, narrow)
    return kinds


def _by_first_records(table: "SparkTable", names: tuple[str, ...]) -> dict[str, pa.DataType]:
    """Return the types that the first records need."""
    chain = table.chain(names)
    first_row, raw = table.source.rows.first_block(chain.needed)
    masked = to_arrow(chain.block(first_row, raw))
    return dict(zip(names, masked.schema.types, strict=True))


def _by_all_records(table: "SparkTable", names: tuple[str, ...]) -> dict[str, pa.DataType]:
    """Return the widest types that any block needs."""
    chain = table.chain(names)
    parts = table.source.gathered(TypeTask(chain), chain.needed)
    return {name: reduce(wider, (part[name] for part in parts if part)) for name in names}


@dataclass(frozen=True, eq=False)
class TypeTask:
    """Finds the types that blocks of masked numbers need."""

    chain: Chain

    def __call__(self, blocks: Iterator[Block]) -> dict[str, pa.DataType]:
        """Return, by column, the widest type of some blocks; nothing without a block."""
        widest: dict[str, pa.DataType] = {}
        for first_row, raw in blocks:
            schema = to_arrow(self.chain.block(first_row, raw)).schema
            for column in schema:
                widest[column.name] = wider(widest.get(column.name, column.type), column.type)
        return widest
