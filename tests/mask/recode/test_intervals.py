import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import NumberClasses
from sudare.core.errors import ColumnError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import NOT_APPLICABLE
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import Intervals
from sudare.mask.recode.intervals import even_breaks, labels_of, log_breaks


def table(*values: float, **facts: object) -> Microdata:
    return Microdata((Numeric("x", np.array(values), role="key", **facts),))  # type: ignore[arg-type]


def intervals(data: Microdata, **settings: object) -> Categorical:
    column = Intervals(**settings).fit(data).transform(data)["x"]  # type: ignore[arg-type]
    assert isinstance(column, Categorical)
    return column


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 40))
def test_even_breaks_rise_within_the_bounds_and_are_few(
    low: float, span: float, classes: int
) -> None:
    breaks = even_breaks(low, low + span, classes)
    assert len(breaks) < classes
    assert (np.diff(breaks) > 0).all()
    assert (breaks > low).all()
    assert (breaks <= low + span).all()


@given(st.floats(1e-6, 1e9), st.integers(2, 40))
def test_amounts_have_0_alone_and_round_numbers_below_the_highest(
    high: float, classes: int
) -> None:
    breaks = log_breaks(high, classes)
    assert len(breaks) == classes - 1
    assert (np.diff(breaks) > 0).all()
    assert (breaks < high).all()
    assert NumberClasses(breaks, ()).apply(np.array([0.0, 1e-300, high])).tolist() == [
        0,
        1,
        len(breaks),
    ]


@given(st.lists(st.floats(0, 5000), min_size=2, max_size=50), st.integers(2, 20))
def test_classes_keep_the_order_of_the_numbers(values: list[float], classes: int) -> None:
    column = intervals(table(*values), classes=classes)
    order = np.argsort(values, kind="stable")
    assert (np.diff(column.codes[order]) >= 0).all()
    assert column.codes.max() < len(column.labels) <= classes


def test_labels_say_what_belongs() -> None:
    assert labels_of(log_breaks(4356, 4), (0, 4356)) == (
        "[0]",
        "(0, 1000)",
        "[1000, 2000)",
        "[2000, 4356]",
    )
    assert labels_of(np.array([5.0, 10.0]), (1, 10)) == ("[1, 5)", "[5, 10)", "[10]")
    assert intervals(table(3.0, 3.0), bounds={"x": (3, 3)}).labels == ("[3]",)


@pytest.mark.parametrize("start", [1_234_567_890_123.0, 123_456_789.25, 1e14])
def test_classes_of_long_numbers_have_labels_of_their_own(start: float) -> None:
    labels = labels_of(start + np.arange(6.0), (start - 1, start + 6))
    assert len(set(labels)) == len(labels) == 7
    assert not any("e+" in label for label in labels)


def test_the_extremes_of_the_data_are_not_in_the_labels() -> None:
    data = table(17.25, 30, 72494.88)
    plan = Intervals(classes=5).fit(data)
    assert "17.25" not in str(plan.step.public)
    assert "72494.88" not in str(plan.step.public)
    labels = ("<20000", "[20000, 40000)", "[40000, 60000)", "≥60000")
    assert plan.step.public["x"]["labels"] == intervals(data, classes=5).labels == labels
    assert intervals(table(0, 72494.88), classes=3).labels == ("[0]", "(0, 50000)", "≥50000")
    assert intervals(table(0, 5), classes=2, spacing="log").labels == ("[0]", ">0")
    assert intervals(table(3, 3)).labels == ("*",)


def test_the_breaks_depend_on_the_bounds_alone() -> None:
    few, many = table(0, 1, 2, 9000), table(0, 500, 700, 8000, 9000, 9000)
    assert intervals(few).labels == intervals(many).labels
    assert intervals(few, bounds={"x": (0.0, 9000.0)}).labels[:-1] == intervals(few).labels[:-1]


def test_small_ranges_from_0_are_no_amounts() -> None:
    assert intervals(table(0, 99), classes=5).labels[0] == "<20"
    assert intervals(table(0, 99), classes=5, spacing="log").labels[0] == "[0]"


def test_absent_values_stay_absent() -> None:
    data = table(np.nan, 1, np.nan, 5, absent=np.array([True, False, False, False]))
    column = intervals(data, breaks={"x": (2.0,)})
    assert column.codes.tolist() == [NOT_APPLICABLE, 0, -1, 1]
    assert column.labels == ("<2", "≥2")


def test_numbers_beyond_the_bounds_go_to_the_end_when_the_plan_meets_them() -> None:
    plan = Intervals(breaks={"x": (2.0, 4.0)}).fit(table(1, 5))
    assert plan.transform(table(-9, 2, 99))["x"].coded.codes.tolist() == [0, 1, 2]


def test_given_breaks_do_not_depend_on_the_data() -> None:
    assert intervals(table(1, 5), breaks={"x": (2.0, 9.0)}).labels == ("<2", "[2, 9)", "≥9")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"breaks": {"x": (4.0, 2.0)}}, SettingError, "must rise"),
        (
            {"breaks": {"x": (9.0,)}, "bounds": {"x": (0.0, 8.0)}},
            SettingError,
            "between its bounds",
        ),
        ({"spacing": "log"}, SettingError, "'x' does not"),
        ({"bounds": {"x": (2.0, 9.0)}}, ColumnError, "beyond its bounds"),
        ({"classes": 1}, SettingError, "at least 2"),
    ],
)
def test_bad_settings_are_refused(
    settings: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        intervals(table(1, 5), **settings)


def test_the_step_publishes_breaks_and_labels(toy: Microdata) -> None:
    masked = sudare.apply(toy, Intervals(classes=5))
    assert set(masked.steps[0].public["age"]) == {"breaks", "labels"}


@pytest.mark.parametrize(
    ("classes", "labels"),
    [
        (2, ("<2000-01-01", "≥2000-01-01")),
        (3, ("<1999-01-01", "[1999-01-01, 2000-01-01)", "≥2000-01-01")),
    ],
)
@pytest.mark.parametrize(
    "storage", [pa.date32(), pa.timestamp("us"), pa.timestamp("s", "Asia/Tokyo")]
)
def test_dates_are_cut_at_months_and_years(
    classes: int, labels: tuple[str, ...], storage: pa.DataType
) -> None:
    days = pa.array(["1998-03-21", "1999-12-31", "2000-01-01"]).cast(pa.date32())
    column = sudare.read(pa.table({"x": _as(days, storage)}))["x"]
    recoded = intervals(Microdata((column,)), classes=classes, columns=("x",))
    assert recoded.labels == labels
    assert recoded.codes.tolist() == [0, classes - 2, classes - 1]


def _as(days: pa.Array, storage: pa.DataType) -> pa.Array:
    """Return midnights of days in a type, by its own clock."""
    if pa.types.is_date(storage):
        return days
    times = days.cast(pa.timestamp(storage.unit))
    return times if storage.tz is None else pc.assume_timezone(times, storage.tz)
