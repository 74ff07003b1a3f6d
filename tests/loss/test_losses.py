from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import sudare
from sudare.core.errors import MismatchError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.loss import DirectComparison, MeanAbsoluteError, TotalVariation
from sudare.loss.distances.mean_absolute_error import absolute_errors
from sudare.loss.tables.direct_comparison import category_distance
from sudare.loss.tables.distribution_distances import total_variation

DECADES = tuple(f"{decade}s" for decade in range(0, 100, 10))


def ages(*codes: int, scale: str = "ordinal") -> Categorical:
    return Categorical("age", np.array(codes), DECADES, scale=scale)  # type: ignore[arg-type]


def test_two_decades_apart_of_ten_is_a_distance_of_a_fifth() -> None:
    assert category_distance(ages(3), ages(5)).tolist() == [0.2]
    assert category_distance(ages(3, scale="nominal"), ages(5, scale="nominal")).tolist() == [1]


@given(st.integers(0, 9), st.integers(0, 9))
def test_the_ordinal_distance_counts_the_categories_in_between(before: int, after: int) -> None:
    between = [c for c in range(10) if min(before, after) <= c < max(before, after)]
    assert category_distance(ages(before), ages(after))[0] == pytest.approx(len(between) / 10)


def test_absences_are_equal_only_to_their_own_kind() -> None:
    distance = category_distance(ages(-1, -2, -1, 3), ages(-1, -2, -2, -1))
    assert distance.tolist() == [0, 0, 1, 1]


def test_a_label_that_the_original_has_not_is_at_full_distance() -> None:
    after = Categorical("age", np.array([0, 1]), ("0s・10s", "20s"), scale="ordinal")
    assert category_distance(ages(0, 2), after).tolist() == [1, 0]


shares = arrays(float, 6, elements=st.floats(0.01, 1)).map(lambda x: x / x.sum())


@given(shares, shares, shares)
def test_total_variation_is_a_distance(p: Floats, q: Floats, r: Floats) -> None:
    assert total_variation(p, p) == 0
    assert total_variation(p, q) == pytest.approx(total_variation(q, p))
    assert 0 <= total_variation(p, q) <= 1
    assert total_variation(p, r) <= total_variation(p, q) + total_variation(q, r) + 1e-12


def test_total_variation_counts_weights_and_absences() -> None:
    weight = Numeric("w", np.array([3.0, 1.0]), role="weight")
    before = sudare.Microdata((Categorical("x", np.array([0, 1]), ("a", "b")), weight))
    after = sudare.Microdata((Categorical("x", np.array([0, -1]), ("a", "b")), weight))
    assert TotalVariation()(before, after).value == 0.25


def test_numbers_are_compared_in_classes_of_the_original() -> None:
    values = np.arange(100.0)
    before = sudare.Microdata((Numeric("x", values),))
    after = sudare.Microdata((Numeric("x", np.where(values < 50, values, 0.0)),))
    assert TotalVariation(classes=2)(before, after).value == pytest.approx(0.5, abs=0.02)


def test_mean_absolute_error_by_hand() -> None:
    before = sudare.Microdata(
        (Numeric("x", np.array([1.0, 3.0, np.nan])), Numeric("y", np.zeros(3)))
    )
    after = sudare.Microdata((Numeric("x", np.array([2.0, np.nan, 5.0])), Numeric("y", np.ones(3))))
    result = MeanAbsoluteError()(before, after)
    assert result.parts == {"x": 1.0, "y": 1.0}
    assert MeanAbsoluteError(unit="sd", columns=("x",))(before, after).value == 1.0


def test_mean_absolute_error_of_dates_and_times_is_in_days() -> None:
    days = pl.date_range(date(2026, 1, 1), date(2026, 1, 31), eager=True)
    before = pl.DataFrame({"day": days, "at": days.cast(pl.Datetime("us"))})
    after = before.select(pl.all().dt.offset_by("2d"))
    result = MeanAbsoluteError()(sudare.read(before), sudare.read(after))
    assert result.parts == {"day": 2.0, "at": 2.0}


def test_a_suppressed_number_is_guessed() -> None:
    errors = absolute_errors(np.array([0.0, 10.0]), np.array([np.nan, 10.0]), guess=5.0)
    assert errors.tolist() == [5.0, 0.0]


def test_tables_that_do_not_match_are_refused(toy: sudare.Microdata) -> None:
    with pytest.raises(MismatchError, match="400 rows and the one after has 3"):
        DirectComparison()(toy, toy.take(np.arange(3)))
    with pytest.raises(MismatchError, match="'region' is not in the table after"):
        TotalVariation()(toy, toy.without(["region"]))
    coded = toy.assigning(scales={"income": "ordinal"})
    assert MeanAbsoluteError()(toy, coded).value == 0  # each category is a number
    classes = sudare.apply(toy, sudare.mask.Intervals(columns=("income",), classes=5)).data
    with pytest.raises(MismatchError, match="'income' holds numbers before masking and categories"):
        MeanAbsoluteError()(toy, classes)
