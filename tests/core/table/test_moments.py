"""Moments of blocks, merged in any way, are those of all records; groups are merged one by one."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core.table.moments import Moments
from sudare.core.types import Floats
from sudare.engine.counting import block_moments, group_moments
from sudare.loss.distances.sums_of_squares import spread, squares


def assert_same(moments: Moments, expected: Moments) -> None:
    np.testing.assert_allclose(moments.weight, expected.weight)
    np.testing.assert_allclose(moments.mean, expected.mean, atol=1e-12)
    np.testing.assert_allclose(moments.products, expected.products, rtol=1e-9, atol=1e-9)


def blocks(values: Floats, cuts: list[int]) -> list[Moments]:
    return [block_moments(part) for part in np.split(values, sorted(cuts), axis=1)]


@given(st.integers(0, 10**6), st.lists(st.integers(0, 40), max_size=8))
def test_blocks_are_merged_one_by_one_or_all_at_once(seed: int, cuts: list[int]) -> None:
    values = np.random.default_rng(seed).normal(100, 3, (3, 40))
    whole = block_moments(values)
    assert_same(Moments.joined(blocks(values, cuts)), whole)
    assert_same(reduce(Moments.merged, blocks(values, cuts)), whole)
    np.testing.assert_allclose(whole.correlation, np.corrcoef(values), atol=1e-12)
    assert whole.squares == pytest.approx(((values.T - values.mean(axis=1)) ** 2).sum())


@given(st.integers(0, 10**6), st.integers(0, 60))
def test_groups_are_merged_as_each_by_itself(seed: int, cut: int) -> None:
    rng = np.random.default_rng(seed)
    codes, values, counted = rng.integers(0, 5, 60), rng.normal(50, 2, 60), rng.integers(1, 4, 60)
    parts = [(codes[s], values[s], counted[s], 6) for s in (slice(cut), slice(cut, None))]
    merged = Moments.joined(group_moments(*part) for part in parts)
    assert_same(merged, group_moments(codes, values, counted, 6))
    for group in range(6):
        mine = codes == group
        alone = block_moments(values[mine][None], counted[mine].astype(float))
        assert_same(merged[group], alone)
    assert merged.weight[5] == 0
    assert np.isnan(merged.sd[5]).all()


def test_each_column_by_itself_is_a_group() -> None:
    points = np.random.default_rng(2).normal(1e9, 1, (10_000, 4))
    each, whole = squares(points), block_moments(np.ascontiguousarray(points.T))
    np.testing.assert_allclose(each.products.ravel(), np.diag(whole.products), rtol=1e-9)
    np.testing.assert_allclose(each.mean.ravel(), whole.mean)
    near = points - 1e9
    exact = ((near - near.mean(axis=0)) ** 2).sum()
    assert spread(near) == pytest.approx(exact, rel=1e-14)
    assert spread(points) == pytest.approx(exact, rel=1e-9)  # a common shift costs few digits


def test_an_empty_block_adds_nothing_however_far_the_other_is() -> None:
    far = Moments(2.0, np.array([1e300]), np.array([[8.0]]))
    nothing = Moments(0.0, np.zeros(1), np.zeros((1, 1)))
    with np.errstate(over="ignore", invalid="ignore"):
        for merged in (far.merged(nothing), nothing.merged(far)):
            assert (merged.weight, merged.mean[0], merged.products[0, 0]) == (2.0, 1e300, 8.0)
