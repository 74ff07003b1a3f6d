"""Counting equal records in blocks, and what else is put together from parts of a table."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.engine.counting.counts import Finder
from sudare.engine.counting.packing import Digit, Packing, collapsed
from sudare.engine.counting.weighted_moments import assembled, moments, pieces
from sudare.engine.large.block_tasks import in_order

CODES = st.lists(st.integers(-2, 4), min_size=1, max_size=60)


@given(CODES, st.data())
@settings(deadline=None)
def test_counted_keys_are_the_collapsed_table(codes: list[int], data: st.DataObject) -> None:
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
    keys, counts = np.unique(packing.keys(columns), axis=1, return_counts=True)
    unpacked = packing.unpacked(list(keys), counts)
    order = in_order(unpacked)
    expected = collapsed(columns, np.ones(rows, np.int64))
    made = Microdata(tuple(column.take(order) for column in unpacked))
    assert made.equals(expected)
    assert made.copies is not None
    assert expected.copies is not None
    assert (made.copies == expected.copies).all()


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
