"""Interval disclosure by hand, and the laws of its widths."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.risk import IntervalDisclosure
from sudare.risk.linkage.interval_disclosure import Interval
from sudare.risk.linkage.robust import mahalanobis

numbers = st.lists(
    st.tuples(*(st.one_of(st.floats(-1e6, 1e6), st.just(float("nan"))) for _ in range(4))),
    min_size=2,
    max_size=30,
)
INTERVALS: tuple[Interval, ...] = ("sd", "rank", "robust")


def tables(records: list[tuple[float, ...]]) -> tuple[sudare.Microdata, sudare.Microdata]:
    values = np.array(records)
    before, after = (
        sudare.Microdata(tuple(Numeric(f"x{column}", side[:, column]) for column in range(2)))
        for side in (values[:, :2], values[:, 2:])
    )
    return before, after


@given(numbers, st.sampled_from(INTERVALS), st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_a_wider_interval_discloses_more(
    records: list[tuple[float, ...]], interval: Interval, widths: tuple[float, float]
) -> None:
    before, after = tables(records)
    narrow, wide = (
        IntervalDisclosure(interval=interval, width=width)(before, after)
        for width in sorted(widths)
    )
    assert 0 <= narrow.value <= wide.value <= 1
    assert narrow.by_record is not None
    assert wide.by_record is not None
    assert (narrow.by_record <= wide.by_record).all()


@given(numbers, st.sampled_from(INTERVALS))
def test_numbers_that_did_not_change_are_disclosed(
    records: list[tuple[float, ...]], interval: Interval
) -> None:
    before, _ = tables(records)
    attack = IntervalDisclosure(interval=interval, width=0.0)(before)
    some = any(column.known.any() for column in before.columns)
    assert attack.value == (1 if some else 0)


def test_an_interval_of_standard_deviations_by_hand() -> None:
    before = sudare.Microdata((Numeric("x", np.array([0.0, 10.0, 20.0, 30.0, np.nan])),))
    after = sudare.Microdata((Numeric("x", np.array([0.0, 11.0, 25.0, np.nan, 30.0])),))
    # The masked 0, 11, 25, 30 have a standard deviation of 13.63; a tenth of it is 1.36.
    attack = IntervalDisclosure(width=0.1)(before, after)
    assert attack.value == pytest.approx(2 / 3)
    assert attack.by_record is not None
    assert attack.by_record.tolist() == [1, 1, 0, 0, 0]


def test_an_interval_of_ranks_by_hand() -> None:
    before = sudare.Microdata((Numeric("x", np.array([1.0, 2.0, 3.0, 4.0, 500.0])),))
    after = sudare.Microdata((Numeric("x", np.array([1.0, 4.0, 3.2, 100.0, 400.0])),))
    # Ranks of the masked: 0.5, 3.5, 3, 4, 4; those of the originals: 0.5, 1.5, 2.5, 3.5, 4.5.
    attack = IntervalDisclosure(interval="rank", width=0.1)(before, after)
    assert attack.by_record is not None
    assert attack.by_record.tolist() == [1, 0, 1, 1, 1]


def test_an_outlier_needs_to_move_further() -> None:
    values = np.append(np.linspace(-1, 1, 101), 50.0)
    before = sudare.Microdata((Numeric("x", values),))
    after = sudare.Microdata((Numeric("x", values + 1.0),))
    plain, robust = (
        IntervalDisclosure(interval=interval, width=0.1)(before, after).by_record
        for interval in ("sd", "robust")
    )
    assert plain is not None
    assert robust is not None
    assert plain[-1] == 0
    assert robust[-1] == 1
    assert robust[50] == 0


def test_robust_distances_are_those_of_mahalanobis_where_all_is_normal() -> None:
    draws = np.random.default_rng(1)
    values = draws.normal(size=(20_000, 3)) @ np.array([[2.0, 1, 0], [0, 1, 3], [0, 0, 1]])
    centred = values - values.mean(axis=0)
    inverse = np.linalg.inv(np.cov(values.T))
    plain = np.sqrt(np.einsum("ij,jk,ik->i", centred, inverse, centred))
    np.testing.assert_allclose(mahalanobis(values), plain, rtol=0.1, atol=0.1)


def test_outliers_have_no_say_in_what_is_ordinary() -> None:
    draws = np.random.default_rng(2)
    values = draws.normal(size=(500, 2))
    spoiled = values.copy()
    spoiled[:50] += 1000
    np.testing.assert_allclose(mahalanobis(spoiled)[50:], mahalanobis(values)[50:], atol=1)
    assert mahalanobis(spoiled)[:50].min() > 100


def test_numbers_that_became_categories_are_refused() -> None:
    before = sudare.Microdata((Numeric("x", np.arange(3.0)),))
    after = sudare.Microdata((Categorical("x", np.zeros(3), ("many",)),))
    with pytest.raises(sudare.errors.MismatchError, match="holds numbers before masking"):
        IntervalDisclosure()(before, after)
