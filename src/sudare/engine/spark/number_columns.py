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

from sudare.core import ColumnPlan, Microdata, NumberClasses, NumberFunction, Numeric, Tails
from sudare.engine.frames import to_arrow
from sudare.engine.large import Counted, extremes
from sudare.engine.spark.counts import without_nan
from sudare.engine.spark.rows import answered

if TYPE_CHECKING:
    from sudare.engine.spark.spark_table import SparkTable

_MOST_CLASSES = 256  # that are part of the query


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
    made = {}
    for name in names:
        number_functions = _functions(table, name)
        if number_functions:
            column = without_nan(table.source.schema.field(name)).cast("double")
            for function in number_functions:
                column = _translated(function, column)
            made[name] = column
    kinds = _types(table, made)
    return {n: made[n].cast(kinds[n]) if n in kinds else made[n] for n in made}


def _functions(table: "SparkTable", name: str) -> list[NumberFunction]:
    """Return the functions that mask a column, in their order; none where something else does."""
    chain, kind = table.chain([name]), table.source.schema.field(name).type
    coding = chain.codings.get(name)
    is_plain = isinstance(coding, Counted) and coding.text is None and not table.options.has_words
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if name in table.drawn or len(chain.codings) > 1 or not (is_plain and is_number):
        return []
    number_functions: list[NumberFunction] = []
    for plan, _ in chain.steps:
        function = plan.function_of(name) if isinstance(plan, ColumnPlan) else None
        if function is None or any(isinstance(f, NumberClasses) for f in number_functions):
            return []
        number_functions.append(function)
    last = number_functions[-1]
    has_many = isinstance(last, NumberClasses) and len(last.labels) > _MOST_CLASSES
    return [] if has_many else number_functions


def _translated(function: NumberFunction, column: Any) -> Any:
    """Return what a function makes of a column of numbers."""
    from pyspark.sql import functions

    if isinstance(function, Tails):
        high, low = functions.lit(function.high), functions.lit(function.low)
        above, below = column > function.top, column < function.bottom
        return functions.when(below, low).when(above, high).otherwise(column)
    if isinstance(function, NumberClasses):
        return functions.when(column.isNotNull(), _class_of(column, function))
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
