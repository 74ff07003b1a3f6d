"""Columns of numbers that Spark masks by itself: functions of numbers as columns of a frame.

They give to the last bit what NumPy gives: arithmetic and ``rint`` are those of IEEE 754 in both.
Only NaN, which is missing for us and greater than all others for Spark, is null here from the
start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sudare.core import (
    Combination,
    Microdata,
    Multiples,
    NumberClasses,
    NumberFunction,
    Numeric,
    Tails,
)
from sudare.engine.frames import to_arrow
from sudare.engine.large import Coding, Counted, extremes
from sudare.engine.spark.counts import without_nan
from sudare.engine.spark.rows import answered

if TYPE_CHECKING:
    from sudare.engine.spark.spark_table import SparkTable

_MOST_CLASSES = 256  # that are part of the query
_MOST_TERMS = 8  # columns that one is made from; of more, Java no longer compiles the query


def span(table: "SparkTable", head: Numeric) -> Numeric:
    """Return a raw column that has numbers by its smallest and its largest."""
    from pyspark.sql import functions

    column = without_nan(table.source.schema.field(head.name))
    facts = (functions.min(column), functions.max(column), functions.count(column))
    low, high, known, records = answered(
        table.source.rows.frame.agg(*facts, functions.count("*")).collect
    )[0]
    return extremes(head, (float(low), float(high)), np.array([known, records - known, 0]))


def masked_numbers(table: "SparkTable", names: Sequence[str]) -> dict[str, Any]:
    """Return those of some masked columns that Spark can compute, in the types that they have."""
    columns = {name: _masked(table, name) for name in names}
    made = {name: column for name, column in columns.items() if column is not None}
    kinds = _types(table, made)
    return {n: made[n].cast(kinds[n]) if n in kinds else made[n] for n in made}


def _masked(table: "SparkTable", name: str) -> Any | None:
    """Return a masked column, where functions of numbers mask it and all that it is made from."""
    chain = table.chain([name])
    if not all(_is_plain(table, raw, coding) for raw, coding in chain.codings.items()):
        return None
    made = {
        raw: without_nan(table.source.schema.field(raw)).cast("double") for raw in chain.codings
    }
    has_classes = False
    for plan, _ in chain.steps:
        before = dict(made)
        for own in plan.step.columns:
            function = plan.function_of(own)
            if function is None or has_classes or _is_long(function):
                return None
            has_classes = isinstance(function, NumberClasses)
            made[own] = _translated(function, before, own)
    return made[name]


def _is_plain(table: "SparkTable", name: str, coding: Coding) -> bool:
    """Return whether a raw column holds numbers as they are."""
    kind = table.source.schema.field(name).type
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    is_counted = isinstance(coding, Counted) and coding.text is None
    return is_number and is_counted and name not in table.drawn and not table.options.has_words


def _is_long(function: NumberFunction) -> bool:
    """Return whether a function is too long for a part of the query."""
    if isinstance(function, NumberClasses):
        return len(function.labels) > _MOST_CLASSES
    return isinstance(function, Combination) and len(function.terms) > _MOST_TERMS


def _translated(function: NumberFunction, columns: Mapping[str, Any], name: str) -> Any:
    """Return what a function makes of a column of numbers, beside others."""
    from pyspark.sql import functions

    column = columns[name]
    if isinstance(function, Combination):
        total = functions.lit(0.0)
        for other, mean, weight in function.terms:
            deviation = functions.coalesce(columns[other] - mean, functions.lit(0.0))
            total = total + functions.lit(weight) * deviation
        combined = functions.nanvl(total + function.mean, functions.lit(None))
        return functions.when(column.isNotNull(), combined)
    if isinstance(function, Tails):
        high, low = functions.lit(function.high), functions.lit(function.low)
        above, below = column > function.top, column < function.bottom
        return functions.when(below, low).when(above, high).otherwise(column)
    if isinstance(function, NumberClasses):
        return functions.when(column.isNotNull(), _class_of(column, function))
    return _multiple(function, column)


def _multiple(function: Multiples, column: Any) -> Any:
    """Return the multiples of a base that a column is rounded to."""
    from pyspark.sql import functions

    rounding: Any = function  # its arithmetic is that of columns as well
    exact = rounding.steps(column)
    steps = functions.rint(exact)
    if function.down:  # floor would return whole numbers of 64 bits, and not all have room there
        steps = functions.when(steps > exact, steps - 1).otherwise(steps)
    made, size, infinite = rounding.multiples(steps), functions.abs(exact), float("inf")
    nearest = functions.rint(size)
    cut = functions.when(nearest > size, nearest - 1).otherwise(nearest) * functions.signum(exact)
    beyond = functions.when(size == infinite, column).otherwise(rounding.multiples(cut))
    return functions.when(functions.abs(made) == infinite, beyond).otherwise(made)


def _class_of(column: Any, classes: NumberClasses) -> Any:
    """Return the label of the class of each number, halving the classes that are left."""
    from pyspark.sql import functions

    if not len(classes.breaks):
        return functions.lit(classes.labels[0])
    middle = len(classes.breaks) // 2
    lower = NumberClasses(classes.breaks[:middle], classes.labels[: middle + 1])
    upper = NumberClasses(classes.breaks[middle + 1 :], classes.labels[middle + 1 :])
    is_below = column < float(classes.breaks[middle])
    return functions.when(is_below, _class_of(column, lower)).otherwise(_class_of(column, upper))


def _types(table: "SparkTable", made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Spark types of masked numbers that came in another type than double.

    That of a column depends on its smallest and its largest number, and on whether all are whole.
    """
    from pyspark.sql import functions

    frame, heads = table.source.rows.frame, {}
    for column in table.chain(list(made)).head().columns if made else ():
        if isinstance(column, Numeric) and column.storage != pa.float64():
            heads[column.name] = column
    facts = [
        fact
        for column in (made[name] for name in heads)
        for fact in (
            functions.min(column),
            functions.max(column),
            functions.max(functions.when(column != functions.rint(column), 0.5)),
        )
    ]
    answers = list(answered(frame.agg(*facts).collect)[0]) if facts else []
    kinds = {}
    for number, (name, head) in enumerate(heads.items()):
        values = [value for value in answers[3 * number : 3 * number + 3] if value is not None]
        column = replace(head, values=np.array(values, np.float64), absent=None)
        kind = to_arrow(Microdata((column,))).schema.types[0]
        own = {head.storage: frame.schema[name].dataType, pa.int64(): "long"}
        kinds[name] = own.get(kind, "double")
    return kinds
