from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare import errors
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask.microaggregation.grouping.partition import mdav, summed_squares
from sudare.mask.microaggregation.univariate_microaggregation import (
    UnivariateMicroaggregation,
    optimal_groups,
)

values_of = st.lists(st.floats(-100, 100, allow_nan=False), min_size=2, max_size=12)


def cuts(n: int, k: int) -> Iterator[list[int]]:
    """All ways of cutting n sorted records into runs of at least k."""
    if n >= k:
        yield [n]
    for first in range(k, n - k + 1):
        for rest in cuts(n - first, k):
            yield [first, *rest]


@given(values_of, st.integers(2, 4))
def test_the_groups_are_the_best_of_all(values: list[float], k: int) -> None:
    if len(values) < k:
        return
    ordered = np.sort(values)
    best = min(
        summed_squares(ordered[:, None], np.repeat(np.arange(len(sizes)), sizes))
        for sizes in cuts(len(values), k)
    )
    groups = optimal_groups(np.array(values), k)
    assert summed_squares(np.array(values)[:, None], groups) == pytest.approx(best, abs=1e-9)
    assert k <= np.bincount(groups).min() <= np.bincount(groups).max() <= 2 * k - 1


def test_it_beats_mdav() -> None:
    values = np.random.default_rng(1).lognormal(size=(500, 1))
    for k in (2, 3, 5, 10):
        best = summed_squares(values, optimal_groups(values[:, 0], k))
        assert best < summed_squares(values, mdav(values, k))


def test_a_large_common_shift_does_not_change_the_groups() -> None:
    values = np.random.default_rng(1).integers(0, 1000, 300).astype(float)
    np.testing.assert_array_equal(optimal_groups(values, 3), optimal_groups(values + 1e9, 3))


def test_columns_are_grouped_one_by_one_and_absent_values_stay(toy: Microdata) -> None:
    masked = UnivariateMicroaggregation(k=4).fit(toy).transform(toy)
    for name in ("age", "income"):
        before, after = toy[name], masked[name]
        assert isinstance(after, Numeric)
        np.testing.assert_array_equal(before.known, after.known)
        assert np.unique(after.values[after.known], return_counts=True)[1].min() >= 4


def test_strata_keep_groups_apart() -> None:
    sex = sudare.core.Categorical("sex", np.array([0, 1, 0, 1]), ("f", "m"))
    data = Microdata((sex, Numeric("x", np.array([1.0, 2.0, 3.0, 4.0]), role="key")))
    masked = UnivariateMicroaggregation(k=2, strata=("sex",)).fit(data).transform(data)["x"]
    assert isinstance(masked, Numeric)
    assert masked.values.tolist() == [2, 3, 2, 3]


def test_too_few_values_are_refused() -> None:
    data = Microdata((Numeric("x", np.array([1.0, 2.0, np.nan]), role="key"),))
    with pytest.raises(errors.SettingError, match="column 'x' has 2 values in a stratum"):
        UnivariateMicroaggregation(k=3).fit(data)
    with pytest.raises(errors.SettingError, match="from 2 to the number of records"):
        optimal_groups(np.array([1.0, 2.0]), 3)


@pytest.mark.parametrize("scale", [1e-200, 1e160, 1e290])
def test_the_size_of_numbers_does_not_change_the_groups(scale: float) -> None:
    values = np.random.default_rng(4).normal(size=60)
    np.testing.assert_array_equal(optimal_groups(values * scale, 3), optimal_groups(values, 3))
    data = Microdata((Numeric("x", values * scale, role="key"),))
    for masker in (UnivariateMicroaggregation(), sudare.mask.Microaggregation()):
        plan = masker.fit(data)
        assert 0 < plan.step.public["x"]["sse_share"] < 0.05
        masked = plan.transform(data)["x"]
        assert len(masked.coded.labels) > 10


def test_a_range_that_is_no_number_is_refused() -> None:
    values = np.tile([-1.7e308, 0, 1.7e308], 4)
    data = Microdata((Numeric("x", values, role="key"),))
    refusing = [
        UnivariateMicroaggregation(),
        sudare.mask.Microaggregation(),
        sudare.mask.FullDomain(),
        sudare.mask.Intervals(columns=("x",)),
        sudare.mask.BoundedLaplace(columns=("x",)),
    ]
    for masker in refusing:
        with pytest.raises(errors.ColumnError, match="column 'x': its numbers are too far apart"):
            masker.fit(data)
    with pytest.raises(errors.SettingError, match="two finite numbers"):
        sudare.mask.BoundedLaplace(columns=("x",), bounds={"x": (-np.inf, np.inf)}).fit(data)
    with pytest.raises(errors.SettingError, match="weight of column 'x' must be a finite number"):
        sudare.mask.Microaggregation(importance={"x": np.inf}).fit(data.take(np.arange(1, 12, 3)))
