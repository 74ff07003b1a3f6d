"""Masked values that no longer fit their type come out in the nearest that has room for them."""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sudare
from sudare.core.errors import ColumnError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from tests.engine.looking import cells


def shifted(frame: Any, change: Callable[[Any], Any]) -> Any:
    """Return the frame with the numbers of column 'v' changed."""
    data = sudare.read(frame)
    column = data["v"]
    assert isinstance(column, Numeric)
    return data.replacing([replace(column, values=change(column.values))]).to_frame()


def relabelled(frame: Any, labels: tuple[object, ...], **options: Any) -> Any:
    """Return the frame with the labels of column 'v' exchanged for others."""
    data = sudare.read(frame, **options)
    column = data["v"]
    assert isinstance(column, Categorical)
    return data.replacing([replace(column, labels=labels)]).to_frame()


def typed(values: list[Any], kind: pa.DataType) -> pa.Table:
    return pa.table({"v": pa.array(values, kind)})


CHANGES: dict[str, tuple[pa.DataType, list[Any], Callable[[Any], Any], pa.DataType, list[Any]]] = {
    "fractions of whole numbers": (pa.int8(), [1, 2], lambda v: v + 0.5, pa.float64(), [1.5, 2.5]),
    "too large for a byte": (pa.int8(), [1, 2], lambda v: v + 200, pa.int64(), [201, 202]),
    "below zero": (pa.uint16(), [1, 2], lambda v: v - 2, pa.int64(), [-1, 0]),
    "beyond whole numbers": (pa.int64(), [1, 2], lambda v: v * 1e19, pa.float64(), [1e19, 2e19]),
    "still whole": (pa.int8(), [1, 2], lambda v: v + 1, pa.int8(), [2, 3]),
    "beyond short floats": (pa.float32(), [1, 2], lambda v: v * 1e39, pa.float64(), [1e39, 2e39]),
    "decimals": (
        pa.decimal128(4, 2),
        [Decimal("1.10"), Decimal("2.00")],
        lambda v: v + 0.25,
        pa.decimal128(4, 2),
        [Decimal("1.35"), Decimal("2.25")],
    ),
    "too fine for decimals": (
        pa.decimal128(4, 2),
        [Decimal("1.10"), Decimal("2.00")],
        lambda v: v + 0.125,
        pa.float64(),
        [1.225, 2.125],
    ),
    "too large for decimals": (
        pa.decimal128(4, 2),
        [Decimal("1.10"), Decimal("2.00")],
        lambda v: v * 1000,
        pa.float64(),
        [1100.0, 2000.0],
    ),
    "half a day": (
        pa.date32(),
        [dt.date(2020, 1, 1), dt.date(2020, 1, 3)],
        lambda v: v + 0.75,
        pa.date32(),
        [dt.date(2020, 1, 2), dt.date(2020, 1, 4)],
    ),
    "dates in milliseconds": (
        pa.date64(),
        [dt.date(2020, 1, 1), dt.date(2020, 1, 3)],
        lambda v: v + 0.75,
        pa.date64(),
        [dt.date(2020, 1, 2), dt.date(2020, 1, 4)],
    ),
    "times in nanoseconds": (
        pa.timestamp("ns"),
        [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1)],
        lambda v: v + np.array([1e6, 2e6]),
        pa.timestamp("ns"),
        [dt.datetime(2020, 1, 1, 0, 0, 1), dt.datetime(2020, 1, 1, 0, 0, 2)],
    ),
    "beyond midnight": (
        pa.time32("s"),
        [dt.time(23, 0), dt.time(1, 0)],
        lambda v: v + 7200,
        pa.int64(),
        [90_000, 10_800],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_numbers_come_out_in_the_nearest_type(name: str) -> None:
    kind, values, change, expected, after = CHANGES[name]
    table = shifted(typed(values, kind), change)
    assert table.schema.field("v").type == expected
    assert table.column("v").to_pylist() == after


def test_labels_come_out_in_the_nearest_type() -> None:
    cases: list[tuple[pa.Table, dict[str, Any], tuple[Any, ...], pa.DataType]] = [
        (typed([1, 2], pa.int8()), {"scales": {"v": "nominal"}}, (5, 6), pa.int8()),
        (typed([1, 2], pa.int8()), {"scales": {"v": "nominal"}}, (5, 600), pa.int64()),
        (typed([1, 2], pa.int8()), {"scales": {"v": "nominal"}}, (1.5, 2), pa.float64()),
        (typed([1, 2], pa.int8()), {"scales": {"v": "nominal"}}, (1, "2–3"), pa.string()),
        (typed([True, False], pa.bool_()), {}, (False, "either"), pa.string()),
        (typed([1.5, 2.5], pa.float64()), {"scales": {"v": "nominal"}}, (1, "2–3"), pa.string()),
        (typed(["a", "b"], pa.string()), {}, ("a・b", "c"), pa.string()),
        (typed([2**60, 2**60 + 1], pa.int64()), {}, (2**60 + 1, 2**60 + 3), pa.int64()),
    ]
    for table, options, labels, expected in cases:
        out = relabelled(table, labels, **options)
        assert out.schema.field("v").type == expected
        texts = sorted(map(str, out.column("v").to_pylist()))
        assert texts == sorted(
            str(float(x)) if expected == pa.float64() else str(x) for x in labels
        )


def test_days_made_labels_by_name_or_later_go_out_as_days() -> None:
    days = [dt.date(2020, 1, 1), dt.date(2020, 1, 2)]
    for kind in (pa.date32(), pa.date64(), pa.timestamp("ns"), pa.timestamp("us", "UTC")):
        table = pa.table({"v": pa.array(days, pa.date32()).cast(kind)})
        later: Any = sudare.read(table).assigning(scales={"v": "nominal"}).to_frame()
        assert later.equals(table)
        by_name: Any = sudare.read(table, scales={"v": "nominal"}).to_frame()
        assert by_name.equals(table)


def test_merged_labels_of_a_pandas_category_are_not_lost() -> None:
    for ordered in (True, False):
        for labels in (list("abc"), [f"c{i:05}" for i in range(40_000)]):
            frame = pd.DataFrame({"v": pd.Categorical(labels, ordered=ordered)})
            out = relabelled(frame, ("a・b", *labels[1:]))
            assert out["v"].dtype == pd.CategoricalDtype(["a・b", *labels[1:]], ordered=ordered)
            assert out["v"].tolist() == ["a・b", *labels[1:]]


def test_merged_labels_of_a_category_of_numbers_become_text() -> None:
    frame = pd.DataFrame({"v": pd.Categorical([1, 2, 3], ordered=True)})
    out = relabelled(frame, ("1–2", 3, 4))
    assert out["v"].tolist() == ["1–2", "3", "4"]
    assert out["v"].cat.ordered


def test_merged_labels_of_a_polars_enum_make_a_new_enum() -> None:
    frame = pl.DataFrame({"v": ["a", "b", None]}, schema={"v": pl.Enum(["a", "b", "c"])})
    out = relabelled(frame, ("a–b", "b", "c"))
    assert out.schema["v"] == pl.Enum(["a–b", "b", "c"])
    assert out["v"].to_list() == ["a–b", "b", None]


@pytest.mark.parametrize("dtype", ["int8", "Int8", "bool", "boolean", "int64[pyarrow]", "object"])
def test_masked_pandas_columns_lose_nothing(dtype: str) -> None:
    series = pd.Series([1, 0, 1, 1], dtype=dtype)
    frame = pd.DataFrame({"v": series, "k": list("abcd")})
    data = sudare.read(frame, scales={"v": "nominal"}, roles={"v": "key", "k": "key"})
    masked: Any = sudare.apply(data, sudare.mask.Pram(retain=0.5), seed=3).data.to_frame()
    assert masked["v"].dtype == series.dtype
    assert set(masked["v"].tolist()) <= {0, 1}
    merged = sudare.apply(data, sudare.mask.GlobalRecode(min_share=0.9)).data
    assert set(cells(merged, "v")) == set(merged.to_frame()["v"])  # type: ignore[index]


def test_noise_on_a_pandas_column_of_bytes_is_kept() -> None:
    frame = pd.DataFrame({"v": np.array([1, 100, 127, 50], "int8")})
    data = sudare.read(frame, roles={"v": "key"})
    masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=5.0), seed=1).data
    out: Any = masked.to_frame()
    assert out["v"].tolist() == cells(masked, "v")


