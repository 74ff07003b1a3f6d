"""pandas frames: the types Arrow has no word for come back, and missing never turns to a value."""

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sudare
from sudare.core.errors import InputError
from tests.engine.looking import cells

SERIES: dict[str, pd.Series] = {
    "int8": pd.Series([1, -5, 127], dtype="int8"),
    "uint64": pd.Series([1, 2**64 - 1, 5], dtype="uint64"),
    "Int64": pd.Series([1, None, 3], dtype="Int64"),
    "Int64 beyond floats": pd.Series([2**53 + 1, None, -(2**60) - 1], dtype="Int64"),
    "UInt8": pd.Series([1, None, 255], dtype="UInt8"),
    "float32": pd.Series([0.1, np.nan, 3], dtype="float32"),
    "Float64": pd.Series([0.1, None, 3], dtype="Float64"),
    "bool": pd.Series([True, False, True]),
    "boolean": pd.Series([True, None, False], dtype="boolean"),
    "str": pd.Series(["甲", None, "乙"]),
    "string": pd.Series(["甲", None, "乙"], dtype="string"),
    "object": pd.Series(["甲", "丙", "乙"], dtype=object),
    "dates": pd.Series([dt.date(2020, 2, 29), dt.date(1850, 1, 1), dt.date(1999, 1, 1)]),
    "ns": pd.Series(pd.to_datetime(["2020-01-01 10:30:00.123456", None])).astype("datetime64[ns]"),
    "us": pd.Series(pd.to_datetime(["2020-01-01 10:30", None])).astype("datetime64[us]"),
    "zone": pd.Series(pd.to_datetime(["2020-01-01 10:30", None])).dt.tz_localize("Asia/Tokyo"),
    "timedelta": pd.Series(pd.to_timedelta(["1 days 00:00:05", None])),
    "category": pd.Series(pd.Categorical(["b", None, "a"], categories=["z", "b", "a"])),
    "ordered": pd.Series(pd.Categorical(["b", None, "a"], ["z", "b", "a"], ordered=True)),
    "int category": pd.Series(pd.Categorical([3, None, 1], categories=[9, 3, 1], ordered=True)),
    "many categories": pd.Series(pd.Categorical([f"c{i:05}" for i in range(40_000)])),
    "arrow": pd.Series([1, None, 3], dtype="int32[pyarrow]"),
}


@pytest.mark.parametrize("name", SERIES)
def test_every_type_comes_back(name: str) -> None:
    frame = pd.DataFrame({"値": SERIES[name]})
    back: Any = sudare.read(frame).to_frame()
    pd.testing.assert_frame_equal(back, frame, check_freq=False)


def test_categories_keep_their_order_and_those_not_used() -> None:
    data = sudare.read(pd.DataFrame({name: SERIES[name] for name in ("category", "ordered")}))
    assert data["category"].coded.labels == data["ordered"].coded.labels == ("z", "b", "a")
    assert (data["category"].scale, data["ordered"].scale) == ("nominal", "ordinal")


def test_an_index_with_a_meaning_is_refused() -> None:
    frame = pd.DataFrame({"a": [1, 2], "id": ["x", "y"]})
    by_time = frame.set_index(pd.to_datetime(["2020-01-01", "2020-01-02"]))
    for meant in (frame.set_index("id"), by_time, frame.set_index(["id", "a"])):
        with pytest.raises(InputError, match=r"index with a meaning; make it a column with reset_"):
            sudare.read(meant)


def test_an_index_of_row_numbers_is_left_out() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3]}).iloc[[2, 0]]
    data = sudare.read(frame)
    assert data.names == ("a",)
    assert cells(data, "a") == [3.0, 1.0]
    back: Any = data.to_frame()
    assert back["a"].tolist() == [3, 1]


def test_numbered_columns_are_read_by_their_number_as_text() -> None:
    data = sudare.read(pd.DataFrame(np.eye(2, dtype="int8")), roles={"0": "key"})
    assert data.names == ("0", "1")
    back: Any = data.to_frame()
    assert back["0"].dtype == "int8"


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("int8", "Int8"), ("uint64", "UInt64"), ("bool", "boolean"), ("Int64", "Int64")],
)
def test_values_that_become_missing_are_missing_and_the_others_as_they_were(
    name: str, dtype: str
) -> None:
    frame = pd.DataFrame({"v": SERIES[name], "k": ["x", "y", "z"]})
    first = SERIES[name][0]
    back: Any = sudare.read(frame, scales={"v": "nominal"}, missing=[str(first)]).to_frame()
    expected = SERIES[name].astype(dtype).mask(SERIES[name] == first)
    pd.testing.assert_series_equal(back["v"], expected, check_names=False)
