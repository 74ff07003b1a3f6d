import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core import (
    Array,
    Categorical,
    Column,
    Draws,
    LabelWords,
    Microdata,
    Numeric,
    content_sum,
    contents,
)

DRAWS = Draws(7)
NUMBERS = Numeric("income", np.array([1.0, 2.0, np.nan, 0.0]))
LABELS = Categorical("sex", np.array([0, 1, -1, 0]), ("f", "m"))

LOGICAL: list[tuple[object, ...]] = [(False, True), ("false", "true")]


def number_of(*columns: Column, draws: Draws = DRAWS) -> int:
    number: int = json.loads(contents(columns, content_sum(Microdata(columns), draws)))[-1]
    return number


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=30), st.data())
def test_any_cut_gives_the_sums_of_the_whole_and_any_change_gives_others(
    values: list[float], data: st.DataObject
) -> None:
    def sums(numbers: Array, first_row: int = 0) -> Array:
        table = Microdata((Numeric("income", numbers),))
        return content_sum(table, DRAWS.starting_at(first_row))

    numbers = np.array(values)
    row = data.draw(st.integers(1, len(values) - 1))
    assert (sums(numbers[:row]) + sums(numbers[row:], row) == sums(numbers)).all()
    changed = numbers.copy()
    changed[row] += 1
    assert (sums(changed) != sums(numbers)).all()
    if len(set(values)) > 1:
        assert (sums(np.roll(numbers, 1)) != sums(numbers)).any() or (
            np.roll(numbers, 1) == numbers
        ).all()


@pytest.mark.parametrize(
    "other",
    [
        Numeric("income", np.array([1.0, 2.0, 0.0, 0.0])),
        Numeric("income", np.array([1.0, 2.0, np.nan, 0.0]), absent=np.array([0, 0, 1, 0], bool)),
        Numeric("income", np.array([2.0, 1.0, np.nan, 0.0])),
        Numeric("wealth", np.array([1.0, 2.0, np.nan, 0.0])),
        Categorical("income", np.array([1, 2, -1, 0]), (0, 1, 2)),
    ],
)
def test_another_column_has_other_sums(other: Column) -> None:
    assert number_of(other) != number_of(NUMBERS)


def test_codes_and_the_sign_of_zero_do_not_count() -> None:
    assert number_of(LABELS) == number_of(
        Categorical("sex", np.array([1, 2, -1, 1]), ("", "f", "m"))
    )
    assert number_of(NUMBERS) == number_of(Numeric("income", np.array([1.0, 2.0, np.nan, -0.0])))
    whole, written = (
        Categorical("age", np.array([0, 1]), labels) for labels in ((1, 2), (1.0, 2.0))
    )
    assert number_of(whole) == number_of(written)
    true, text = (Categorical("is", np.array([1, 0]), labels) for labels in LOGICAL)
    assert number_of(true) == number_of(text)


def test_the_order_of_labels_and_of_columns_is_told_apart_and_identifiers_do_not_count() -> None:
    more = Categorical("sex", np.array([0, 1, -1, 0]), ("f", "m", "x"))
    turned = Categorical("sex", np.array([1, 0, -1, 1]), ("m", "f"))
    tables = [(LABELS, NUMBERS), (more, NUMBERS), (turned, NUMBERS), (NUMBERS, LABELS)]
    told = {contents(columns, np.zeros(1, np.uint64)) for columns in tables}
    assert len(told) == len(tables)
    number = Numeric("id", np.arange(4.0), role="identifier")
    assert number_of(LABELS) == number_of(LABELS, number)
    nothing = np.zeros(1, np.uint64)
    assert contents([LABELS], nothing) == contents([LABELS, number], nothing)


def test_nobody_can_choose_values_that_do_not_change_the_number() -> None:
    """Words that differ in their highest bit alone, twice, were the same in one secret of four."""
    words = np.array([5, 9], np.uint64)
    numbers, others = (each.view(float) for each in (words, words ^ np.uint64(1 << 63)))
    for seed in range(200):
        draws = Draws(seed)
        first, other = (number_of(Numeric("n", each), draws=draws) for each in (numbers, others))
        assert first != other


def test_words_of_labels_are_kept_for_the_blocks_that_share_their_list() -> None:
    known: LabelWords = {}
    blocks = [Microdata((LABELS.take(rows),)) for rows in (np.arange(2), np.arange(2, 4))]
    sums = [content_sum(b, DRAWS.starting_at(2 * n), known) for n, b in enumerate(blocks)]
    assert known["sex"][0] is LABELS.labels
    assert (np.add(*sums) == content_sum(Microdata((LABELS,)), DRAWS)).all()
    for labels in ((0, 1), (False, True)):  # equal, and not the same in a file
        table = Microdata((Categorical("sex", np.array([0, 1]), labels),))
        assert (content_sum(table, DRAWS, known) == content_sum(table, DRAWS)).all()
