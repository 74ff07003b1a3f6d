"""A masked column is rewritten as the original is, where its values are the same."""

import pickle
from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from sudare.core.errors import MismatchError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column, Label
from sudare.core.table.numeric import Numeric
from sudare.describe.pairing.writing import Rewriting, rewriting

DAYS = Numeric("born", np.array([0.0, 10_957.0, np.nan]), storage=pa.date32())


def labelled(*labels: Label, codes: list[int] | None = None, **more: object) -> Categorical:
    given = np.arange(len(labels)) if codes is None else np.array(codes)
    return Categorical("x", given, labels, **more)  # type: ignore[arg-type]


def written(before: Column, after: Column) -> Column:
    rewrite = rewriting(before, after)
    assert rewrite is not None
    sent: Rewriting = pickle.loads(pickle.dumps(rewrite))  # noqa: S301 - as a cluster gets it
    return sent(after)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), unique=True))
def test_numbers_come_back_from_text(numbers: list[float]) -> None:
    before = Numeric("x", np.array(numbers))
    back = written(before, labelled(*map(str, numbers)))
    assert isinstance(back, Numeric)
    np.testing.assert_array_equal(back.values, before.values)


@pytest.mark.parametrize(
    "texts",
    [
        ("1970-01-01", "2000-01-01"),
        ("1970-01-01 00:00:00", "2000-01-01T00:00"),
        (date(1970, 1, 1), date(2000, 1, 1)),
        (datetime(1970, 1, 1), datetime(2000, 1, 1)),
    ],
)
def test_dates_come_back_from_text(texts: tuple[Label, ...]) -> None:
    back = written(DAYS, labelled(*texts, codes=[0, 1, -1]))
    assert isinstance(back, Numeric)
    np.testing.assert_array_equal(back.values, DAYS.values)
    assert back.storage == pa.date32()


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_dates_come_back_from_times(unit: str, zone: str | None) -> None:
    hours = 9 if zone else 0  # midnight in Tokyo is 15:00 of the day before
    seconds = np.array([-hours * 3600.0, 10_957 * 86_400 - hours * 3600, np.nan])
    factor = {"s": 1, "ms": 10**3, "us": 10**6}[unit]
    after = Numeric("born", seconds * factor, storage=pa.timestamp(unit, zone))
    back = written(DAYS, after)
    assert isinstance(back, Numeric)
    np.testing.assert_array_equal(back.values, DAYS.values)


def test_times_come_back_from_dates_and_from_finer_units() -> None:
    before = Numeric("t", np.array([0.0, 86_400.0]), storage=pa.timestamp("s"))
    for after in (
        Numeric("t", np.array([0.0, 1.0]), storage=pa.date32()),
        Numeric("t", np.array([0.0, 86_400e6]), storage=pa.timestamp("us")),
    ):
        back = written(before, after)
        assert isinstance(back, Numeric)
        assert back.values.tolist() == before.values.tolist()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1, 2, 10), ("1", "10", "2")),
        ((1, 2, 10), (1.0, 2.0, 10.0)),
        (("1", "2", "10"), (1, 2, 10)),
        (("01", "02", "10"), (1, 2, 10)),
        ((False, True), ("False", "True")),
        ((False, True), ("false", "true")),
        (("low", 1), ("1", "low")),
    ],
)
def test_labels_come_back_on_the_codes_and_scale_of_the_original(
    before: tuple[Label, ...], after: tuple[Label, ...]
) -> None:
    original = labelled(*before, scale="ordinal")
    back = written(original, labelled(*after)).coded
    assert back.labels == original.labels
    assert list(map(type, back.labels)) == list(map(type, before))
    assert sorted(back.codes.tolist()) == original.codes.tolist()
    assert back.scale == "ordinal"


def test_numbers_after_become_the_labels_before() -> None:
    back = written(labelled("1", "2"), Numeric("x", np.array([2.0, 1.0, np.nan, 7.0])))
    assert back.coded.labels == ("1", "2", 7)
    assert back.coded.codes.tolist() == [1, 0, -1, 2]


def test_what_is_not_a_number_stays_a_label_beside_the_numbers() -> None:
    before = Numeric("age", np.array([20.0, 35.0, 80.0]))
    back = written(before, labelled("20", "35", "65 or more"))
    assert back.coded.labels == (20, 35, "65 or more")


def test_absent_values_stay_absent_in_the_same_way() -> None:
    back = written(Numeric("x", np.array([1.0, np.nan, np.nan])), labelled("1", codes=[0, -1, -2]))
    assert back.missing.tolist() == [False, True, False]
    assert back.not_applicable.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (labelled("01", "02"), labelled("1", "2")),
        (labelled("a", "b"), labelled("b", "c")),
        (labelled(1, 2), labelled(2, 3)),
        (labelled("a", "b"), Numeric("x", np.array([1.0]))),
        (Numeric("x", np.array([1.0])), labelled("a")),
        (Numeric("x", np.array([1.0])), Numeric("x", np.array([9.0]))),
        (DAYS, DAYS),
    ],
)
def test_what_is_written_alike_or_is_something_else_stays(before: Column, after: Column) -> None:
    assert rewriting(before, after) is None


def test_a_label_that_could_be_two_of_the_original_is_neither() -> None:
    assert rewriting(labelled("1", "01"), labelled(1)) is None
    assert rewriting(labelled("1", "01", "a"), labelled(1, "a")) is None


def test_dates_and_plain_numbers_are_refused_by_name() -> None:
    with pytest.raises(MismatchError, match="column 'born' holds dates or times in one table"):
        rewriting(DAYS, Numeric("born", np.array([19_700_101.0])))