@pytest.mark.parametrize(
    "method",
    [
        sudare.mask.Pram(columns=("none",)),
        sudare.mask.GlobalRecode(columns=("none",)),
        sudare.mask.Noise(columns=("none",)),
    ],
    ids=lambda method: type(method).__name__,
)
def test_a_column_without_values_is_read_and_written_but_not_masked(method: Any) -> None:
    data = sudare.read(pa.table({"none": pa.array([None, None], pa.int8()), "b": [1, 2]}))
    out: Any = data.to_frame()
    assert out.column("none").to_pylist() == [None, None]
    if not isinstance(method, sudare.mask.Noise):
        data = data.assigning(scales={"none": "nominal"})
    with pytest.raises(ColumnError, match="column 'none' has no values"):
        sudare.apply(data, method, seed=1)


def test_merged_categories_survive_every_file(tmp_path: Path, toy: sudare.Microdata) -> None:
    masked = sudare.apply(
        toy,
        [sudare.mask.GlobalRecode(min_share=0.1), sudare.mask.Noise(columns=("income", "age"))],
        seed=1,
    ).data
    for ending in ("csv", "parquet", "xlsx", "sav", "dta", "xpt"):
        again = sudare.read(
            sudare.write(masked, tmp_path / f"out.{ending}"), not_applicable=["not applicable"]
        )
        for name in ("region", "education", "occupation", "sex"):
            assert cells(again, name) == cells(masked, name), (ending, name)
        close = np.isclose(again["age"].values, masked["age"].values)  # type: ignore[attr-defined]
        assert close.all(), ending
