import numpy as np
import pytest

import sudare
from sudare.core import Masked
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import BoundedLaplace, GlobalRecode, Noise, PkAnonymization, RetentionReplacement
from sudare.reconstruct import KernelDensityRatio, LinearDensityRatio, NonparametricMaximum
from sudare.reconstruct.estimator import Estimator

WEIGHTING = [
    KernelDensityRatio(centers=50),
    LinearDensityRatio(),
    NonparametricMaximum(rounds=10),
]


@pytest.fixture(scope="module")
def related() -> Microdata:
    """A class, and a category and a number that depend on it."""
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 2, 4000)
    color = np.where(rng.random(4000) < 0.8, kind, 1 - kind)
    size = np.clip(rng.normal(3 + 4 * kind, 1), 0, 10)
    return Microdata(
        (
            Categorical("kind", kind, ("a", "b"), role="sensitive"),
            Categorical("color", color, ("red", "blue"), role="key"),
            Numeric("size", size, role="key"),
        )
    )


@pytest.fixture(scope="module")
def randomized(related: Microdata) -> Masked[Microdata]:
    return sudare.apply(related, PkAnonymization(k=20, bounds={"size": (0, 10)}), seed=2)


@pytest.mark.parametrize("method", WEIGHTING)
def test_means_and_tables_by_class_come_nearer_to_the_truth(
    method: Estimator, related: Microdata, randomized: Masked[Microdata]
) -> None:
    estimate = method.fit(randomized.data, randomized.steps)
    kind = related["kind"].coded.codes
    size, noisy = related["size"], randomized.data["size"]
    assert isinstance(size, Numeric)
    assert isinstance(noisy, Numeric)

    def gap(values: Numeric, weights: np.ndarray) -> float:
        means = [np.average(values.values[kind == c], weights=weights[kind == c]) for c in (0, 1)]
        return float(means[1] - means[0])

    even = np.ones(related.rows)
    true, published = gap(size, even), gap(noisy, even)
    assert published < 0.7 * true
    assert gap(noisy, estimate.weights) > published + 0.3 * (true - published)
    table = estimate.shares("kind", "color")
    assert table.sum() == pytest.approx(1)
    true_table = np.bincount(kind * 2 + related["color"].coded.codes, minlength=4) / 4000
    noisy_table = np.bincount(kind * 2 + randomized.data["color"].coded.codes, minlength=4) / 4000
    missed = [np.abs(t.ravel() - true_table).max() for t in (noisy_table, table)]
    assert missed[1] < 0.6 * missed[0]


@pytest.mark.parametrize("method", WEIGHTING)
def test_what_was_not_randomized_keeps_its_shares(
    method: Estimator, related: Microdata, randomized: Masked[Microdata]
) -> None:
    estimate = method.fit(randomized.data, randomized.steps)
    true = np.bincount(related["kind"].coded.codes) / related.rows
    np.testing.assert_allclose(estimate.shares("kind"), true)


def test_the_mean_is_that_of_the_weights(randomized: Masked[Microdata]) -> None:
    estimate = LinearDensityRatio().fit(randomized.data, randomized.steps)
    size = randomized.data["size"]
    assert isinstance(size, Numeric)
    assert estimate.mean("size") == pytest.approx(np.average(size.values, weights=estimate.weights))
    assert 1 <= estimate.effective_rows <= 4000
    with pytest.raises(sudare.errors.ColumnError, match="'color' does not hold numbers"):
        estimate.mean("color")


def test_weights_go_into_scikit_learn(related: Microdata, randomized: Masked[Microdata]) -> None:
    from sklearn.linear_model import LogisticRegression

    weights = LinearDensityRatio().fit(randomized.data, randomized.steps).weights

    def slope(data: Microdata, sample_weight: np.ndarray | None) -> float:
        size = data["size"]
        assert isinstance(size, Numeric)
        model = LogisticRegression(C=1e6)
        model.fit(size.values[:, None], data["kind"].coded.codes, sample_weight=sample_weight)
        return float(model.coef_[0, 0])

    true = slope(related, None)
    plain, weighted = slope(randomized.data, None), slope(randomized.data, weights)
    assert abs(weighted - true) < abs(plain - true)


