"""Information capacity, ILD and ILSSDM: the paper's numbers, and the laws behind them."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from sudare.core.errors import InputError, MismatchError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.core.types import Array, Floats
from sudare.describe.distances.metrics import Discrete, Given, PNorm, as_distance
from sudare.describe.distances.trees import Distance, Tree
from sudare.loss.distances import pair_sums as sums
from sudare.loss.distances.capacity import ild, information_capacity
from sudare.loss.distances.group_loss import ilssdm
from sudare.study.distance_study.paper import JAPAN, REGION_OF, ROADS


def brute_force(values: Sequence[Any] | Array, distance: Given, power: float) -> float:
    values = list(values)
    far = as_distance(distance).matrix(values)
    return float((far**power).sum())


def test_example_2_1_of_the_paper() -> None:
    before, after = (1, 2, 3, 4), (1.5, 1.5, 3.5, 3.5)
    assert information_capacity(before, "euclidean") == 40
    assert information_capacity(after, "euclidean") == 32
    assert ild(before, after, "euclidean") == 0.2
    assert ilssdm(before, (1, 1, 2, 2)) == 0.2


def test_example_2_2_of_the_paper() -> None:
    tree = Tree({"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a1": "a", "a2": "a"})
    before, after = ["a11", "a12", "a21", "a22"], ["a1", "a1", "a2", "a2"]
    assert information_capacity(before, tree) == 144
    assert information_capacity(after, tree) == 32
    assert round(ild(before, after, tree), 3) == 0.778
    assert ild(before, ["a"] * 4, tree) == 1


@pytest.mark.parametrize(
    ("distance", "power", "before", "after", "loss"),
    [
        ("discrete", 2, 56, 48, 0.14285),
        (JAPAN, 2, 1440, 576, 0.60000),
        (ROADS, 2, 648, 640, 0.01234),
        ("discrete", 1, 56, 48, 0.14285),
        (JAPAN, 1, 272, 160, 0.41176),
        (ROADS, 1, 168, 160, 0.04762),
    ],
)
def test_tables_1_and_2_of_the_paper(
    distance: Given, power: float, before: float, after: float, loss: float
) -> None:
    prefectures = list(REGION_OF)
    regions = [REGION_OF[prefecture] for prefecture in prefectures]
    assert information_capacity(prefectures, distance, power) == before
    assert information_capacity(regions, distance, power) == after
    lost = ild(prefectures, regions, distance, power)
    assert abs(lost - loss) < 1e-5  # the paper cuts 0.142857 to 0.14285


numbers = arrays(float, st.integers(2, 40), elements=st.integers(-50, 50).map(float))
tables = arrays(float, st.tuples(st.integers(2, 30), st.integers(1, 4)), elements=st.floats(-9, 9))


@given(tables, st.data())
def test_ild_is_ilssdm_for_euclid_and_group_means(points: Floats, data: st.DataObject) -> None:
    groups = data.draw(arrays(int, len(points), elements=st.integers(0, 4)))
    means = np.stack([points[groups == g].mean(axis=0) for g in groups])
    assert ild(points, means, "euclidean") == pytest.approx(ilssdm(points, groups), abs=1e-12)


@pytest.mark.parametrize("size", [5, 500])
def test_ild_is_ilssdm_far_from_the_origin_and_in_many_blocks(size: int) -> None:
    rng = np.random.default_rng(5)
    points = np.round(rng.normal(size=(100_000, 3)), 3) * 2.0**-4 + 2.0**20
    groups = rng.permutation(np.arange(100_000) // size)
    sizes = np.bincount(groups)
    means = np.stack([np.bincount(groups, x - 2.0**20) / sizes for x in points.T], axis=1)
    lost = ilssdm(points, groups)
    assert ild(points - 2.0**20, means[groups], "euclidean") == pytest.approx(lost, abs=1e-12)
    assert ilssdm(points - 2.0**20, groups) == pytest.approx(lost, rel=1e-12)


@given(numbers, st.integers(-1000, 1000), st.sampled_from([0.5, 2.0, 4.0]))
def test_euclid_does_not_mind_order_shift_or_scale(x: Floats, shift: int, scale: float) -> None:
    after = np.round(x / 10) * 10
    expected = ild(x, after, "euclidean")
    order = np.random.default_rng(1).permutation(len(x))
    assert ild(x[order], after[order], "euclidean") == pytest.approx(expected, abs=1e-12)
    assert ild(x + shift, after + shift, "euclidean") == pytest.approx(expected, abs=1e-12)
    assert ild(x * scale, after * scale, "euclidean") == pytest.approx(expected, abs=1e-12)


@given(tables, st.sampled_from([1.0, 1.5, 2.0, 3.0, math.inf]), st.sampled_from([1.0, 2.0, 3.0]))
def test_numbers_equal_brute_force(points: Floats, p: float, power: float) -> None:
    expected = brute_force(points, PNorm(p), power)
    capacity = information_capacity(points, PNorm(p), power)
    assert capacity == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(numbers, st.sampled_from([1.0, 1.5, 2.0]))
def test_one_column_equals_brute_force_whatever_the_norm(x: Floats, power: float) -> None:
    for p in (1, 2, math.inf):
        capacity = information_capacity(x, PNorm(p), power)
        assert capacity == pytest.approx(brute_force(x, PNorm(2), power), rel=1e-12)


words = st.lists(st.sampled_from(list(JAPAN.nodes)), min_size=1, max_size=30)
LABEL_DISTANCES: list[Given] = ["discrete", "levenshtein", "jaro-winkler", JAPAN]
LABEL_DISTANCES.append(lambda a, b: abs(len(a) - len(b)) + 0.5)


@pytest.mark.parametrize(
    "distance", LABEL_DISTANCES, ids=lambda d: d if isinstance(d, str) else type(d).__name__
)
@given(values=words, power=st.sampled_from([1.0, 1.7, 2.0]))
def test_labels_equal_brute_force_over_records(
    distance: Given, values: list[Any], power: float
) -> None:
    far = as_distance(distance)
    every_pair = [far.matrix([a, b])[0, 1] ** power for a in values for b in values if a != b]
    capacity = information_capacity(values, distance, power)
    assert capacity == pytest.approx(math.fsum(every_pair), rel=1e-12)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    size = draw(st.integers(2, 30))
    return Tree({i: draw(st.integers(0, i - 1)) for i in range(1, size)})


@given(trees(), st.data(), st.sampled_from([1.0, 2.0, 2.5]))
def test_a_tree_by_depths_equals_a_tree_by_pairs(
    tree: Tree, data: st.DataObject, power: float
) -> None:
    size = len(tree.nodes)
    counts = data.draw(arrays(float, size, elements=st.integers(0, 1000).map(float)))
    pairs = sums.pair_sum(tree.between(tree.nodes), counts, power, 1 << 20)
    by_depths = sums.tree_pairs(tree, np.arange(size), counts, power)
    assert by_depths == pytest.approx(pairs, rel=1e-12)


def test_a_tree_too_deep_for_a_table_by_depth_is_summed_by_pairs() -> None:
    path = Tree({i: i - 1 for i in range(1, 200)})
    expected = information_capacity(np.arange(200.0), "euclidean")
    assert information_capacity(range(200), path) == pytest.approx(expected)


@given(st.integers(1, 60), st.integers(1, 200), st.sampled_from([1.0, 2.0]))
def test_blocks_of_any_size_give_the_same_sum(size: int, cells: int, power: float) -> None:
    rng = np.random.default_rng(size)
    points, counts = rng.normal(size=size), rng.integers(1, 9, size).astype(float)
    shares: list[float] = []
    between = PNorm(2).between(points)
    whole = sums.pair_sum(between, counts, power, 1 << 20)
    blocks = sums.pair_sum(between, counts, power, cells, shares.append)
    assert blocks == pytest.approx(whole, rel=1e-12)
    assert shares == sorted(shares)
    assert shares[-1] == 1


@given(words, st.data())
def test_weights_count_as_repeated_records(values: list[Any], data: st.DataObject) -> None:
    times = data.draw(arrays(int, len(values), elements=st.integers(0, 4)))
    repeated = [value for value, count in zip(values, times, strict=True) for _ in range(count)]
    numbers = np.array([float(len(value)) for value in values])
    for power in (1, 2):
        weighted = information_capacity(values, JAPAN, power, weights=times.astype(float))
        assert weighted == pytest.approx(information_capacity(repeated, JAPAN, power))
        weighted = information_capacity(numbers, "euclidean", power, weights=times.astype(float))
        again = information_capacity([len(v) for v in repeated], "euclidean", power)
        assert weighted == pytest.approx(again, abs=1e-9)


def test_nothing_to_lose_is_no_loss() -> None:
    assert ild(["a", "a"], ["a", "b"], "discrete") == 0
    assert ild([3.0], [4.0], "euclidean") == 0
    assert ilssdm([2.0, 2.0], [0, 0]) == 0
    assert ilssdm([1.0, 2.0], [0, 1]) == 0
    assert ilssdm([1.0, 2.0], [7, 7]) == 1


def test_values_may_be_arrays_of_any_kind_or_columns() -> None:
    codes = np.array([5, 7, 5, 1_000_000_000_000])
    assert information_capacity(codes, "discrete") == 10
    assert information_capacity(codes[:3], "discrete") == 4
    assert information_capacity(np.array(["x", "y", "x"]), "levenshtein") == 4
    assert information_capacity(np.array([[1, 2], [1, 2], [3, 4]]), "discrete") == 4
    column = Categorical("x", np.array([0, 1, 0, -1]), ("a", "b"))
    assert information_capacity(column, "discrete", weights=np.array([1.0, 2, 1, 9])) == 8
    assert information_capacity(Numeric("x", np.array([1.0, 2, np.nan])), "euclidean") == 2
    assert information_capacity(codes[:0], "discrete") == 0
    assert information_capacity(np.zeros((0, 2)), "euclidean") == 0


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(InputError, match="1 of 2 records have a missing or infinite number"):
        information_capacity([1.0, math.nan], "euclidean")
    with pytest.raises(InputError, match="1 of 2 records have a missing or infinite number"):
        ilssdm([1.0, math.nan], [0, 0])
    with pytest.raises(InputError, match="not all numbers"):
        information_capacity(["a", "b"], "euclidean")
    with pytest.raises(InputError, match="not all numbers"):
        information_capacity(Categorical("x", np.array([0]), ("a",)), "euclidean")
    with pytest.raises(SettingError, match="power must be at least 1, got 0"):
        information_capacity([1.0], "euclidean", 0)
    with pytest.raises(MismatchError, match="2 values before and 1 after"):
        ild([1, 2], [1], "discrete")
    with pytest.raises(MismatchError, match="one group for each record"):
        ilssdm([1, 2], [1])


def test_weights_are_checked() -> None:
    for distance in ("euclidean", "manhattan", "discrete"):
        capacity = information_capacity([1.0, 2.0, 2.0], distance, 1, weights=[1, 0.5, 0.5])
        assert capacity == information_capacity([1.0, 2.0], distance, 1)
        for wrong in ([1.0], [1.0, 1.0, 1.0, 1.0], [[1.0]] * 3):
            with pytest.raises(SettingError, match="one for each of 3 records"):
                information_capacity([1, 2, 3], distance, weights=wrong)  # type: ignore[arg-type]
        for bad in (-1.0, math.nan, math.inf, "x"):
            with pytest.raises(SettingError, match="weights must be finite numbers, 0 or more"):
                ild([1, 2], [1, 2], distance, weights=[1.0, bad])  # type: ignore[list-item]


@pytest.mark.parametrize("distance", ["euclidean", "discrete"])
def test_rows_of_a_frame_are_records_and_keep_their_width(distance: str) -> None:
    points = np.array([[1.0, 2.0], [1.0, 3.0], [4.0, 2.0]])
    frame = pd.DataFrame(points, columns=["x", "y"])
    capacity = information_capacity(frame, distance)
    assert capacity == information_capacity(points, distance) > 2
    with pytest.raises(MismatchError, match="2 values before and 1 after masking"):
        ild(frame, points[:, :1], distance)


@pytest.mark.parametrize(
    ("before", "after", "distance"),
    [
        (list("abc"), list("abb"), "levenshtein"),
        (np.eye(3), np.ones((3, 3)), PNorm(3)),
    ],
)
def test_progress_of_ild_never_goes_back(before: Any, after: Any, distance: Given) -> None:
    shares: list[float] = []
    ild(before, after, distance, 3, on_progress=shares.append)
    assert shares == sorted(set(shares))
    assert shares[-1] == 1


def test_a_function_is_asked_about_distinct_values_only() -> None:
    calls: list[tuple[str, str]] = []

    def unequal(a: str, b: str) -> float:
        calls.append((a, b))
        return 1.0

    values = ["a", "b", "c"] * 1000
    assert information_capacity(values, unequal) == information_capacity(values, "discrete")
    assert len(calls) <= 6


def test_the_discrete_distance_in_blocks_is_the_one_by_counts() -> None:
    counts = np.array([3.0, 1.0, 5.0])
    blocks = sums.pair_sum(Discrete().between("abc"), counts, 2, 4)
    assert blocks == counts.sum() ** 2 - (counts**2).sum()
    assert isinstance(as_distance("discrete"), Distance)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e160, 1e300, 4e307])
@pytest.mark.parametrize("power", [1, 2, 3])
def test_numbers_of_any_size_lose_the_same_share(scale: float, power: float) -> None:
    before, after = np.array([1.0, 2, 3, 4]), np.array([1.5, 1.5, 3.5, 3.5])
    expected = ild(before, after, "euclidean", power)
    close = 1e-3 if scale < 1e-300 else 1e-12
    old, new = before * scale, after * scale
    assert ild(old, new, "euclidean", power) == pytest.approx(expected, rel=close)
    columns = Numeric("x", old), Numeric("x", new)
    assert ild(*columns, "manhattan", power) == pytest.approx(expected, rel=close)
    assert ilssdm(old, ["a", "a", "b", "b"]) == pytest.approx(0.2, rel=close)


def test_a_capacity_that_is_no_number_is_infinite() -> None:
    assert information_capacity([1e300, -1e300], "euclidean") == math.inf
    assert information_capacity(np.tile([1e152, -1e152], 5000), "euclidean") > 1e308


def test_missing_labels_are_not_read_as_text() -> None:
    with pytest.raises(InputError, match="some of the values are missing"):
        information_capacity(["a", None], "levenshtein")
    assert information_capacity(["a", None], "discrete") == 2


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        (np.int8, -128, 127),
        (np.int16, -20_000, 20_000),
        (np.uint8, 100, 255),
        (np.uint64, 2**64 - 9, 2**64 - 1),
    ],
)
def test_labels_of_any_whole_type_are_told_apart(kind: type, low: int, high: int) -> None:
    groups: Array = np.array([low, high, high], dtype=kind)
    wide, values = np.array([0, 1, 1]), np.array([1.0, 2.0, 4.0])
    assert ilssdm(values, groups) == ilssdm(values, wide)
    assert information_capacity(groups, "discrete") == information_capacity(wide, "discrete")


def test_records_without_a_group_are_refused() -> None:
    groups = Categorical("g", np.array([0, -1, 0], np.int32), ("a",))
    with pytest.raises(InputError, match="1 record has no group"):
        ilssdm([1.0, 2.0, 3.0], groups)


def test_numbers_of_groups_may_be_any_and_many() -> None:
    rng = np.random.default_rng(4)
    groups = rng.integers(0, 1000, 1 << 20)
    values = rng.normal(size=(1 << 20, 1))
    assert ilssdm(values, groups - 700) == pytest.approx(ilssdm(values, groups), rel=1e-12)
    assert ilssdm(values, groups + 10**12) == pytest.approx(ilssdm(values, groups), rel=1e-12)
