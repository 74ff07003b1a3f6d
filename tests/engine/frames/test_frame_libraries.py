"""Frames of every library: the same kind comes back, with the same things in it."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sudare
from sudare.core.errors import InputError, SettingError
from tests.engine.conftest import MakeFrame
from tests.engine.looking import cells

COLUMNS: dict[str, list[Any]] = {
    "整数": [3, 1, 2],
    "big": [2**53 + 1, 2**53 + 2, 5],
    "float": [0.1, None, -1e300],
    "区分": ["乙", None, "甲"],
    "truth": [True, False, True],
    "day": [dt.date(2020, 2, 29), None, dt.date(1850, 1, 1)],
    "when": [dt.datetime(2020, 2, 29, 10, 30, 1, 5), None, dt.datetime(1999, 1, 1)],
}


def arrow(frame: Any) -> pa.Table:
    wrapped: Any = nw.from_native(frame)
    if isinstance(wrapped, nw.LazyFrame):
        return wrapped.collect(backend="pyarrow").to_native()
    return wrapped.to_arrow()


def test_the_same_kind_comes_back_with_the_same_in_it(make_frame: MakeFrame) -> None:
    frame = make_frame(COLUMNS)
    back = sudare.read(frame).to_frame()
    assert type(back) is type(frame)
    assert arrow(back).to_pydict() == arrow(frame).to_pydict()
    assert arrow(back).schema.types == arrow(frame).schema.types


def test_what_is_read_does_not_depend_on_the_library(make_frame: MakeFrame) -> None:
    data = sudare.read(make_frame(COLUMNS), roles={"区分": "key"}, scales={"整数": "nominal"})
    usual = sudare.read(pl.DataFrame(COLUMNS), roles={"区分": "key"}, scales={"整数": "nominal"})
    assert data.equals(usual)


def test_a_frame_can_be_had_in_any_kind(make_frame: MakeFrame) -> None:
    data = sudare.read(make_frame(COLUMNS))
    for kind in ("pandas", "polars", "polars-lazy", "pyarrow", "duckdb"):
        frame = data.to_frame(kind)
        assert frame.__class__.__module__.split(".")[0] in {kind.split("-")[0], "_duckdb"}
        assert sudare.read(frame).equals(data)
    assert isinstance(data.to_frame("polars-lazy"), pl.LazyFrame)


def test_a_kind_that_does_not_exist_is_refused() -> None:
    data = sudare.read(pl.DataFrame({"a": [1]}))
    for call in (data.to_frame, lambda kind: sudare.to_frame(data, kind)):
        with pytest.raises(SettingError, match="kind must be one of pandas, polars, polars-lazy"):
            call("panda")


def test_the_frame_given_stays_as_it_is(make_frame: MakeFrame) -> None:
    frame = make_frame(COLUMNS)
    data = sudare.read(frame, roles={"区分": "key"})
    sudare.apply(data, sudare.mask.Pram(retain=0.0), seed=1).data.to_frame()
    assert arrow(frame).to_pydict() == arrow(make_frame(COLUMNS)).to_pydict()


def test_a_column_without_values_is_accepted(make_frame: MakeFrame) -> None:
    data = sudare.read(make_frame({"a": [1, 2], "none": [None, None]}))
    assert cells(data, "none") == [None, None]
    assert arrow(data.to_frame()).column("none").to_pylist() == [None, None]


def test_a_frame_without_rows_is_refused(make_frame: MakeFrame) -> None:
    empty = {"a": pa.array([], pa.int64())} if make_frame is pa.table else {"a": []}
    with pytest.raises(InputError, match="column names but no rows"):
        sudare.read(make_frame(empty))


def test_names_that_sql_would_stumble_on_are_kept(make_frame: MakeFrame) -> None:
    names = ['a "b"', "select", "it's", "a.b", "列 1", "{x}"]
    frame = make_frame({name: ["p", "q"] for name in names})
    data = sudare.read(frame, roles={'a "b"': "key"})
    assert arrow(data.to_frame()).column_names == names


def test_polars_enums_keep_their_order() -> None:
    frame = pl.DataFrame({"e": ["b", None, "a"]}, schema={"e": pl.Enum(["z", "b", "a"])})
    data = sudare.read(frame)
    assert (data["e"].coded.labels, data["e"].scale) == (("z", "b", "a"), "ordinal")
    back: Any = data.to_frame()
    assert back.equals(frame)
    assert back.schema == frame.schema


def test_polars_categoricals_do_not_depend_on_what_was_met_first() -> None:
    pl.Series(["q", "p"], dtype=pl.Categorical)
    frame = pl.DataFrame({"c": ["q", "p", None]}, schema={"c": pl.Categorical})
    data = sudare.read(frame)
    assert (data["c"].coded.labels, data["c"].scale) == (("p", "q"), "nominal")
    back: Any = data.to_frame()
    assert back.schema == frame.schema
    assert back["c"].to_list() == ["q", "p", None]


def test_duckdb_enums_and_its_own_types_survive() -> None:
    relation: Any = duckdb.sql(
        "select * from (values ('b'::ENUM('z', 'b', 'it''s'), 1.50::DECIMAL(10, 2), 5::UTINYINT, "
        "TIMESTAMPTZ '2020-01-01 00:00:00+09', TIME '10:30:00'), (NULL, NULL, NULL, NULL, NULL)) "
        "t(e, d, u, z, h)"
    )
    back: Any = sudare.read(relation).to_frame()
    assert back.types == relation.types
    assert arrow(back).to_pydict() == arrow(relation).to_pydict()


def test_arrow_categories_keep_order_and_unused_labels() -> None:
    labels = pa.array(["high", "low", "never"])
    column = pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.int8()), labels, ordered=True)
    back: Any = sudare.read(pa.table({"c": column})).to_frame()
    chunk = back.column("c").chunk(0)
    assert chunk.to_pylist() == ["low", None, "high"]
    assert chunk.dictionary.to_pylist() == labels.to_pylist()
    assert chunk.type.ordered


def test_decimals_and_durations_survive() -> None:
    values = [Decimal("1.10"), None, Decimal("-2.05")]
    spans = [dt.timedelta(days=1, seconds=5), None, dt.timedelta(0)]
    table = pa.table({"d": pa.array(values, pa.decimal128(12, 2)), "s": spans})
    back: Any = sudare.read(table).to_frame()
    assert back.equals(table)


def pair(values: Any) -> dict[str, Any]:
    return {"ok": [1, 2], "v": values}


ODD: dict[str, Callable[[], Any]] = {
    "pandas lists": lambda: pd.DataFrame(pair([[1], [2]])),
    "pandas mixed": lambda: pd.DataFrame(pair([1, "x"])),
    "pandas objects": lambda: pd.DataFrame(pair([object(), object()])),
    "pandas periods": lambda: pd.DataFrame(pair(pd.period_range("2020", periods=2, freq="M"))),
    "pandas intervals": lambda: pd.DataFrame(pair(pd.cut(pd.Series([1, 9]), [0, 4, 10]))),
    "polars lists": lambda: pl.DataFrame(pair([[1], [2]])),
    "polars structs": lambda: pl.DataFrame(pair([{"x": 1}, {"x": 2}])),
    "polars bytes": lambda: pl.DataFrame(pair([b"1", b"2"])),
    "polars objects": lambda: pl.DataFrame(pair([object(), object()])),
    "polars huge": lambda: pl.DataFrame(pair(pl.Series([1, 2**100], dtype=pl.Int128))),
    "duckdb intervals": lambda: duckdb.sql("select 1 ok, INTERVAL 1 MONTH v"),
    "duckdb lists": lambda: duckdb.sql("select 1 ok, [1, 2] v"),
}
TWICE: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame([[1, 2]], columns=["a", "a"]),
    "pyarrow": lambda: pa.table([[1], [2]], names=["a", "a"]),
    "duckdb": lambda: duckdb.sql("select 1 a, 2 a"),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("scales", [{}, {"v": "nominal"}])
def test_columns_that_hold_no_single_kind_of_value_are_refused(name: str, scales: Any) -> None:
    with pytest.raises(InputError, match=r"column 'v' (has the type|holds values of different)"):
        sudare.read(ODD[name](), scales=scales)


@pytest.mark.parametrize("name", TWICE)
def test_column_names_that_occur_twice_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"column names? occurs? more than once"):
        sudare.read(TWICE[name]())
