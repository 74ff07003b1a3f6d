"""Masking by value: where a step takes each value to another without a draw, Spark can do it.

What masks numbers may be a function that Spark has. Else the distinct values are masked here, and
Spark joins the few pairs of old and new to the frame. Either way it need not pass through Python.
Few labels are a part of the query itself.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sudare.core import ColumnPlan
from sudare.engine.frames import to_arrow
from sudare.engine.spark.number_columns import masked_numbers
from sudare.engine.spark.rows import quietly, quoted

if TYPE_CHECKING:
    from sudare.engine.spark.spark_table import SparkTable

_MOST = 100_000  # pairs that every executor gets
_FEW = 64  # pairs of labels that are part of the query, which saves the join
_OLD, _NEW = "__sudare_old", "__sudare_new"


def masked_values(table: "SparkTable", name: str) -> pa.Table | None:
    """Return each raw value of a column with its masked one; None where that is not a function.

    The masked values have the type of the whole masked column.
    """
    if name in table.drawn:
        return None
    chain = table.chain([name])
    if tuple(chain.codings) != (name,):
        return None
    if not all(isinstance(plan, ColumnPlan) for plan, _ in chain.steps):
        return None
    raw_field = table.source.schema.field(name)
    if pa.types.is_floating(raw_field.type) and name not in table.codings:
        return None  # too many values, as a rule
    table.surveyed([raw_field])
    raw = table.source.levels.get(name)
    if raw is None:
        return None
    masked = to_arrow(chain.block(0, pa.table({name: raw})))
    return pa.table({_OLD: raw, _NEW: masked.column(name)})


def frame_by_value(table: "SparkTable", names: Sequence[str]) -> Any | None:
    """Return the frame with some columns masked by value; None where one of them cannot be."""
    from pyspark.sql import functions

    computed = masked_numbers(table, names)
    pairs = {name: masked_values(table, name) for name in names if name not in computed}
    frame = table.source.rows.frame
    session = frame.sparkSession
    chosen = {name: computed.get(name, quoted(name)) for name in table.kept}
    for number, (name, pair) in enumerate(pairs.items()):
        if pair is None or pair.num_rows > _MOST or pa.types.is_null(pair.column(_NEW).type):
            return None
        if 1 < pair.num_rows <= _FEW and all(map(pa.types.is_string, pair.schema.types)):
            chosen[name] = _looked_up(quoted(name), pair)
            continue
        old, new = f"{_OLD}{number}", f"{_NEW}{number}"
        made = quietly(partial(session.createDataFrame, pair)).toDF(old, new)
        frame = frame.join(functions.broadcast(made), quoted(name).eqNullSafe(quoted(old)), "left")
        chosen[name] = quoted(new)
    return frame.select(*[column.alias(name) for name, column in chosen.items()])


def _looked_up(column: Any, pair: pa.Table) -> Any:
    """Return a column of labels with each in place of its old one."""
    from pyspark.sql import functions

    old, new = (pair.column(side).to_pylist() for side in (0, 1))
    words = [functions.lit(word) for both in zip(old, new, strict=True) for word in both]
    by_label = functions.create_map(*words[:-2])[column]  # the last is what null becomes
    return functions.when(column.isNull(), words[-1]).otherwise(by_label).cast("string")
