"""Losses that see what means and shares do not: classifiers, tails, the rare group, marginals."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Floats, Measure, Microdata
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.loss import (
    AssociationLoss,
    CoefficientOverlap,
    ForestTest,
    KMarginal,
    Propensity,
    RareGroupLoss,
    TailLoss,
    TreePropensity,
)
from sudare.loss.synthetic.forest_test import area_under_curve
from sudare.loss.synthetic.tail_loss import tail_distance
from sudare.loss.tables.k_marginal import marginal_sets


def related(n: int, seed: int, *, together: bool) -> sudare.Microdata:
    """Two signs of which the second is the first, or its opposite: no mean and no share differ."""
    draws = np.random.default_rng(seed)
    first = draws.choice([-1.0, 1.0], n)
    second = first if together else -first
    return sudare.Microdata(
        (Numeric("a", first + draws.normal(0, 0.1, n)), Numeric("b", second * draws.random(n)))
    )


def test_trees_and_forests_see_an_interaction_that_logistic_regression_does_not() -> None:
    before, after = related(400, 1, together=True), related(400, 2, together=False)
    assert Propensity()(before, after).value < 0.05
    assert TreePropensity()(before, after).value > 0.8
    result = ForestTest()(before, after)
    assert result.value > 0.9
    assert "can tell the two tables apart" in result.notes[0]


def test_samples_of_one_population_are_not_told_apart() -> None:
    covering = 0
    for seed in range(0, 20, 2):
        before, after = (related(200, seed + i, together=True) for i in (0, 1))
        result = ForestTest(trees=20)(before, after)
        covering += "cannot tell" in result.notes[0]
        assert TreePropensity(permutations=5)(before, after).value < 0.1
    assert covering >= 8


def test_versions_of_one_record_are_held_out_together() -> None:
    """A forest that has seen the twin would be wrong about a record: an area far below a half."""
    data = related(300, 1, together=True)
    noisy = sudare.apply(data, sudare.mask.Noise(sd_ratio=0.01, columns=("a", "b")), seed=1).data
    assert "it is right about" in ForestTest()(data, noisy).notes[0]
    assert ForestTest()(data, noisy).value < 0.15


def test_copies_in_another_order_are_told() -> None:
    data = related(300, 1, together=True)
    notes = ForestTest()(data, data.take(np.random.default_rng(1).permutation(300))).notes
    assert "cannot tell" in notes[0]
    assert "the masked one copies" in notes[1]


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_the_area_is_the_chance_over_all_pairs(first: list[int], second: list[int]) -> None:
    masked, original = np.array(first, float), np.array(second, float)
    pairs = (masked[:, None] > original) + (masked[:, None] == original) / 2
    assert area_under_curve(masked, original) == pytest.approx(pairs.mean())


def test_tails_by_hand() -> None:
    assert tail_distance(np.array([0.0, 10.0]), np.array([5.0, 10.0]), 5.0) == 0.25
    values = np.arange(1000.0)
    before = sudare.Microdata((Numeric("x", values),))
    cut = sudare.Microdata((Numeric("x", np.clip(values, 0, 900)),))
    low = TailLoss()(before, cut).value
    assert 0.05 < low < 0.1  # one of two tails, 50 to 95 of 450 to 495 from the median
    assert sudare.loss.MomentLoss()(before, cut).value < low


@given(st.lists(st.floats(-100, 100), min_size=8, max_size=8), st.floats(0.1, 10))
def test_tail_distance_does_not_depend_on_the_unit(values: list[float], unit: float) -> None:
    before, after = np.array(values[:4]), np.array(values[4:])
    plain = tail_distance(before, after, 1.0)
    assert 0 <= plain <= 1
    assert tail_distance(before * unit, after * unit, unit) == pytest.approx(plain, abs=1e-9)


def test_the_rare_group_is_seen_where_the_whole_table_is_not() -> None:
    group = np.repeat([0, 1], [980, 20])
    job = np.where(group == 1, 2, np.arange(1000) % 2)
    names = tuple("xyz")

    def table(jobs: np.ndarray) -> sudare.Microdata:
        return sudare.Microdata(
            (Categorical("g", group, ("most", "few")), Categorical("job", jobs, names))
        )

    lost = table(np.where(group == 1, 0, job))
    assert sudare.loss.TotalVariation()(table(job), lost).value == pytest.approx(0.01)
    assert RareGroupLoss(group="g")(table(job), lost).value == pytest.approx(0.5)  # size is kept
    nobody = sudare.Microdata((Categorical("g", group * 0, ("most", "few")), table(job)["job"]))
    assert RareGroupLoss(group="g")(table(job), nobody).value == 1


def test_marginals_of_one_and_two_columns_are_total_variation() -> None:
    data = sudare.datasets.toy()
    masked = sudare.apply(data, sudare.mask.Pram(retain=0.7), seed=1).data
    for k in (1, 2):
        mine = KMarginal(k=k, classes=20)(data, masked)
        assert mine.value == pytest.approx(
            sudare.loss.TotalVariation(dimensions=k)(data, masked).value
        )
    assert KMarginal(marginals=5)(data, masked).value > 0


@pytest.mark.parametrize(
    "measure", [ForestTest(trees=20), TreePropensity(permutations=5), Propensity(), TailLoss()]
)
def test_numbers_beyond_single_precision_are_told_apart_like_others(
    measure: ForestTest | TreePropensity | Propensity | TailLoss,
) -> None:
    small = np.linspace(-1.7, 1.7, 60)
    small[:3] = np.nan
    values = [
        measure(
            sudare.Microdata((Numeric("pay", small * scale),)),
            sudare.Microdata((Numeric("pay", np.abs(small) * scale),)),
        ).value
        for scale in (1, 1e308)
    ]
    assert values[0] == pytest.approx(values[1], abs=0.05)
    assert values[0] > 0.1


@pytest.mark.parametrize("power", [-1000, -900, -660, 330, 660, 1000])
def test_units_do_not_matter_however_large(power: int) -> None:
    rng = np.random.default_rng(4)
    first = rng.normal(size=60)
    second, masked = first + rng.normal(size=60), first + rng.normal(size=60) / 5

    def table(numbers: Floats, unit: int) -> Microdata:
        own = Numeric("own", np.ldexp(numbers, unit), role="key")
        return Microdata((own, Numeric("other", np.ldexp(second, unit // 2), role="key")))

    def loss(measure: Measure, unit: int) -> float:
        return measure(table(first, unit), table(masked, unit)).value

    assert loss(AssociationLoss(), power) == loss(AssociationLoss(), 0) > 0
    for target in ("own", "other"):
        overlap = CoefficientOverlap(target=target)
        assert loss(overlap, power) == pytest.approx(loss(overlap, 0), rel=1e-9)


def test_one_column_has_no_association_and_a_note_says_so() -> None:
    data = sudare.datasets.toy()
    result = sudare.loss.AssociationLoss(columns=("sex",))(data, data)
    assert result.value == 0
    assert result.notes


@pytest.mark.parametrize("rows", [10, 19, 30])
def test_trees_see_what_differs_in_tables_of_a_few_records(rows: int) -> None:
    numbers = np.arange(float(rows))
    before, after = (Microdata((Numeric("x", numbers + away),)) for away in (0, 1000))
    assert TreePropensity()(before, after).value == pytest.approx(1)
    assert TreePropensity()(before, before).value == 0


@pytest.mark.parametrize("columns", [10, 25, 50, 58])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_no_column_is_left_out_of_marginals(columns: int, k: int) -> None:
    names = tuple(f"x{at}" for at in range(columns))
    sets = marginal_sets(names, k, 100)
    assert len(set(sets)) == min(100, math.comb(columns, k))
    counts = [sum(name in each for each in sets) for name in names]
    assert min(counts) > 0.5 * k * len(sets) / columns
