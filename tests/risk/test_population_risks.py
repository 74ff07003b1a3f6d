"""Individual, household and population risk against sums, simulations and published numbers."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.core.types import Integers
from sudare.engine.counting.counts import groups
from sudare.engine.counting.wildcards import wildcard_sizes
from sudare.risk import HouseholdRisk, IndividualRisk, PopulationUniques, Uniques
from sudare.risk.samples.individual_risk import household_risks, posterior_risk
from sudare.risk.samples.log_linear import (
    independent_counts,
    paired_counts,
    poisson_risk,
    proportional_fit,
)
from sudare.risk.samples.population_uniques import _pitman_fit, negative_binomial, pitman, zayatz
from sudare.risk.samples.sampling import frequencies
from tests.risk.keys.test_suda import guide

weighted = st.lists(
    st.tuples(st.integers(-1, 2), st.integers(-1, 1), st.floats(0, 50)), min_size=1, max_size=25
).filter(lambda records: any(weight for *_, weight in records))


def table(records: list[tuple[int, int, float]]) -> sudare.Microdata:
    first, second, weight = np.array(records).T
    return sudare.Microdata(
        (
            Categorical("a", first, ("x", "y", "z"), role="key"),
            Categorical("b", second, ("u", "v"), role="key"),
            Numeric("w", weight, role="weight"),
        )
    )


def negative_binomial_sum(f: int, p: float) -> float:
    """E[1/F] as the sum over F, in the words of the definition."""
    total, share, count = 0.0, p**f, f
    while count < 50 * f / p:
        total += share / count
        share *= count / (count - f + 1) * (1 - p)  # C(h, f − 1) over C(h − 1, f − 1)
        count += 1
    return total


@pytest.mark.parametrize("f", [1, 2, 3, 7, 19, 20, 21, 40])
@pytest.mark.parametrize("p", [0.02, 0.3, 0.499, 0.5, 0.51, 0.9, 0.999])
def test_the_risk_is_the_expectation_of_one_over_the_population_count(f: int, p: float) -> None:
    risk = posterior_risk(np.array([f]), np.array([f / p]))[0]
    assert risk == pytest.approx(negative_binomial_sum(f, p), rel=1e-10)


@given(st.integers(1, 10**6), st.floats(1e-9, 1))
def test_the_risk_lies_between_its_bounds_whatever_the_counts(f: int, p: float) -> None:
    """Jensen: E[1/F] is at least 1/E[F], and nobody is more at risk than in the sample alone."""
    risk = posterior_risk(np.array([f]), np.array([f / p]))[0]
    assert p / f * (1 - 1e-9) <= risk <= 1 / f * (1 + 1e-9)


def test_without_weights_the_risk_is_one_over_the_group() -> None:
    data = table([(0, 0, 1.0), (0, 0, 1.0), (1, 0, 1.0)]).without(["w"])
    attack = IndividualRisk()(data)
    assert attack.by_record is not None
    assert attack.by_record.tolist() == [0.5, 0.5, 1.0]


def test_the_risks_are_those_of_the_practice_guide() -> None:
    """Table 4.1 and the global risk of section 4.8 of the guide (computed there with sdcMicro)."""
    attack = IndividualRisk()(guide())
    assert attack.by_record is not None
    published = [0.0054, 0.0054, 0.0251, 0.0126, 0.0282, 0.0126, 0.0290, 0.0251, 0.0074, 0.0074]
    np.testing.assert_allclose(attack.by_record, published, atol=6e-5)
    assert attack.value == pytest.approx(0.01582, abs=5e-6)
    assert attack.parts["expected re-identifications"] == pytest.approx(0.1582, abs=5e-5)


@given(weighted)
def test_wildcard_frequencies_are_those_of_all_pairs(
    records: list[tuple[int, int, float]],
) -> None:
    data = table(records)
    counted = frequencies([data["a"], data["b"]], data.weights, "wildcard")
    for row, record in enumerate(records):
        same = [
            other
            for other in records
            if all(x == y or -1 in (x, y) for x, y in zip(record[:2], other[:2], strict=True))
        ]
        combination = counted.index[row]
        assert counted.sample[combination] == len(same)
        assert counted.population[combination] == pytest.approx(
            max(sum(other[2] for other in same), len(same))
        )


@given(weighted, st.sampled_from(["negative-binomial", "poisson"]), st.booleans())
def test_risks_are_probabilities(
    records: list[tuple[int, int, float]], model: str, wildcard: bool
) -> None:
    missing = "wildcard" if wildcard else "category"
    attack = IndividualRisk(model=model, missing=missing)(table(records))  # type: ignore[arg-type]
    assert attack.by_record is not None
    assert (attack.by_record > 0).all()
    assert (attack.by_record <= 1 + 1e-12).all()


@pytest.mark.parametrize(
    ("f", "a"), [(1, 0.0), (1, 3.0), (2, 0.5), (5, 40.0), (30, 2.0), (1, 700.0)]
)
def test_the_poisson_risk_is_the_expectation_over_the_unseen(f: int, a: float) -> None:
    from scipy.stats import poisson

    unseen = np.arange(2000)
    expected = (poisson.pmf(unseen, a) / (f + unseen)).sum()
    assert poisson_risk(np.array([f]), np.array([a]))[0] == pytest.approx(expected, rel=1e-9)


def test_the_household_risk_is_that_of_the_practice_guide() -> None:
    data = sudare.Microdata((Numeric("h", np.array([1.0, 1.0, 1.0]), role="household"),))
    by_record = household_risks(np.array([0.02, 0.03, 0.03]), data)
    np.testing.assert_allclose(by_record, 1 - 0.98 * 0.97 * 0.97)
    assert by_record[0].round(3) == 0.078


@given(
    st.lists(st.tuples(st.integers(-1, 3), st.floats(0, 1)), min_size=1, max_size=20),
)
def test_somebody_of_the_household_is_found_unless_nobody_is(
    records: list[tuple[int, float]],
) -> None:
    household, risks = np.array(records).T
    data = sudare.Microdata((Categorical("h", household, ("p", "q", "r", "s"), role="household"),))
    by_record = household_risks(risks, data)
    for row, own in enumerate(household):
        together = risks[household == own] if own >= 0 else risks[[row]]
        assert by_record[row] == pytest.approx(1 - np.prod(1 - together), abs=1e-12)
    assert (by_record >= risks - 1e-12).all()


def test_the_household_measure_is_the_individual_one_with_households() -> None:
    data = sudare.datasets.toy()
    measured, other = HouseholdRisk()(data), IndividualRisk(household=True)(data)
    assert measured.value == other.value
    assert measured.parts["mean over households"] < measured.value


def population(seed: int) -> list[Categorical]:
    """100,000 people with independent keys, of which about a fifth are alone."""
    draws, n = np.random.default_rng(seed), 100_000
    made = [
        *(
            np.minimum(draws.geometric(0.08, n) - 1, 60),
            np.minimum(draws.geometric(0.1, n) - 1, 40),
        ),
        *(draws.integers(0, 12, n), draws.integers(0, 4, n)),
    ]
    return [
        Categorical(f"k{j}", codes, tuple(range(61)), role="key") for j, codes in enumerate(made)
    ]


@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_estimates_come_close_to_a_simulated_population(fraction: float) -> None:
    people = population(1)
    counts = groups(people).size_of_record
    sampled = np.flatnonzero(np.random.default_rng(2).random(len(counts)) < fraction)
    data = sudare.Microdata(tuple(key.take(sampled) for key in people))
    weights = Numeric("w", np.full(len(sampled), 1 / fraction), role="weight")
    result = PopulationUniques()(sudare.Microdata((*data.columns, weights)))
    alone = (counts[sampled] == 1).mean()
    assert result.value == pytest.approx(alone, rel=0.15)
    assert result.parts["negative binomial"] == pytest.approx(alone, rel=0.35)
    assert result.parts["Zayatz"] <= Uniques()(data).value
    risk = IndividualRisk(model="poisson")(sudare.Microdata((*data.columns, weights)))
    assert risk.value == pytest.approx((1 / counts[sampled]).mean(), rel=0.03)


sizes = st.lists(st.integers(1, 8), min_size=1, max_size=40).map(np.array)


@given(sizes, st.floats(0.001, 1), st.floats(0, 1e6))
def test_shares_of_population_uniques_are_shares(
    sizes: Integers, fraction: float, cells: float
) -> None:
    for estimate in (pitman, zayatz):
        assert 0 <= estimate(sizes, fraction) <= 1
    assert 0 <= negative_binomial(sizes, fraction, cells) <= 1


@given(st.lists(st.integers(1, 30), min_size=5, max_size=60).map(np.array))
def test_pitmans_parameters_are_the_most_likely(sizes: Integers) -> None:
    """Of the likelihood as it is written down, factor by factor."""
    assume((sizes == 1).any() and (sizes > 1).any())
    alpha, theta = _pitman_fit(sizes)

    def likelihood(alpha: float, theta: float) -> float:
        ranks = np.arange(1, sizes.sum())
        own = sum(np.log(np.arange(1, size) - alpha).sum() for size in sizes)
        return float(np.log(theta + ranks[: len(sizes) - 1] * alpha).sum() + own) - float(
            np.log(theta + ranks).sum()
        )

    best = likelihood(alpha, theta)
    for share, factor in ((0.99, 1), (1, 0.99), (1, 1.01), (1.01, 1), (0.9, 1.1), (1.1, 0.9)):
        moved = min(alpha * share, 0.9999)
        other = moved, (theta + alpha) * factor - moved
        assert likelihood(*other) <= best + 1e-6


def test_population_uniques_need_no_library_of_optimizers() -> None:
    """Importing SciPy's takes longer than the measure."""
    code = (
        "import sys, sudare; data = sudare.datasets.toy();"
        "sudare.risk.PopulationUniques(sampling_fraction=0.1)(data);"
        "assert 'scipy.special' in sys.modules; assert 'scipy.optimize' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_census_knows_its_uniques() -> None:
    data = sudare.datasets.toy().without(["weight"])
    result = PopulationUniques()(data)
    assert set(result.parts.values()) == {Uniques()(data).value}
    assert result.value == Uniques()(data).value


def test_zayatz_by_hand() -> None:
    # Classes 1, 1, 2 and π = 1/4: 2/3 · 1/4 over 2/3 · 1/4 + 1/3 · 2 · 1/4 · 3/4, of 2 in 4.
    assert zayatz(np.array([1, 1, 2]), 0.25) == pytest.approx(0.5 * (2 / 12) / (2 / 12 + 1 / 8))


@given(st.lists(st.integers(0, 9), min_size=24, max_size=24))
def test_the_fit_keeps_the_table_of_every_pair(cells: list[int]) -> None:
    table = np.array(cells, float).reshape(2, 3, 4)
    fitted = proportional_fit(table)
    for axis in range(3):
        np.testing.assert_allclose(fitted.sum(axis=axis), table.sum(axis=axis), atol=0.5)
    assert fitted.sum() == pytest.approx(table.sum(), abs=1e-6)


def test_two_keys_together_are_known_and_independent_ones_are_a_product() -> None:
    data = table([(0, 0, 1.0), (0, 0, 1.0), (1, 1, 1.0), (1, -1, 1.0)])
    keys = [data["a"], data["b"]]
    assert paired_counts(keys).tolist() == [2, 2, 1, 1]
    assert independent_counts(keys).tolist() == [1, 1, 0.5, 0.5]


@given(weighted)
def test_with_wildcards_two_keys_together_are_expected_as_they_are_counted(
    records: list[tuple[int, int, float]],
) -> None:
    data = table(records)
    keys = [data["a"], data["b"]]
    np.testing.assert_allclose(paired_counts(keys, "wildcard"), wildcard_sizes(keys))
    np.testing.assert_allclose(independent_counts(keys[:1], "wildcard"), wildcard_sizes(keys[:1]))


def test_a_record_of_which_nothing_is_known_could_be_anybody() -> None:
    codes = np.repeat([0, 1, -1], [500, 499, 1])
    key = Categorical("a", codes, ("p", "q"), role="key")
    data = sudare.Microdata((key, Numeric("w", np.full(1000, 10.0), role="weight")))
    for model in ("poisson", "negative-binomial"):
        result = IndividualRisk(model=model, missing="wildcard")(data)
        assert result.by_record is not None
        assert result.by_record[-1] == pytest.approx(1e-4, rel=0.01)


def test_keys_that_go_together_are_at_less_risk_with_their_interactions() -> None:
    """The independent model takes common combinations of related keys for rare ones."""
    draws, n, fraction = np.random.default_rng(3), 60_000, 0.1
    area = draws.integers(0, 40, n)
    made = [area, (area + draws.integers(0, 3, n)) % 40, (area + draws.integers(0, 4, n)) % 40]
    people = [
        Categorical(f"k{j}", codes, tuple(range(40)), role="key") for j, codes in enumerate(made)
    ]
    counts = groups(people).size_of_record
    sampled = np.flatnonzero(draws.random(n) < fraction)
    weights = Numeric("w", np.full(len(sampled), 1 / fraction), role="weight")
    data = sudare.Microdata((*(key.take(sampled) for key in people), weights))
    plain, together = (
        IndividualRisk(model="poisson", interactions=flag)(data).value for flag in (False, True)
    )
    truth = (1 / counts[sampled]).mean()
    assert abs(together - truth) < abs(plain - truth)
    assert together == pytest.approx(truth, rel=0.05)


def test_interactions_of_too_many_cells_are_refused() -> None:
    wide = [Categorical(f"k{j}", np.arange(300), tuple(range(300))) for j in range(3)]
    with pytest.raises(sudare.errors.SettingError, match="27543608 cells, more than 4194304"):
        paired_counts(wide)
