"""Partitions: laws, slow and obvious twins of the kernels, ties and bad input."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from sudare import errors
from sudare.core import Floats, FloatVector, Integers, IntegerVector, kernel
from sudare.mask.microaggregation.grouping._kernels_index import Index, build, empty_index, remove
from sudare.mask.microaggregation.grouping._kernels_refine import (
    best_exchange,
    best_move,
    outermost,
)
from sudare.mask.microaggregation.grouping._kernels_search import Neighbors, farthest, nearest
from sudare.mask.microaggregation.grouping.kernel_groups import (
    gathered,
    mdav_groups,
    near_groups,
    variable_mdav_groups,
)
from sudare.mask.microaggregation.grouping.partition import (
    blockwise_mdav,
    lost_share,
    mdav,
    on_grid,
    refined,
    summed_squares,
    variable_mdav,
)

PARTITIONS: dict[str, Callable[[Floats, int], Integers]] = {
    "mdav": mdav,
    "variable, gain 0": lambda values, k: variable_mdav(values, k, 0.0),
    "variable, gain 1.1": lambda values, k: variable_mdav(values, k, 1.1),
    "blockwise": lambda values, k: blockwise_mdav(values, k, 3 * k),
    "refined": lambda values, k: refined(values, mdav(values, k), k),
}


def squares(points: Floats, target: Floats) -> Floats:
    """Squared distances, summed in the order of the columns."""
    total = np.zeros(len(points))
    for t in range(points.shape[1]):
        total += (points[:, t] - target[t]) ** 2
    return total


def take_nearest(points: Floats, left: list[int], center: int, k: int) -> list[int]:
    apart = squares(points[left], points[center])
    nearest = sorted((j for j in left if j != center), key=lambda j: (apart[left.index(j)], j))
    return [center, *nearest[: k - 1]]


def twin_mdav(points: Floats, k: int) -> Integers:
    """MDAV word by word; the points are sorted."""
    groups, left, group = np.empty(len(points), np.int64), list(range(len(points))), 0
    while len(left) >= 2 * k:
        two = len(left) >= 3 * k
        target = points[left].mean(axis=0)
        for _ in range(2 if two else 1):
            center = left[int(np.argmax(squares(points[left], target)))]
            members = take_nearest(points, left, center, k)
            groups[members] = group
            left = [j for j in left if j not in members]
            target, group = points[center], group + 1
    groups[left] = group
    return groups


def twin_variable(points: Floats, k: int, gain: float) -> Integers:
    """V-MDAV word by word, without what is done about left-overs."""
    groups, left, group = np.full(len(points), -1), list(range(len(points))), 0
    centroid = points.mean(axis=0)
    while len(left) >= k:
        center = left[int(np.argmax(squares(points[left], centroid)))]
        members = take_nearest(points, left, center, k)
        left = [j for j in left if j not in members]
        while len(members) < 2 * k - 1 and left:
            inside = np.array([squares(points[left], points[m]) for m in members])
            member, nearest = np.unravel_index(int(np.argmin(inside)), inside.shape)
            others = [j for j in left if j != left[nearest]]
            outside = squares(points[others], points[left[nearest]]).min() if others else np.inf
            if gain == 0 or not np.sqrt(inside[member, nearest]) < gain * np.sqrt(outside):
                break
            members.append(left[nearest])
            left = others
        groups[members] = group
        group += 1
    return groups


def tables(values: st.SearchStrategy[float]) -> st.SearchStrategy[Floats]:
    shapes = st.tuples(st.integers(4, 40), st.integers(1, 4))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=values))


rough = tables(st.integers(-3, 3).map(float))
smooth = tables(st.floats(-1e3, 1e3, allow_nan=False, width=32))


def sorted_points(values: Floats) -> Floats:
    return np.ascontiguousarray(on_grid(values[np.lexsort(values.T[::-1])]))


@given(rough | smooth, st.integers(2, 4))
def test_mdav_is_its_twin_ties_included(values: Floats, k: int) -> None:
    points = sorted_points(values)
    np.testing.assert_array_equal(mdav_groups(points, k), twin_mdav(points, k))


@pytest.mark.parametrize("kind", ["normal", "far from the origin", "lattice", "two spikes"])
def test_mdav_is_its_twin_over_many_blocks_of_the_index(kind: str) -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(700, 5))
    if kind == "far from the origin":
        values[:650] = 1e4 + 1e-3 * values[:650]
    if kind == "lattice":
        values = rng.integers(0, 4, (700, 5)).astype(float)
    if kind == "two spikes":
        values = np.repeat([[1.0], [-1.0]], 350, axis=0) + 1e-7 * values
    points = sorted_points(values)
    np.testing.assert_array_equal(mdav_groups(points, 3), twin_mdav(points, 3))


@given(smooth, st.integers(2, 4), st.sampled_from([0.0, 0.3, 1.1]))
def test_variable_mdav_is_its_twin(values: Floats, k: int, gain: float) -> None:
    points = sorted_points(values)
    groups = variable_mdav_groups(points, k, gain)
    np.testing.assert_array_equal(groups, twin_variable(points, k, gain))


@kernel
def index_without(index: Index, gone: IntegerVector) -> int:
    blocks = build(index, len(index.points))
    for record in gone:
        remove(index, record)
    return blocks


@kernel
def nearest_and_farthest(
    index: Index, blocks: int, target: FloatVector, neighbors: Neighbors
) -> int:
    nearest(index, blocks, target, -1, neighbors)
    return farthest(index, blocks, target)


@pytest.mark.parametrize("count", [1, 5, 64])
def test_queries_find_what_a_full_scan_finds(count: int) -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(500, 3)).round(1)
    index, gone = empty_index(points), rng.choice(500, 200, replace=False)
    blocks = index_without(index, gone)
    live = np.setdiff1d(np.arange(500), gone)
    neighbors = Neighbors(np.empty(count, np.int64), np.empty(count))
    for target in rng.normal(size=(20, 3)):
        apart = squares(points[live], target)
        far = nearest_and_farthest(index, blocks, target, neighbors)
        np.testing.assert_array_equal(neighbors.ids, live[np.lexsort((live, apart))[:count]])
        assert far == live[np.lexsort((live, -apart))[0]]


def test_near_groups_are_the_nearest_where_all_blocks_are_searched() -> None:
    means = np.random.default_rng(2).normal(size=(300, 3))
    near = near_groups(means, 5)
    for group, mean in enumerate(means):
        apart = squares(means, mean)
        apart[group] = np.inf
        np.testing.assert_array_equal(near[group], np.argsort(apart, kind="stable")[:5])


@pytest.mark.parametrize("partition", PARTITIONS)
@given(values=rough | smooth, k=st.integers(2, 4))
def test_groups_have_k_to_2k_minus_1_records(partition: str, values: Floats, k: int) -> None:
    sizes = np.bincount(PARTITIONS[partition](values, k))
    assert k <= sizes.min()
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("partition", PARTITIONS)
@given(values=smooth, k=st.integers(2, 4))
def test_the_lost_share_lies_between_0_and_1(partition: str, values: Floats, k: int) -> None:
    assert 0 <= lost_share(values, PARTITIONS[partition](values, k)) <= 1 + 1e-12


@pytest.mark.parametrize("partition", PARTITIONS)
def test_groups_are_never_worse_than_random_ones(partition: str) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(60, 3))
        groups = PARTITIONS[partition](values, 3)
        assert lost_share(values, groups) < lost_share(values, rng.permutation(groups))


@pytest.mark.parametrize("partition", PARTITIONS)
@given(values=rough | smooth, k=st.integers(2, 4), seed=st.integers(0, 99))
def test_record_order_changes_nothing(partition: str, values: Floats, k: int, seed: int) -> None:
    shuffled = np.random.default_rng(seed).permutation(len(values))
    groups = PARTITIONS[partition](values, k)
    other = np.empty_like(groups)
    other[shuffled] = PARTITIONS[partition](values[shuffled], k)
    assert rows_of(values, groups) == rows_of(values, other)


def rows_of(values: Floats, groups: Integers) -> list[list[list[float]]]:
    """The groups as multisets of rows: equal rows are interchangeable."""
    return sorted(sorted(values[groups == group].tolist()) for group in np.unique(groups))


@pytest.mark.parametrize("partition", PARTITIONS)
@given(values=rough, shift=st.floats(-50, 50), scale=st.sampled_from([1e-3, 0.7, 3.0, 1e4]))
def test_shift_and_scale_change_nothing(
    partition: str, values: Floats, shift: float, scale: float
) -> None:
    groups = PARTITIONS[partition](values, 3)
    moved = PARTITIONS[partition]((values + shift) * scale, 3)
    np.testing.assert_array_equal(groups, moved)


@given(rough | smooth, st.integers(2, 4))
def test_refinement_never_raises_the_loss(values: Floats, k: int) -> None:
    groups = mdav(values, k)
    before, after = (
        summed_squares(values, groups),
        summed_squares(values, refined(values, groups, k)),
    )
    assert after <= before * (1 + 1e-9) + 1e-12


def test_refinement_lowers_the_loss_of_mdav_and_of_blocks() -> None:
    values = np.random.default_rng(3).normal(size=(3000, 6))
    exact, split = mdav(values, 4), blockwise_mdav(values, 4, 1000)
    assert lost_share(values, refined(values, exact, 4)) < 0.97 * lost_share(values, exact)
    assert lost_share(values, refined(values, split, 4)) < 1.03 * lost_share(values, exact)


def test_refinement_takes_groups_of_any_number_and_size() -> None:
    values = np.random.default_rng(3).normal(size=(40, 2))
    groups = np.repeat([9, 4], [35, 5])
    better = refined(values, groups, 2)
    assert lost_share(values, better) < lost_share(values, groups)
    assert np.bincount(better).tolist() != np.bincount(groups).tolist()
    np.testing.assert_array_equal(refined(values, np.full(40, 7), 2), np.zeros(40))


def test_each_move_and_exchange_gains_what_it_says() -> None:
    rng, along = np.random.default_rng(8), np.empty(2)
    for _ in range(50):
        points, groups = rng.normal(size=(7, 2)), np.array([0, 0, 0, 0, 1, 1, 1])
        before = summed_squares(points, groups)
        gain, x, y = best_exchange(gathered(points, groups, 3), 0, 1, along)
        move, out = best_move(gathered(points, groups, 3), 0, 1, 3)
        exchanged = {
            (i, j): before - summed_squares(points, swapped(groups, i, 4 + j))
            for i in range(4)
            for j in range(3)
        }
        moved = [
            before - summed_squares(points, np.where(np.arange(7) == i, 1, groups))
            for i in range(4)
        ]
        assert gain == pytest.approx(max(0, *exchanged.values()))
        assert move == pytest.approx(max(0, *moved))
        assert gain == 0 or max(exchanged, key=exchanged.__getitem__) == (x, y)
        assert move == 0 or int(np.argmax(moved)) == out


def test_large_groups_exchange_their_outermost_records() -> None:
    rng = np.random.default_rng(9)
    for _ in range(5):
        points, groups = rng.normal(size=(75, 2)), np.repeat([0, 1], [35, 40])
        grouping, chosen = gathered(points, groups, 35), np.empty(8, np.int64)
        along = grouping.means[1] - grouping.means[0]
        outermost(grouping, 0, 1, chosen, np.empty(8))
        np.testing.assert_array_equal(chosen, np.argsort(-points[:35] @ along)[:8])
        gain, x, y = best_exchange(grouping, 0, 1, np.empty(2))
        apart = points[None, 35:] - points[:35, None]
        gains = (1 / 35 + 1 / 40) * (apart**2).sum(axis=2) - 2 * apart @ along
        best = gains.max()
        exchanged = swapped(groups, x, 35 + y)
        assert gain == pytest.approx(
            summed_squares(points, groups) - summed_squares(points, exchanged)
        )
        assert 0.9 * best <= gain <= best


@pytest.mark.parametrize("lump", [1e6, 1e8, 1e9])
def test_refinement_ends_where_rounding_finds_gains(lump: float) -> None:
    column = [0.0] * 4 + [1.0] * 3 + [2.0] * 4 + [3.0] + [lump] * 6
    values = np.array(column)[:, None]
    groups = mdav(values, 3)
    better = refined(values, groups, 3)
    assert 3 <= np.bincount(better).min() <= np.bincount(better).max() <= 5
    assert summed_squares(values, better) <= summed_squares(values, groups)


@pytest.mark.parametrize("k", [33, 70, 300])
def test_large_groups_are_refined_in_their_limits(k: int) -> None:
    values = np.random.default_rng(3).normal(size=(2000, 3))
    for groups in (mdav(values, k), variable_mdav(values, k, 1.1)):
        better = refined(values, groups, k)
        assert k <= np.bincount(better).min() <= np.bincount(better).max() <= 2 * k - 1
        assert lost_share(values, better) < 0.97 * lost_share(values, groups)


def swapped(groups: Integers, first: int, second: int) -> Integers:
    changed = groups.copy()
    changed[[first, second]] = groups[[second, first]]
    return changed


def test_blocks_of_at_least_all_records_are_exact() -> None:
    values = np.random.default_rng(3).normal(size=(200, 3))
    np.testing.assert_array_equal(blockwise_mdav(values, 3, 200), mdav(values, 3))


def test_sums_on_the_grid_are_exact_in_any_order() -> None:
    values = on_grid(np.random.default_rng(3).lognormal(0, 3, size=(50_000, 1)))
    assert values.sum() == values[::-1].sum() == np.cumsum(values)[-1]


def test_equal_records_and_constant_columns_are_grouped() -> None:
    for partition in PARTITIONS.values():
        sizes = np.bincount(partition(np.full((11, 2), 3.0), 3))
        assert sizes.sum() == 11
        assert sizes.min() >= 3
    assert lost_share(np.full((11, 2), 3.0), np.zeros(11, np.int64)) == 0


@pytest.mark.parametrize("k", [-1, 0, 1, 6])
def test_k_outside_its_limits_is_refused(k: int) -> None:
    with pytest.raises(errors.SettingError, match="from 2 to the number of records, 5"):
        mdav(np.zeros((5, 2)), k)


def test_missing_values_are_refused() -> None:
    with pytest.raises(errors.InputError, match="1 record has missing or infinite values"):
        mdav(np.array([[1.0], [np.nan], [2.0]]), 2)
