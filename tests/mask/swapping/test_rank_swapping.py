import numpy as np
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import RankSwapping
from sudare.mask.swapping.rank_swapping import ranking, swap_partners


@given(st.integers(0, 200), st.integers(1, 60), st.integers(0, 2**32))
def test_partners_are_mutual_and_within_reach(count: int, reach: int, seed: int) -> None:
    partners = swap_partners(count, reach, np.random.default_rng(seed).random(count))
    np.testing.assert_array_equal(partners[partners], np.arange(count))
    assert (np.abs(partners - np.arange(count)) <= reach).all()


def test_nearly_every_rank_is_swapped() -> None:
    partners = swap_partners(10_000, 500, np.random.default_rng(1).random(10_000))
    assert (partners != np.arange(10_000)).mean() > 0.95
    apart = np.abs(partners - np.arange(10_000))
    assert 500 / 4 < apart.mean() < 500 / 2


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 9)), min_size=1, max_size=40).filter(
        lambda values: any(v is not None for v in values)
    ),
    st.floats(0.01, 1),
    st.integers(0, 2**32),
)
def test_every_value_stays_in_the_column_and_every_gap_in_its_place(
    values: list[int | None], share: float, seed: int
) -> None:
    column = Numeric("x", np.array([np.nan if v is None else v for v in values]), role="key")
    after = sudare.apply(Microdata((column,)), RankSwapping(share=share), seed=seed).data["x"]
    assert isinstance(after, Numeric)
    np.testing.assert_array_equal(np.isnan(after.values), np.isnan(column.values))
    np.testing.assert_array_equal(np.sort(after.values), np.sort(column.values))


def test_values_move_no_further_than_the_share_of_ranks() -> None:
    values = np.random.default_rng(1).permutation(1000.0 * np.arange(1000) ** 2)
    data = Microdata((Numeric("x", values, role="key"),))
    after = sudare.apply(data, RankSwapping(share=0.03), seed=1).data["x"]
    assert isinstance(after, Numeric)
    moved = np.abs(np.sqrt(after.values / 1000) - np.sqrt(values / 1000))
    assert 0 < moved.max() <= 30 + 1e-6


def test_ordinal_categories_are_swapped_by_their_order() -> None:
    codes = np.repeat([0, 1, 2, 3], 50)
    column = Categorical("grade", codes, tuple("abcd"), role="key", scale="ordinal")
    after = sudare.apply(Microdata((column,)), RankSwapping(share=0.1), seed=1).data["grade"]
    assert isinstance(after, Categorical)
    assert (np.bincount(after.codes) == 50).all()
    assert (after.codes != codes).any()
    assert (np.abs(after.codes - codes) <= 1).all()


def test_ties_are_ranked_by_chance() -> None:
    column = Numeric("x", np.array([5.0, 5.0, 1.0, np.nan]))
    assert ranking(column, np.array([0.9, 0.1, 0.5, 0.0])).tolist() == [2, 1, 0]
