"""Sampled histories are allowed by the masked file, uniform, and repeatable row by row."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from sudare.core.draws import draws_from
from sudare.core.errors import InputError
from sudare.datasets import purchases_like
from sudare.transactions import History, ItemSets, MaskedHistory, Ranges, published, sample
from sudare.transactions.history import AMOUNTS
from tests.transactions.strategies import histories, masked_histories

masked_pairs = histories().flatmap(lambda h: st.tuples(st.just(h), masked_histories(h)))


@given(masked_pairs, st.integers(0, 5))
def test_a_sample_is_allowed_by_the_masked_file(
    pair: tuple[History, MaskedHistory], number: int
) -> None:
    history, masked = pair
    kept = np.flatnonzero(~masked.gone)
    assume(len(kept))
    drawn = sample(history, masked, seed=7, number=number)
    assert drawn.rows == len(kept)
    assert [drawn.customer_ids[c] for c in drawn.customers] == [
        str(number) for number in masked.pseudonyms[kept]
    ]
    assert list(drawn.customer_ids) == sorted(drawn.customer_ids)
    for column in AMOUNTS:
        cells, values = masked.amounts(column).take(kept), drawn.amounts(column)
        known = history.amounts(column)
        low = np.where(cells.deleted, known.min(), cells.low)
        high = np.where(cells.deleted, known.max(), cells.high)
        assert ((low <= values) & (values <= high)).all()
    for row, original_row in enumerate(kept):
        item = drawn.item_ids[drawn.items[row]]
        cell = masked.items.cells[original_row]
        allowed = (
            history.item_ids
            if cell < 0
            else [masked.items.item_ids[code] for code in masked.items.members_of(cell)]
        )
        assert item in allowed


@given(histories())
def test_a_file_that_masks_nothing_gives_the_history_back(history: History) -> None:
    drawn = sample(history, MaskedHistory.of(history), seed=1)
    assert drawn.item_ids == history.item_ids
    assert (drawn.items == history.items).all()
    for column in AMOUNTS:
        assert (drawn.amounts(column) == history.amounts(column)).all()


def coarse(rows: int) -> tuple[History, MaskedHistory]:
    """Every cell of one kind: a range of four, a set of three of five items, deleted prices."""
    history = History.from_rows(
        ["1"] * rows,
        np.full(rows, 15000),
        [f"A{row % 5}" for row in range(rows)],
        np.arange(rows) % 3 + 10,
        np.full(rows, 2),
    )
    every = np.ones(rows, dtype=np.bool_)
    masked = MaskedHistory.of(history).with_amounts(
        {
            "quantity": Ranges(np.full(rows, 1), np.full(rows, 4)),
            "price": Ranges(history.prices, history.prices).without(every),
        }
    )
    sets = ItemSets(
        np.zeros(rows, np.int32), np.array([0, 3]), np.array([0, 1, 2], np.int32), history.item_ids
    )
    return history, masked.with_items(sets)


def test_every_allowed_value_is_equally_likely() -> None:
    history, masked = coarse(30_000)
    drawn = sample(history, masked, seed=5)
    for values, count in ((drawn.quantities - 1, 4), (drawn.items, 3), (drawn.prices - 10, 3)):
        frequencies = np.bincount(values, minlength=count)
        assert len(frequencies) == count
        expected = history.rows / count
        assert (
            (frequencies - expected) ** 2 / expected
        ).sum() < 20  # 3 degrees of freedom: p < 0.0002


def test_deleted_items_are_drawn_from_all_items() -> None:
    history, masked = coarse(5_000)
    nothing = masked.with_items(masked.items.without(np.ones(5_000, dtype=np.bool_)))
    drawn = sample(history, nothing, seed=5)
    assert drawn.item_ids == history.item_ids
    assert np.bincount(drawn.items).min() > 850


def test_a_row_keeps_its_draws_when_other_rows_are_deleted() -> None:
    history, masked = coarse(50)
    some = np.arange(50) % 7 == 0
    whole, part = (
        sample(history, masked, seed=3),
        sample(history, masked.without_rows(some), seed=3),
    )
    assert (whole.quantities[~some] == part.quantities).all()
    assert (whole.prices[~some] == part.prices).all()


def test_seeds_and_numbers_tell_samples_apart() -> None:
    history, masked = coarse(50)
    first, same = (sample(history, masked, seed=3) for _ in range(2))
    assert (first.quantities == same.quantities).all()
    for other in (sample(history, masked, seed=4), sample(history, masked, seed=3, number=1)):
        assert (first.quantities != other.quantities).any()


def test_the_published_file_can_be_sampled_too() -> None:
    history, masked = coarse(50)
    drawn = sample(history, published(masked.without_rows(np.arange(50) < 10)), seed=1)
    assert drawn.rows == 40


def test_a_file_of_nothing_is_refused() -> None:
    history = purchases_like(2, seed=1)
    every = np.ones(history.rows, dtype=np.bool_)
    with pytest.raises(InputError, match="every row"):
        sample(history, MaskedHistory.of(history).without_rows(every), seed=draws_from(1).seed)
