"""The inverse channel: unbiased, with errors that are true, and the nearest histogram."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError
from sudare.core.methods.masker import Masker
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.types import Floats
from sudare.mask import BoundedLaplace, Pram, RetentionReplacement
from sudare.reconstruct import InverseChannel, IterativeBayes
from sudare.reconstruct.histograms.histogram import HistogramEstimate
from sudare.reconstruct.histograms.inverse_channel import UnbiasedEstimate, nearest_shares


def table(rows: int, rare: float) -> Microdata:
    codes = np.zeros(rows, np.int32)
    codes[: round(rows * rare)] = 1
    codes[round(rows * rare) : round(rows * (rare + 0.3))] = 2
    return Microdata(
        (
            Categorical("a", codes, ("x", "rare", "z"), role="key"),
            Categorical("b", codes % 2, ("no", "yes"), role="sensitive"),
        )
    )


def unbiased(data: Microdata, method: Masker, seed: int, *columns: str) -> UnbiasedEstimate:
    masked = sudare.apply(data, method, seed=seed)
    estimate = InverseChannel(columns=columns).fit(masked.data, masked.steps)
    assert isinstance(estimate, UnbiasedEstimate)
    return estimate


@pytest.mark.parametrize("method", [RetentionReplacement(retain=0.3), Pram(retain=0.5)])
def test_shares_are_unbiased_and_errors_true(method: Masker) -> None:
    data = table(400, 0.02)
    estimates = [unbiased(data, method, seed, "a") for seed in range(200)]
    shares = np.stack([estimate.unbiased for estimate in estimates])
    errors = np.stack([estimate.standard_errors for estimate in estimates])
    truth = np.array([0.68, 0.02, 0.3])
    apart = np.abs(shares.mean(axis=0) - truth) / (shares.std(axis=0) / np.sqrt(len(shares)))
    assert (apart < 4).all()
    # The records are fixed here and only the randomization varies, so errors are a little larger.
    assert (errors.mean(axis=0) >= 0.9 * shares.std(axis=0)).all()
    assert (errors.mean(axis=0) <= 1.6 * shares.std(axis=0)).all()


def test_maximum_likelihood_overstates_rare_cells_and_the_inverse_does_not() -> None:
    data, method = (
        table(400, 0.0),
        RetentionReplacement(retain=0.3, domains={"a": ("x", "rare", "z")}),
    )
    made = [sudare.apply(data, [method], seed=seed) for seed in range(60)]
    likely = [
        estimate.table[1]
        for m in made
        if isinstance(
            estimate := IterativeBayes(columns=("a",)).fit(m.data, m.steps), HistogramEstimate
        )
    ]
    plain = [unbiased(data, method, seed, "a").unbiased[1] for seed in range(60)]
    assert np.mean(likely) > 0.01
    assert abs(np.mean(plain)) < 3 * np.std(plain) / np.sqrt(len(plain))


def test_columns_that_were_not_randomized_keep_their_shares() -> None:
    data = table(500, 0.1)
    estimate = unbiased(data, RetentionReplacement(retain=0.4, columns=("a",)), 1, "a", "b")
    np.testing.assert_allclose(estimate.unbiased.sum(axis=0), [0.9, 0.1], atol=1e-12)
    assert estimate.unbiased.sum() == pytest.approx(1)


def test_nothing_randomized_has_the_error_of_a_sample() -> None:
    estimate = unbiased(table(100, 0.1), RetentionReplacement(retain=1.0, columns=("a",)), 1, "a")
    np.testing.assert_allclose(estimate.unbiased, [0.6, 0.1, 0.3])
    np.testing.assert_allclose(
        estimate.standard_errors, np.sqrt(estimate.unbiased * (1 - estimate.unbiased) / 100)
    )


def test_a_transition_that_says_nothing_is_refused() -> None:
    with pytest.raises(ColumnError, match="'a' was randomized so strongly"):
        unbiased(table(50, 0.1), RetentionReplacement(retain=0.0, columns=("a",)), 1, "a")


def test_numbers_are_inverted_in_classes() -> None:
    data = sudare.datasets.toy(2000, seed=1)
    masked = sudare.apply(data, BoundedLaplace(scale_ratio=0.2, columns=("age",)), seed=1)
    estimate = InverseChannel(columns=("age",), classes=4).fit(masked.data, masked.steps)
    assert isinstance(estimate, UnbiasedEstimate)
    assert estimate.table.shape == (4,)
    assert estimate.table.sum() == pytest.approx(1)


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=8))
def test_the_nearest_histogram_is_one_and_no_other_is_nearer(values: list[float]) -> None:
    point = np.array(values)
    shares = nearest_shares(point)
    assert (shares >= 0).all()
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(nearest_shares(shares), shares, atol=1e-12)
    others: Floats = np.random.default_rng(1).dirichlet(np.ones(len(point)), size=50)
    assert (((others - point) ** 2).sum(axis=1) >= ((shares - point) ** 2).sum() - 1e-9).all()
