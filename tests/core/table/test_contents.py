import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.core import Array, Categorical, Column, Draws, Microdata, Numeric, content_sums

DRAWS = Draws(7)
NUMBERS = Numeric("income", np.array([1.0, 2.0, np.nan, 0.0]))
LABELS = Categorical("sex", np.array([0, 1, -1, 0]), ("f", "m"))

LOGICAL: list[tuple[object, ...]] = [(False, True), ("false", "true")]


def sums_of(*columns: Column) -> list[int]:
    sums: list[int] = content_sums(Microdata(columns), DRAWS).tolist()
    return sums


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=30), st.data())
def test_any_cut_gives_the_sums_of_the_whole_and_any_change_gives_others(
    values: list[float], data: st.DataObject
) -> None:
    def sums(numbers: Array, first_row: int = 0) -> Array:
        table = Microdata((Numeric("income", numbers),))
        return content_sums(table, DRAWS.starting_at(first_row))

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
        Numeric("income", np.array([1.0, 2.0, np.nan])),
        Categorical("income", np.array([1, 2, -1, 0]), (0, 1, 2)),
    ],
)
def test_another_column_has_other_sums(other: Column) -> None:
    assert sums_of(other) != sums_of(NUMBERS)


def test_codes_and_the_sign_of_zero_do_not_count() -> None:
    assert sums_of(LABELS) == sums_of(Categorical("sex", np.array([1, 2, -1, 1]), ("", "f", "m")))
    assert sums_of(NUMBERS) == sums_of(Numeric("income", np.array([1.0, 2.0, np.nan, -0.0])))
    whole, written = (
        Categorical("age", np.array([0, 1]), labels) for labels in ((1, 2), (1.0, 2.0))
    )
    assert sums_of(whole) == sums_of(written)
    true, text = (Categorical("is", np.array([1, 0]), labels) for labels in LOGICAL)
    assert sums_of(true) == sums_of(text)


def test_a_stated_order_of_labels_counts_and_identifiers_do_not() -> None:
    orders = [("low", "middle", "high"), ("middle", "high", "low")]
    codes = [np.array([0, 1, 2]), np.array([2, 0, 1])]
    first, other = (
        sums_of(Categorical("level", code, labels, scale="ordinal"))
        for code, labels in zip(codes, orders, strict=True)
    )
    assert first != other
    assert sums_of(LABELS) == sums_of(LABELS, Numeric("id", np.arange(4.0), role="identifier"))
