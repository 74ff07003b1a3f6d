"""Counting equal records in blocks, and what else is put together from parts of a table."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudare.core.columns import Categorical, Column, Numeric
from sudare.core.microdata import Microdata
from sudare.engine.counting._kernels_tally import code_counts
from sudare.engine.counting.counts import Finder
from sudare.engine.counting.tallies import Digit, Packing, Tally, collapsed
from sudare.engine.counting.weighted_moments import assembled, moments, pieces
from sudare.engine.large.block_tasks import in_order

CODES = st.lists(st.integers(-2, 4), min_size=1, max_size=60)


@given(CODES, st.data())
@settings(deadline=None)
def test_a_tally_of_blocks_is_the_collapsed_table(codes: list[int], data: st.DataObject) -> None:
    rows = len(codes)
    values = data.draw(
        st.lists(st.sampled_from([0.0, -0.0, 1.5, 1e300, np.nan]), min_size=rows, max_size=rows)
    )
    absent = np.isnan(values) & (np.array(codes) == -2)
    columns: list[Column] = [
        Categorical("label", np.array(codes), tuple("abcde")),
        Numeric("number", np.array(values), absent=absent),
    ]
    packing = Packing((Digit(columns[0].take(np.zeros(0, int)), radix=7), Digit(columns[1])))
    tally = Tally(len(packing.words))
    for start in range(0, rows, 7):
        block = np.arange(start, min(start + 7, rows))
        tally.add(packing.keys([column.take(block) for column in columns]))
    keys, counts, _ = tally.entries()
    unpacked = packing.unpacked(keys, counts)
    order = in_order(unpacked)
    expected = collapsed(columns, np.ones(rows, np.int64))
    made = Microdata(tuple(column.take(order) for column in unpacked))
    assert made.equals(expected)
    assert made.copies is not None
    assert expected.copies is not None
    assert (made.copies == expected.copies).all()


def test_a_tally_grows_and_adds_up_weights() -> None:
    keys = np.random.default_rng(1).integers(0, 30_000, (100_000, 2))
    weights = np.random.default_rng(2).random(100_000)
    tally = Tally(2, 1)
    tally.add(keys, weights[:, None])
    counted, copies, sums = tally.entries()
    distinct, index, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    order = np.lexsort(counted.T[::-1])
    assert (counted[order] == distinct).all()
    assert (copies[order] == counts).all()
    np.testing.assert_allclose(sums[order, 0], np.bincount(index.ravel(), weights))


@pytest.mark.parametrize("radix", [5, 10**6])
def test_a_finder_knows_what_it_was_given(radix: int) -> None:
    rng = np.random.default_rng(1)
    codes = np.unique(rng.integers(-2, radix, (200, 5)), axis=0)
    finder = Finder.of(list(codes.T), [radix] * 5)
    rows = rng.permutation(len(codes))
    assert (finder.find(list(codes[rows].T)) == rows).all()
    strange = codes[:1].copy()
    strange[0, 0] = -2 if codes[0, 0] != -2 else radix - 1
    known = (codes == strange).all(axis=1).any()
    assert (finder.find(list(strange.T))[0] >= 0) == known


@given(st.lists(st.integers(1, 40_000), min_size=1, max_size=12), st.integers(1, 3))
@settings(deadline=None, max_examples=25)
def test_moments_do_not_depend_on_how_a_table_is_cut(cuts: list[int], columns: int) -> None:
    values = np.random.default_rng(1).normal(1e6, 1, (columns, 100_000))
    values[0, ::7] = np.nan
    whole = moments([Numeric(str(i), row) for i, row in enumerate(values)])
    edges = np.unique(np.clip([0, *np.cumsum(cuts), 100_000], 0, 100_000))
    parts = [
        piece
        for first, last in itertools.pairwise(edges)
        for piece in pieces(int(first), values[:, first:last])
    ]
    total = assembled(parts[::-1], columns)
    assert total.weight == whole.weight
    assert (total.mean == whole.mean).all()
    assert (total.products == whole.products).all()


@given(st.lists(st.integers(-5, 2000), max_size=300), st.integers(0, 300))
@settings(deadline=None, max_examples=30)
def test_keys_of_one_word_are_counted_like_any_others(codes: list[int], middle: int) -> None:
    keys = np.array(codes, np.int64).reshape(-1, 1)
    fast, slow = Tally(1), Tally(1)
    for part in (keys[:middle], keys[middle:]):
        fast.add(part)
        slow.add(part, counts=np.ones(len(part), np.int64))
    counts = [sorted(zip(k[:, 0], c, strict=True)) for k, c, _ in (fast.entries(), slow.entries())]
    assert counts[0] == counts[1] == sorted(Counter(codes).items())


@given(st.lists(st.integers(0, 6), max_size=60))
@settings(deadline=None, max_examples=30)
def test_codes_are_counted_as_by_numpy(codes: list[int]) -> None:
    values = np.array(codes, np.int32)
    assert code_counts(values, 7).tolist() == np.bincount(values, minlength=7).tolist()
