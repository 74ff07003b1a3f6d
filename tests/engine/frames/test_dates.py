"""Dates and times as text: nothing is lost on the way, before 1970 either."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.engine.frames.dates import dates_of, numbers_of, texts_of, written_labels


@given(
    st.lists(st.integers(-100_000, 100_000), min_size=1),
    st.sampled_from([pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("ms")]),
)
def test_a_text_says_the_whole_date(numbers: list[int], kind: pa.DataType) -> None:
    values = np.array(numbers, np.float64)
    column = Numeric("when", values, storage=kind)
    dates = dates_of(column, values)
    assert numbers_of(column, dates).tolist() == values.tolist()
    assert np.array(texts_of(column, values), dates.dtype).tolist() == dates.tolist()


def test_a_time_has_the_clock_of_its_zone() -> None:
    column = Numeric("when", np.array([0.0, -32400.0]), storage=pa.timestamp("s", "Asia/Tokyo"))
    assert texts_of(column, column.values) == ("1970-01-01T09:00:00", "1970-01-01")
    assert numbers_of(column, dates_of(column, column.values)).tolist() == [0, -32400]


@pytest.mark.parametrize("kind", [None, pa.int64(), pa.duration("s"), pa.time32("s")])
def test_other_labels_are_as_they_are(kind: pa.DataType | None) -> None:
    column = Numeric("size", np.array([1.0, 2.0]), storage=kind)
    assert written_labels(column) == (1, 2)
    masked = Categorical("day", np.array([0]), ("1998–1999",), storage=pa.date32())
    assert written_labels(masked) == ("1998–1999",)


def test_a_mean_of_days_is_a_day() -> None:
    column = Numeric("day", np.array([0.4, 1.6]), storage=pa.date32())
    assert written_labels(column) == ("1970-01-01", "1970-01-03")
