"""Small purchase histories and masked files for tests."""

import numpy as np
from hypothesis import strategies as st

from sudare.core.types import Integers
from sudare.transactions import History, ItemSets, MaskedHistory, Ranges

FIRST_DAY, LAST_DAY = 14610, 15339  # 2010-01-01 and 2011-12-31
ITEMS = tuple(f"A{number}" for number in range(6))


@st.composite
def histories(draw: st.DrawFn, most_rows: int = 12) -> History:
    """A history of a few customers and items."""
    rows = draw(st.integers(1, most_rows))

    def column(low: int, high: int) -> list[int]:
        return draw(st.lists(st.integers(low, high), min_size=rows, max_size=rows))

    return History.from_rows(
        [str(number) for number in column(1, 4)],
        column(FIRST_DAY, LAST_DAY),
        [ITEMS[code] for code in column(0, len(ITEMS) - 1)],
        column(1, 5000),
        column(1, 200),
    )


@st.composite
def masked_histories(draw: st.DrawFn, history: History) -> MaskedHistory:
    """A masked file that fits a history: ranges, sets, deleted cells and rows."""
    rows = history.rows

    def numbers(low: int, high: int) -> Integers:
        values = draw(st.lists(st.integers(low, high), min_size=rows, max_size=rows))
        return np.array(values, dtype=np.int64)

    def ranges(values: Integers, lowest: int, highest: int) -> Ranges:
        low = np.maximum(values - numbers(0, 3), lowest)
        top = np.minimum(values + numbers(0, 3), highest)
        return Ranges(low, top).without(numbers(0, 4) == 0)

    names = history.item_ids
    chosen = [
        sorted({int(item), *draw(st.sets(st.integers(0, len(names) - 1), max_size=3))})
        for item in history.items
    ]
    items = ItemSets(
        np.arange(rows, dtype=np.int32),
        np.concatenate([[0], np.cumsum([len(members) for members in chosen])]).astype(np.int64),
        np.array([code for members in chosen for code in members], dtype=np.int32),
        names,
    )
    plain = MaskedHistory.of(history)
    dates = ranges(history.dates, FIRST_DAY, LAST_DAY)
    return MaskedHistory(
        plain.pseudonyms,
        dates,
        items.without(numbers(0, 4) == 0),
        ranges(history.prices, 1, 9_999_999),
        ranges(history.quantities, 1, 999_999),
    ).without_rows(numbers(0, 5) == 0)
