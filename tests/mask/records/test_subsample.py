"""Subsamples: sizes, strata, weights, households."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Categorical, Microdata, Numeric
from sudare.mask import Subsample
from sudare.mask.records.subsample import sample_sizes


def survey(sizes: list[int]) -> Microdata:
    """A table with a stratum of each size, and weights that differ."""
    area = np.repeat(np.arange(len(sizes)), sizes)
    rows = len(area)
    return Microdata(
        (
            Categorical("area", area, tuple(f"a{i}" for i in range(len(sizes))), role="key"),
            Numeric("pay", np.arange(rows) * 1.0, role="sensitive"),
            Numeric("w", 1.0 + np.arange(rows) % 3, role="weight"),
        )
    )


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=5),
    st.floats(0.01, 1.0),
    st.integers(0, 1000),
)
def test_never_fewer_than_asked_and_every_stratum_keeps_its_share(
    sizes: list[int], share: float, seed: int
) -> None:
    data = survey(sizes)
    sample = sudare.apply(data, Subsample(share=share, strata=("area",)), seed=seed).data
    counts = np.bincount(sample["area"].coded.codes, minlength=len(sizes))
    assert (counts >= np.array(sizes) * share - 1e-6).all()
    assert (counts < np.array(sizes) * share + 1).all()
    assert sample.rows >= data.rows * share - 1e-6


@given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.floats(0.05, 1.0))
def test_weights_are_multiplied_by_the_inverse_of_what_was_drawn(
    sizes: list[int], share: float
) -> None:
    data = survey(sizes)
    sample = sudare.apply(data, Subsample(share=share, strata=("area",)), seed=1).data
    assert sample.record_numbers is not None
    assert sample.weights is not None
    assert data.weights is not None
    area = sample["area"].coded.codes
    drawn = np.bincount(area, minlength=len(sizes))
    factor = np.array(sizes) / drawn
    np.testing.assert_allclose(sample.weights, data.weights[sample.record_numbers] * factor[area])


def test_totals_are_unbiased_in_expectation() -> None:
    data = survey([40, 15, 5])
    assert data.weights is not None
    truth = float(data.weights @ data["pay"].numeric.values)
    totals = []
    for seed in range(400):
        sample = sudare.apply(data, Subsample(share=0.3, strata=("area",)), seed=seed).data
        assert sample.weights is not None
        totals.append(float(sample.weights @ sample["pay"].numeric.values))
    error = np.std(totals, ddof=1) / np.sqrt(len(totals))
    assert abs(np.mean(totals) - truth) < 3.5 * error


def test_every_record_is_drawn_equally_often() -> None:
    data = survey([20])
    drawn = np.zeros(20)
    for seed in range(500):
        numbers = sudare.apply(data, Subsample(n=5), seed=seed).data.record_numbers
        assert numbers is not None
        drawn[numbers] += 1
    assert np.abs(drawn / 500 - 0.25).max() < 0.08


def test_n_is_exact_without_strata_and_at_least_n_with_them() -> None:
    data = survey([40, 15, 5])
    assert sudare.apply(data, Subsample(n=17), seed=1).data.rows == 17
    assert 17 <= sudare.apply(data, Subsample(n=17, strata=("area",)), seed=1).data.rows <= 19


def test_households_are_drawn_with_all_their_members() -> None:
    house = np.repeat(np.arange(30.0), 3)
    house[-1] = np.nan  # a record without a household stands by itself
    data = Microdata(
        (
            Numeric("house", house, role="household"),
            Numeric("age", np.arange(90) * 1.0, role="key"),
            Numeric("w", np.ones(90), role="weight"),
        )
    )
    sample = sudare.apply(data, Subsample(n=10, unit="household"), seed=3).data
    _, members = np.unique(sample["house"].numeric.values, return_counts=True)
    assert set(members.tolist()) <= {1, 2, 3}
    assert len(members) == 10
    assert sample.weights is not None
    assert sample.weights.tolist() == [3.1] * sample.rows


def test_a_later_draw_goes_on_from_the_first() -> None:
    data = survey([40])
    first = sudare.apply(data, Subsample(n=20), seed=1).data
    both = sudare.apply(data, [Subsample(n=20), Subsample(n=10)], seed=1).data
    assert first.record_numbers is not None
    assert both.record_numbers is not None
    assert set(both.record_numbers.tolist()) < set(first.record_numbers.tolist())
    np.testing.assert_array_equal(
        data.still_in(both)["pay"].numeric.values, both["pay"].numeric.values
    )
    np.testing.assert_array_equal(
        first.still_in(both)["pay"].numeric.values, both["pay"].numeric.values
    )
    assert both.still_in(both) is both


def test_the_step_tells_the_share_and_not_which_records() -> None:
    data = survey([40, 15, 5])
    step = sudare.apply(data, Subsample(n=17), seed=1).steps[0]
    assert step.columns == ("w",)
    assert dict(step.public) == {"w": {"share": 0.283}}


def test_what_cannot_be_drawn_is_refused() -> None:
    data = survey([4])
    for settings, text in (
        ({"n": 5}, "at most 4"),
        ({"n": 2, "share": 0.5}, "not both"),
    ):
        with pytest.raises(sudare.errors.SettingError, match=text):
            Subsample(**settings).fit(data)
    with pytest.raises(sudare.errors.ColumnError, match="role 'household'"):
        Subsample(unit="household").fit(data)


def test_rounding_errors_draw_nobody() -> None:
    assert sample_sizes(np.array([30, 3]), 0.1).tolist() == [3, 1]


def test_records_are_drawn_after_a_column_was_suppressed() -> None:
    data = sudare.datasets.toy(400)
    steps = [sudare.mask.FullDomain(k=3), Subsample(share=0.5)]
    masked = sudare.apply(data, steps, seed=1).data
    assert not masked["occupation"].known.any()
    assert masked.rows == 200
