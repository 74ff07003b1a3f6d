"""Sums of squares within and between groups, against the obvious way."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from sudare.core.types import Floats, Integers
from sudare.loss.distances._kernels import (
    RANGE,
    RANGE_BITS,
    SLAB,
    between_groups,
    count_ranges,
    deal,
    within_groups,
)
from sudare.loss.distances.sums_of_squares import group_squares

tables = arrays(float, st.tuples(st.integers(1, 30), st.integers(1, 9)), elements=st.floats(-9, 9))


def slow_squares(points: Floats, groups: Integers) -> tuple[float, float]:
    within = sum(
        ((points[groups == g] - points[groups == g].mean(axis=0)) ** 2).sum()
        for g in np.unique(groups)
    )
    return within, ((points - points.mean(axis=0)) ** 2).sum() - within


@given(tables, st.data())
def test_squares_within_and_between_few_groups(points: Floats, data: st.DataObject) -> None:
    groups = data.draw(arrays(np.int64, len(points), elements=st.integers(0, 5)))
    expected = slow_squares(points, groups)
    assert group_squares(points, groups, 6) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(tables, st.data())
def test_squares_within_and_between_groups_of_many_ranges(
    points: Floats, data: st.DataObject
) -> None:
    groups = data.draw(arrays(np.int64, len(points), elements=st.integers(0, 5 * RANGE - 1)))
    expected = slow_squares(points, groups)
    assert group_squares(points, groups, 5 * RANGE) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_small_losses_keep_their_digits_in_any_number_of_ranges() -> None:
    rng = np.random.default_rng(1)
    groups = rng.permutation(np.repeat(np.arange(20_000), 3))
    points = rng.normal(size=(20_000, 2))[groups] + 1e-7 * rng.normal(size=(60_000, 2)) + 100
    order = np.argsort(groups, kind="stable")
    triples = points[order].reshape(-1, 3, 2)
    within = ((triples - triples.mean(axis=1, keepdims=True)) ** 2).sum()
    assert group_squares(points, groups, 20_000)[0] == pytest.approx(within, rel=1e-6)


@given(arrays(np.int64, st.integers(0, 50), elements=st.integers(0, 3 * RANGE - 1)))
def test_every_record_has_its_card_in_its_range(groups: Integers) -> None:
    counts = np.zeros(3, np.int64)
    count_ranges(groups, counts)
    cards = np.empty(len(groups), np.uint32)
    deal(groups, np.cumsum(counts) - counts, cards)
    order = np.argsort(groups >> RANGE_BITS, kind="stable")
    assert counts.tolist() == np.bincount(groups >> RANGE_BITS, minlength=3).tolist()
    assert (cards >> RANGE_BITS).tolist() == order.tolist()
    assert (cards % RANGE).tolist() == (groups[order] % RANGE).tolist()


@given(tables, st.data())
def test_the_kernels_agree_with_their_twins(points: Floats, data: st.DataObject) -> None:
    groups = data.draw(arrays(np.int64, len(points), elements=st.integers(0, 5)))
    counts, means = np.zeros(6), np.zeros((6, points.shape[1]))
    cards = ((np.arange(len(points)) << RANGE_BITS) | groups).astype(np.uint32)
    edges = np.array([0, len(points)])
    within = within_groups(points, SLAB, cards, edges, points[0], counts, means)
    expected = slow_squares(points, groups)
    assert within == pytest.approx(expected[0], rel=1e-9, abs=1e-12)
    assert counts.tolist() == np.bincount(groups, minlength=6).tolist()
    center = np.empty(points.shape[1])
    between = between_groups(counts, means, np.empty_like(center), center)
    assert center + points[0] == pytest.approx(points.mean(axis=0), abs=1e-12)
    assert between == pytest.approx(expected[1], rel=1e-9, abs=1e-9)