def test_blocks_agree_with_the_whole_within_the_error(randomized: Masked[Microdata]) -> None:
    whole = NonparametricMaximum(rounds=5).fit(randomized.data, randomized.steps)
    parts = NonparametricMaximum(rounds=5, block=500).fit(randomized.data, randomized.steps)
    assert whole.error == 0
    assert 0 < parts.error < 0.05
    gap = np.abs(whole.shares("color") - parts.shares("color")).max()
    assert gap < 3 * parts.error + 0.02
    assert parts.weights.mean() == pytest.approx(1)


@pytest.mark.parametrize("kind", [KernelDensityRatio, LinearDensityRatio])
def test_landmarks_stand_for_all_records_and_say_how_well(
    kind: type[KernelDensityRatio] | type[LinearDensityRatio], randomized: Masked[Microdata]
) -> None:
    whole = kind().fit(randomized.data, randomized.steps)
    some = kind(landmarks=400).fit(randomized.data, randomized.steps)
    assert whole.error == 0
    assert 0 < some.error < 0.1
    assert some.weights.mean() == pytest.approx(1)
    gap = np.abs(whole.shares("color") - some.shares("color")).max()
    assert gap < 0.1


def test_the_width_of_the_kernel_is_chosen_by_what_it_foretells() -> None:
    """With one sharp peak in a category, a wide kernel could not follow."""
    rng = np.random.default_rng(1)
    codes = np.where(rng.random(6000) < 0.9, 0, 1)
    data = Microdata((Categorical("c", codes, ("a", "b"), role="key"),))
    masked = sudare.apply(data, RetentionReplacement(retain=0.3), seed=1)
    chosen = KernelDensityRatio().fit(masked.data, masked.steps)
    wide = KernelDensityRatio(variance=100.0).fit(masked.data, masked.steps)
    assert chosen.log_likelihood[-1] > wide.log_likelihood[-1]
    np.testing.assert_allclose(chosen.shares("c"), [0.9, 0.1], atol=0.03)


def test_absent_values_are_known_and_estimated_apart() -> None:
    toy = sudare.datasets.toy(1000)
    masked = sudare.apply(toy, PkAnonymization(k=3), seed=1)
    estimate = NonparametricMaximum(rounds=3).fit(masked.data, masked.steps)
    absent = ~toy["occupation"].known
    assert estimate.weights[absent].sum() == pytest.approx(absent.sum())


def test_what_was_done_before_the_randomization_does_not_matter() -> None:
    toy = sudare.datasets.toy(1000)
    steps = [GlobalRecode(min_share=0.1, columns=("region",)), RetentionReplacement()]
    masked = sudare.apply(toy, steps, seed=1)
    estimate = LinearDensityRatio(columns=("region",)).fit(masked.data, masked.steps)
    assert len(estimate.shares("region")) == len(masked.data["region"].coded.labels)


def test_two_randomizations_of_categories_are_allowed_for() -> None:
    toy = sudare.datasets.toy(20_000)
    twice = [RetentionReplacement(retain=0.7, columns=("education",))] * 2
    masked = sudare.apply(toy, twice, seed=1)
    method = NonparametricMaximum(columns=("education",))
    true = np.bincount(toy["education"].coded.codes) / toy.rows
    shares = method.fit(masked.data, masked.steps).shares("education")
    np.testing.assert_allclose(shares, true, atol=0.02)


def test_noise_after_the_randomization_is_refused() -> None:
    toy = sudare.datasets.toy()
    masked = sudare.apply(toy, [BoundedLaplace(), Noise(columns=("age",))], seed=1)
    with pytest.raises(sudare.errors.ColumnError, match="masked again by Noise"):
        LinearDensityRatio().fit(masked.data, masked.steps)


def test_numbers_that_were_not_randomized_are_refused() -> None:
    toy = sudare.datasets.toy()
    masked = sudare.apply(toy, RetentionReplacement(), seed=1)
    with pytest.raises(sudare.errors.ColumnError, match="numbers that were not randomized"):
        LinearDensityRatio(columns=("sex", "income")).fit(masked.data, masked.steps)
