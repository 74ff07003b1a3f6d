"""Membership inference: against a control, at few false positives, and nothing without one."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.describe.distances import common_neighbors, densities, nearest
from sudare.risk import Linkability, MembershipInference
from sudare.risk.inference.membership_scores import (
    above_controls,
    advantage,
    beyond_false_positives,
    random_half,
    true_positive_rate,
)
from sudare.risk.inference.rare_values import shared_rarity
from tests.risk.inference.populations import joined, people

scores = st.lists(st.integers(0, 8), min_size=1, max_size=25).map(np.array)


def test_without_a_control_there_is_no_figure() -> None:
    """Group means are farther from people than people are from each other, and give them away."""
    data = people(60, 1)
    masked = sudare.apply(data, sudare.mask.Microaggregation(columns=("age", "pay")), seed=1).data
    with pytest.raises(sudare.errors.SettingError, match=r"mark them with 1 .* name it as control"):
        MembershipInference()(data, masked)


def test_group_means_give_members_away() -> None:
    inside = people(500, 1)
    means = sudare.mask.Microaggregation(columns=("age", "pay"))
    result = MembershipInference(control="control")(
        joined(inside, people(500, 2)), sudare.apply(inside, means, seed=1).data
    )
    assert result.value > 0.5
    assert result.interval is not None
    assert result.interval[0] > 0.4


@pytest.mark.parametrize("largest", [1e8, 1e13, 1.7e308])
def test_a_number_out_of_all_proportion_hides_nobody(largest: float) -> None:
    """In a range that it makes, all others would be one point."""
    draws = np.random.default_rng(1)
    values = draws.normal(0, 1, (6, 800))
    values[:, 0] = largest
    values[:, 1] = -largest / 2
    near = values[:, :400] + draws.normal(0, 0.05, (6, 400)) * (np.abs(values[:, :400]) < 100)
    both, release = (
        [Numeric(f"x{at}", each, role="key") for at, each in enumerate(side)]
        for side in (values, near)
    )
    marks = Categorical("held", np.arange(800) >= 400, ("no", "yes"), role="other")
    data = sudare.Microdata((*both, marks))
    assert MembershipInference(control="held")(data, sudare.Microdata(tuple(release))).value > 0.9
    linked = Linkability(control="held")(data, sudare.Microdata(tuple(release)))
    assert linked.value > 0.5


@given(st.integers(0, 10**6))
def test_shared_rarity_is_that_of_all_pairs(seed: int) -> None:
    draws = np.random.default_rng(seed)
    records, released = (draws.integers(0, 40, (n, 3)).astype(float) for n in (30, 120))
    expected = np.zeros(30)
    for at, record in enumerate(records):
        equal = released == record
        count = np.maximum(equal.sum(axis=0), 1)
        gains = np.where(count <= 20, np.log(120 / count), 0.0)
        expected[at] = (equal * gains).sum(axis=1).max()
    np.testing.assert_allclose(shared_rarity(records, released), expected, atol=1e-8)


@pytest.mark.parametrize("columns", [("x0", "x1"), ("x0", "x3", "x5")])
def test_a_copy_of_a_few_columns_gives_members_away(columns: tuple[str, ...]) -> None:
    draws = np.random.default_rng(1)
    names = [f"x{at}" for at in range(8)]
    values = dict(zip(names, draws.normal(0, 1, (8, 800)).round(3), strict=True))
    fresh = dict(zip(names, draws.normal(0, 1, (8, 400)).round(3), strict=True))
    marks = Categorical("held", np.arange(800) >= 400, ("no", "yes"), role="other")
    data = sudare.Microdata((*(Numeric(n, values[n], role="key") for n in names), marks))
    copied = {n: values[n][:400] if n in columns else fresh[n] for n in names}
    release = sudare.Microdata(tuple(Numeric(n, copied[n], role="key") for n in names))
    assert MembershipInference(control="held")(data, release).value > 0.9
    old = MembershipInference(control="held", attackers=("nearest", "density-ratio", "loss"))
    assert old(data, release).value < 0.3


def test_members_are_told_from_control_records_where_they_were_released() -> None:
    data = joined(people(400, 1), people(400, 2))
    result = MembershipInference(control="control")(data, people(400, 1))
    assert result.value > 0.95
    assert result.parts["nearest record, true positives at 1 % false ones"] > 0.9
    assert result.by_record is not None
    assert np.isnan(result.by_record[400:]).all()
    assert "200 control records cannot show" in result.notes[0]


def test_fresh_people_tell_nobody_and_intervals_cover_nothing() -> None:
    attack = MembershipInference(control="control")
    results = [
        attack(joined(people(150, seed), people(300, seed + 1)), people(150, seed + 2))
        for seed in range(0, 60, 3)
    ]
    covering = sum(result.interval is not None and result.interval[0] == 0 for result in results)
    assert covering >= 18
    assert np.mean([result.value for result in results]) < 0.12


@pytest.mark.parametrize(("members", "controls", "copies"), [(500, 250, 50), (150, 75, 45)])
def test_few_controls_show_what_none_of_them_reaches(
    members: int, controls: int, copies: int
) -> None:
    """They cannot show a threshold with 1 % false positives, but that copies are above it."""
    inside, outside = (np.random.default_rng(1).normal(size=n) for n in (members, controls))
    inside[:copies] = 9
    for rate in (0.01, 0.001):
        told = beyond_false_positives(inside, outside, rate, 1 - 0.05 / 9)
        assert 0 < told.low < copies / members < told.high
        assert beyond_false_positives(inside[copies:], outside, rate, 0.95).low == 0


@pytest.mark.parametrize("seed", [1, 11, 21])
def test_a_few_copies_are_shown_whichever_criterion_is_largest(seed: int) -> None:
    """Six percent are copied: few false positives show it where the advantage cannot."""
    inside = people(1500, seed)
    pool = joined(inside, people(1500, seed + 2)).take(np.r_[0:90, 1590:3000])
    released = sudare.Microdata(tuple(pool[name] for name in inside.names))
    data = joined(inside, people(3000, seed + 1))
    result = MembershipInference(control="control")(data, released)
    assert result.interval is not None
    assert 0.02 < result.interval[0] < 0.06 < result.interval[1] < 0.15


def copied_outliers(share: float) -> sudare.core.Result:
    """Members of whom those with the largest pay are copied into a release of other people."""
    inside, fresh = people(1500, 1), people(1500, 3)
    pay = inside["pay"]
    assert isinstance(pay, Numeric)
    copied = np.flatnonzero(pay.values > np.quantile(pay.values, 1 - share))
    pool = joined(inside, fresh).take(np.r_[copied, 1500 + len(copied) : 3000])
    released = sudare.Microdata(tuple(pool[name] for name in inside.names))
    return MembershipInference(control="control")(joined(inside, people(3000, 2)), released)


def test_a_note_says_where_the_rarest_stratum_is_told_far_better() -> None:
    """The value is small because few are outliers, each of whom is given away."""
    result = copied_outliers(0.04)
    rare = max(value for name, value in result.parts.items() if name.startswith("rarest"))
    assert rare > 4 * result.value
    assert f"recognized far better than all records together: {rare:.3f}" in result.notes[0]
    limit = sudare.release.Limit.parse("membership-inference[rarest stratum]: control='x' <= 0.2")
    assert limit.value_of(result) == rare
    assert not limit.met_by(result)
    assert not any("far more" in note for note in copied_outliers(0).notes)


def test_ties_leave_the_interval_narrow() -> None:
    """Nearly all share one score: a threshold there takes them by lot, not all of them."""
    inside, outside = np.zeros(2000), np.zeros(1000)
    inside[:160], outside[:5] = 1, 1
    told = beyond_false_positives(inside, outside, 0.01, 1 - 0.05 / 9)
    assert told.risk == pytest.approx(0.0754, abs=1e-4)
    assert 0.02 < told.low < told.risk < told.high < 0.11
    same = beyond_false_positives(np.zeros(2000), np.zeros(1000), 0.01, 1 - 0.05 / 9)
    assert same.low == same.risk == 0
    assert same.high < 0.02


@pytest.mark.parametrize("above", [0.0, 0.3])
def test_intervals_cover_what_a_lot_among_ties_tells(above: float) -> None:
    """Scores of five levels: the ROC curve of the population is a line through each of them."""
    draws = np.random.default_rng(5)
    shares = np.array([0.5, 0.35, 0.1, 0.03, 0.02])
    mine = shares * (1 - above) + np.array([0, 0, 0, 0.5, 0.5]) * above
    covered = []
    for _ in range(200):
        inside, outside = (
            draws.choice(5, n, p=p).astype(np.float64) for n, p in ((600, mine), (300, shares))
        )
        for rate in (0.01, 0.001):
            true = (rate / 0.02 * mine[4] - rate) / (1 - rate)
            told = beyond_false_positives(inside, outside, rate, 0.9)
            covered.append(told.low <= true + 1e-12 <= told.high)
    assert np.mean(covered) >= 0.9


def test_the_rarest_stratum_is_that_of_a_column() -> None:
    data = joined(people(400, 1), people(400, 2))
    attack = MembershipInference(control="control", attackers=("nearest",), stratum="secret")
    parts = attack(data, people(400, 1)).parts
    assert len(parts) == 6
    assert parts["rarest stratum, nearest record, advantage"] > 0.95


@given(scores, scores, st.floats(0.001, 0.999))
def test_true_positives_are_those_of_the_roc_curve(
    inside: Floats, outside: Floats, rate: float
) -> None:
    corners = [(0.0, 0.0)]
    for level in sorted({*inside.tolist(), *outside.tolist()}, reverse=True):
        corners.append(((outside >= level).mean(), (inside >= level).mean()))
    best = max(y for x, y in corners if x <= rate)
    right = min(((x, y) for x, y in corners if x > rate), default=None)
    expected = best
    if right is not None:
        left = max((x, y) for x, y in corners if x <= rate)
        expected = left[1] + (rate - left[0]) / (right[0] - left[0]) * (right[1] - left[1])
    assert true_positive_rate(inside, outside, rate) == pytest.approx(expected)


@given(scores, scores)
def test_the_area_is_the_chance_over_all_pairs(inside: Floats, outside: Floats) -> None:
    pairs = (inside[:, None] > outside) + (inside[:, None] == outside) / 2
    np.testing.assert_allclose(above_controls(inside, outside), pairs.mean(axis=1))
    for estimate in (
        advantage(inside, outside, 0.9),
        beyond_false_positives(inside, outside, 0.1, 0.9),
    ):
        assert 0 <= estimate.low <= estimate.risk <= estimate.high <= 1


@given(st.integers(0, 10**6), st.integers(0, 10), st.integers(1, 600))
def test_the_nearest_are_those_of_all_pairs(seed: int, columns: int, others: int) -> None:
    draws = np.random.default_rng(seed)
    mine, theirs = (draws.integers(0, 4, (n, columns)) / 2.0 for n in (5, others))
    apart = np.minimum(np.abs(mine[:, None] - theirs), 1).sum(axis=2)
    secret = draws.integers(0, 2, others)
    wanted = np.ones(5)
    near = nearest(mine, theirs, secret=(secret, wanted, wanted))
    ordered = np.sort(np.column_stack([apart, np.full(5, np.inf)]), axis=1)
    np.testing.assert_allclose(near.distance, ordered[:, 0])
    np.testing.assert_allclose(near.second, ordered[:, 1])
    ties = apart <= ordered[:, :1] + 1e-12
    np.testing.assert_array_equal(near.ties, ties.sum(axis=1))
    np.testing.assert_array_equal(near.hits, (ties & (secret == 1)).sum(axis=1))
    np.testing.assert_allclose(densities(mine, theirs, 0.5), np.exp(-apart / 0.5).mean(axis=1))
    half = columns // 2
    parts = [np.minimum(np.abs(mine[:, None, at] - theirs[:, at]), 1).sum(axis=2)
             for at in (slice(half), slice(half, None))]  # fmt: skip
    reach = [part.min(axis=1) for part in parts]
    both = (parts[0] <= reach[0][:, None]) & (parts[1] <= reach[1][:, None])
    common = common_neighbors(
        [mine[:, :half], mine[:, half:]], [theirs[:, :half], theirs[:, half:]], reach
    )
    np.testing.assert_array_equal(common, both.sum(axis=1))


def test_an_own_record_is_skipped() -> None:
    points = np.array([[0.0], [0.25], [1.0]])
    near = nearest(points, points, skipped=np.arange(3))
    assert near.distance.tolist() == [0.25, 0.25, 0.75]


def test_half_of_the_records_does_not_depend_on_their_order() -> None:
    records = np.arange(9.0)[:, None]
    order = np.random.default_rng(1).permutation(9)
    half = records[random_half(records)].ravel()
    assert len(half) == 5
    assert sorted(records[order][random_half(records[order])].ravel()) == sorted(half)


def test_memory_for_shared_values_does_not_grow_with_columns() -> None:
    """Every value is shared with twenty others: together they are 16 million pairs."""
    columns = np.random.default_rng(1).permuted(np.tile(np.arange(100.0), (400, 20)), axis=1).T
    tracemalloc.start()
    shared_rarity(columns, columns)
    _, largest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert largest < 400e6
