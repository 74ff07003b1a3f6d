"""Numbers that Spark masks by itself: bit for bit those of the table in memory."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sudare
from sudare.mask import (
    EditRules,
    Intervals,
    Noise,
    OrthogonalTransform,
    RegressionSynthesis,
    Rounding,
    TopBottomCode,
)
from sudare.mask.recode.rounding import How

pytestmark = pytest.mark.xdist_group("spark")

FLOATS = np.array(
    [
        *(0.0, -0.0, np.nan, 5e-324, -5e-324, 0.05, 0.15, 0.25, 0.3, 0.35, 1 / 3, -1 / 3),
        *(5.0, 15.0, 25.0, -5.0, -15.0, -3.0, 14.999999999999998, 19.999999999999996, 20.0, 35.0),
        *(2.0**52 + 0.5, 2.0**53, 2.0**63, -(2.0**63), 1e300, -1e300, 1.7e306, 3.4e38, -7.5, 1e16),
    ]
)
WHOLES = [0, 1, -1, 4, 5, 6, 14, 15, 16, 25, -5, -15, -25, 95, 99, 100, 104, -104, 120, None]
RECIPES = {
    "tails": TopBottomCode(top=20.0, bottom=-5.0),
    "no bottom": TopBottomCode(top=0.25),
    "tens": Rounding(base=10.0),
    "tenths": Rounding(base=0.1),
    "thirds": Rounding(base=1 / 3, how="down"),
    "down": Rounding(base=10.0, how="down"),
    "at 0": Intervals(breaks={"at 0": (5e-324, 20.0)}),
    "classes": Intervals(breaks={"classes": (-5.0, 0.25, 0.3, 15.0, 20.0, 1e16)}),
    "edited": EditRules(rules=("edited from -5 to 20", "edited <= 15.5")),
    "at least": EditRules(rules=("`at least` >= 0.25",)),
    "stated": Intervals(breaks={"stated": (0.0,)}, bounds={"stated": (-2e300, 1.7e306)}),
}
TOGETHER = [TopBottomCode(top=20.0), Rounding(base=5.0), Intervals(breaks={"all": (0.0, 20.0)})]


def masked(table: Any, names: list[str]) -> Any:
    recipe = [step.__class__(**{**vars(step), "columns": (n,)}) for n, step in RECIPES.items()]
    chosen = [step for step in recipe if {*names}.issuperset(step.columns or ())]
    chosen += [step.__class__(**{**vars(step), "columns": ("all",)}) for step in TOGETHER]
    return sudare.apply(table, chosen).data


def bits(column: pa.ChunkedArray) -> list[object]:
    """Return values by which 0.0 and -0.0 differ."""
    return [repr(value) for value in column.to_pylist()]


@pytest.mark.parametrize(
    "kind", [pa.float64(), pa.float32(), pa.int8(), pa.int32(), pa.int64()], ids=str
)
def test_functions_of_numbers_are_those_of_numpy(spark: Any, kind: pa.DataType) -> None:
    names = [n for n in RECIPES if n != "stated" or kind == pa.float64()]
    values = pa.array([*FLOATS, None]).cast(pa.float64()) if pa.types.is_floating(kind) else WHOLES
    if kind == pa.float32():
        values = pa.array(np.append(FLOATS[np.abs(FLOATS) < 1e38], np.nan).astype(np.float32))
    table = pa.table({name: pa.array(values).cast(kind) for name in [*names, "all"]})
    there = masked(sudare.open(spark.createDataFrame(table).coalesce(2)), names)
    here = masked(sudare.read(table), names).to_frame("pyarrow")
    assert "Python" not in there.to_frame()._jdf.queryExecution().toString()
    brought = there.to_frame("pyarrow")
    assert brought.schema.types == here.schema.types
    assert {n: bits(brought[n]) for n in names} == {n: bits(here[n]) for n in names}
    assert bits(brought["all"]) == bits(here["all"])


@pytest.mark.parametrize("how", ["nearest", "down"])
def test_numbers_near_the_largest_there_is_are_those_of_numpy(spark: Any, how: How) -> None:
    values = pa.array([*FLOATS, 1.7e308, -1.7e308, np.finfo(float).max, None])
    bases = {"tenths": 0.1, "tens": 10.0, "huge": 1e308}
    table = pa.table(dict.fromkeys(bases, values))
    rounding = Rounding(columns=tuple(bases), base=bases, how=how)
    there = sudare.apply(sudare.open(spark.createDataFrame(table)), rounding).data
    here: Any = sudare.apply(sudare.read(table), rounding).data.to_frame("pyarrow")
    brought = there.to_frame("pyarrow")
    assert {n: bits(brought[n]) for n in bases} == {n: bits(here[n]) for n in bases}


def test_whole_numbers_that_outgrow_their_type_are_widened(spark: Any) -> None:
    table = pa.table(
        {"narrow": pa.array([1, 127], pa.int8()), "half": pa.array([1, 7], pa.int32())}
    )
    steps = [Rounding(base={"narrow": 50.0}), TopBottomCode(top={"half": 2.5})]
    there, here = (
        sudare.apply(data, steps).data.to_frame("pyarrow")
        for data in (sudare.open(spark.createDataFrame(table)), sudare.read(table))
    )
    assert there.equals(here)
    assert there.schema.types == [pa.int64(), pa.float64()]


def test_bounds_do_not_survey_a_column_that_its_type_describes(spark: Any) -> None:
    table = sudare.open(spark.createDataFrame(pa.table({"income": [1.5, 2.5, 9.5]})))
    edited = sudare.apply(table, EditRules(rules=("income from 2 to 9",))).data
    assert edited.to_frame("pyarrow")["income"].to_pylist() == [2.0, 2.5, 9.0]
    assert not {**table.codings, **table.outlines}


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.int32()], ids=str)
@pytest.mark.parametrize(
    "method", [OrthogonalTransform(loss=0.4), RegressionSynthesis(noise=False)], ids=repr
)
def test_sums_of_several_columns_are_those_of_numpy(spark: Any, method: Any, kind: Any) -> None:
    rng = np.random.default_rng(3)
    numbers = rng.lognormal(6, 1, (3, 400))
    numbers[1] += numbers[0]
    table = pa.table(
        {n: pa.array(np.round(x)).cast(kind) for n, x in zip("abc", numbers, strict=True)}
    )
    gaps = pa.array([None, *table["b"].to_pylist()[1:-1], None], kind)
    table = table.set_column(1, "b", gaps)
    recipe = [TopBottomCode(top=2000.0, columns=("a",)), replaced(method), Rounding(columns=("c",))]
    here: Any = sudare.apply(sudare.read(table), recipe, seed=1).data.to_frame("pyarrow")
    masked_there = sudare.apply(sudare.open(spark.createDataFrame(table)), recipe, seed=1).data
    there: Any = masked_there.to_frame("pyarrow")
    assert [bits(there[n]) for n in "abc"] == [bits(here[n]) for n in "abc"]
    plan = masked_there.to_frame()._jdf.queryExecution().toString()
    assert ("MapInArrow" in plan) is method.random  # by class: also where no noise is asked for


def replaced(method: Any) -> Any:
    return method.__class__(**{**vars(method), "columns": ("a", "b", "c")})


def test_sums_of_drawn_columns_pass_through_python(spark: Any) -> None:
    values = np.random.default_rng(4).normal(size=(2, 300)).round(3)
    table = pa.table({"a": values[0], "b": values[1] + values[0]})
    both = ("a", "b")
    recipe = [Noise(columns=("a",)), OrthogonalTransform(columns=both, loss=0.5)]
    here: Any = sudare.apply(sudare.read(table), recipe, seed=1).data.to_frame("pyarrow")
    opened = sudare.open(spark.createDataFrame(table).coalesce(2))
    there: Any = sudare.apply(opened, recipe, seed=1).data.to_frame("pyarrow")
    assert [bits(there[n]) for n in both] == [bits(here[n]) for n in both]
