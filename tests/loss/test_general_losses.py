"""Losses that custodians expect beside the papers': laws, and cases by hand."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import sudare
from sudare.core.errors import ColumnError, MismatchError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.describe.regression.linear_models import linear_fit, logistic_fit
from sudare.loss import (
    AssociationLoss,
    ClassificationLoss,
    CoefficientOverlap,
    Hellinger,
    MomentLoss,
    Propensity,
    TotalVariation,
)
from sudare.loss.models.coefficient_overlap import interval_overlap
from sudare.loss.synthetic.moment_loss import moment_shift
from sudare.loss.tables.distribution_distances import hellinger_distance, total_variation

COUNTS = arrays(np.float64, 5, elements=st.integers(1, 100))


@given(p=COUNTS, q=COUNTS)
def test_hellinger_lies_between_the_bounds_of_total_variation(p: Floats, q: Floats) -> None:
    p, q = p / p.sum(), q / q.sum()
    hellinger, variation = hellinger_distance(p, q), total_variation(p, q)
    assert hellinger**2 <= variation + 1e-12
    assert variation <= np.sqrt(2) * hellinger + 1e-12


@pytest.mark.parametrize(
    "loss",
    [
        *(Hellinger(), MomentLoss(), AssociationLoss(), Propensity()),
        *(CoefficientOverlap(target="income"), TotalVariation()),
    ],
)
def test_stronger_masking_loses_more(loss: sudare.core.Measure) -> None:
    data = sudare.datasets.toy(3000)
    losses = [
        loss(data, sudare.apply(data, chain, seed=2).data).value
        for chain in (
            [sudare.mask.Pram(retain=0.99), sudare.mask.Noise(sd_ratio=0.02)],
            [sudare.mask.Pram(retain=0.3), sudare.mask.Noise(sd_ratio=2.0)],
        )
    ]
    assert 0 <= losses[0] < losses[1]


def test_moments_by_hand() -> None:
    before = Microdata((Numeric("x", np.array([0.0, 2.0]), role="key"),))
    after = before.replacing([Numeric("x", np.array([1.0, 3.0]), role="key")])
    sd = float(np.std([0.0, 2.0]))
    assert MomentLoss()(before, after).value == pytest.approx(0.5 / sd)
    assert moment_shift(np.array([3.0, 0.0]), np.array([3.0, 1.0])) == 0.5
    labels = before.replacing([Categorical("x", np.array([0, 0]), ("a",), role="key")])
    with pytest.raises(MismatchError, match="categories after it"):
        MomentLoss()(before, labels)


def test_tables_without_a_common_record_are_told_apart() -> None:
    codes = np.repeat([0, 1], 50)
    before = Microdata((Categorical("x", codes, ("a", "b"), role="key"),))
    after = before.replacing([Categorical("x", codes, ("c", "d"), role="key")])
    assert Propensity()(before, after).value == pytest.approx(1, abs=1e-6)


def test_propensity_of_one_column_is_that_of_its_shares() -> None:
    before = Microdata((Categorical("x", np.repeat([0, 1], [30, 70]), ("a", "b"), role="key"),))
    after = before.replacing(
        [Categorical("x", np.repeat([0, 1], [60, 40]), ("a", "b"), role="key")]
    )
    # a saturated model: the propensity of a label is its share of masked records
    propensity = np.repeat([60 / 90, 40 / 110], [90, 110])
    expected = ((propensity - 0.5) ** 2).mean() / 0.25
    assert Propensity()(before, after).value == pytest.approx(expected, rel=1e-6)


@given(
    x=arrays(np.float64, (40, 2), elements=st.floats(-3, 3)),
    noise=arrays(np.float64, 40, elements=st.floats(-1, 1)),
)
def test_least_squares_has_residuals_that_the_inputs_do_not_explain(
    x: Floats, noise: Floats
) -> None:
    y = x @ np.array([1.0, -2.0]) + noise
    fit = linear_fit(x, y)
    residual = y - fit[0, 0] - x @ fit[0, 1:]
    np.testing.assert_allclose(np.column_stack([np.ones(40), x]).T @ residual, 0, atol=1e-4)


def test_standard_errors_are_those_of_the_textbook() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(200, 1))
    y = 1 + 2 * x[:, 0] + random.normal(size=200)
    fit = linear_fit(x, y)
    residual = y - fit[0, 0] - fit[0, 1] * x[:, 0]
    expected = np.sqrt((residual**2).sum() / 198 / ((x - x.mean()) ** 2).sum())
    assert fit[1, 1] == pytest.approx(expected, rel=1e-6)


def test_logistic_regression_has_the_scores_of_maximum_likelihood() -> None:
    random = np.random.default_rng(2)
    x = random.normal(size=(500, 3))
    y = random.random(500) < 1 / (1 + np.exp(-(x @ [1.0, -1.0, 0.5])))
    fit = logistic_fit(x, y)
    p = 1 / (1 + np.exp(-(fit[0, 0] + x @ fit[0, 1:])))
    np.testing.assert_allclose(np.column_stack([np.ones(500), x]).T @ (y - p), 0, atol=1e-3)


def test_separated_classes_do_not_break_the_fit() -> None:
    x = np.linspace(-1, 1, 50)[:, None]
    assert np.isfinite(logistic_fit(x, x[:, 0] > 0)).all()


@given(
    estimates=arrays(np.float64, (2, 6), elements=st.floats(-5, 5)),
    errors=arrays(np.float64, (2, 6), elements=st.floats(0.1, 2)),
)
def test_overlap_is_a_share_and_symmetric(estimates: Floats, errors: Floats) -> None:
    first, second = (np.stack([estimates[i], errors[i]]) for i in (0, 1))
    overlap = interval_overlap(first, second)
    assert ((overlap >= 0) & (overlap <= 1 + 1e-12)).all()
    np.testing.assert_allclose(overlap, interval_overlap(second, first))
    np.testing.assert_allclose(interval_overlap(first, first), 1)


def test_a_classifier_trained_on_noise_predicts_worse() -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=2000)
    data = Microdata(
        (
            Numeric("x", x, role="key"),
            Categorical("y", (x > 0).astype(np.int32), ("a", "b"), role="sensitive"),
        )
    )
    shuffled = data.replacing([Numeric("x", random.permutation(x), role="key")])
    for learner in ("tree", "logistic"):
        result = ClassificationLoss(learner=learner)(data, shuffled)
        assert result.value > 0.2


def test_numbers_are_predicted_in_quarters() -> None:
    data = sudare.datasets.toy(2000)
    masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=3.0, columns=("income",)), seed=1).data
    assert ClassificationLoss(target="income")(data, masked).value > 0


def test_one_input_that_tells_nothing_any_more_is_a_loss() -> None:
    """Records that are equal in it are both learned from and held out."""
    draws, labels = np.random.default_rng(1), tuple("abcdef")
    codes = draws.integers(0, 6, 3000)
    truth = np.where(draws.random(3000) < 0.1, draws.integers(0, 6, 3000), codes)
    data = Microdata((Categorical("x", codes, labels), Categorical("y", truth, labels)))
    losses = []
    for split in range(5):
        mixed = data.replacing([Categorical("x", draws.permutation(codes), labels)])
        losses.append(ClassificationLoss(target="y", split=split)(data, mixed).value)
    assert np.mean(losses) == pytest.approx(0.9 + 0.1 / 6 - 1 / 6, abs=0.2)


def test_a_correlation_that_turns_round_is_a_loss() -> None:
    draws = np.random.default_rng(1)
    x = draws.normal(size=2000)
    data = Microdata((Numeric("x", x), Numeric("y", 0.3 * x + draws.normal(size=2000))))
    turned = data.replacing([Numeric("x", -x)])
    r = np.corrcoef(x, data["y"].values)[0, 1]  # type: ignore[attr-defined]
    assert AssociationLoss()(data, turned).value == pytest.approx(2 * r)


def test_weights_that_are_all_0_are_refused() -> None:
    data = Microdata((Numeric("x", np.arange(9.0)), Numeric("w", np.zeros(9), role="weight")))
    with pytest.raises(ColumnError, match="all weights in column 'w' are 0"):
        Hellinger()(data, data)


def test_a_target_needs_inputs() -> None:
    data = Microdata((Numeric("x", np.arange(9.0), role="key"),))
    for loss in (CoefficientOverlap(), ClassificationLoss()):
        with pytest.raises(ColumnError, match="nothing to predict from"):
            loss(data, data)
