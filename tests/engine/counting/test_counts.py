from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core.errors import SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.engine.counting.counts import cross_table, group_sizes, groups, label_counts

records = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(-2, 2)] * width), min_size=1, max_size=60)
)


def columns(rows: Sequence[tuple[int, ...]], labels: int = 3) -> list[Categorical]:
    names = tuple(range(labels))
    return [Categorical(str(i), codes, names) for i, codes in enumerate(np.array(rows).T)]


@given(records, st.sampled_from([3, 10**6]))
def test_group_sizes_are_those_of_equal_rows(rows: list[tuple[int, ...]], labels: int) -> None:
    expected = Counter(rows)
    assert sorted(group_sizes(columns(rows, labels))) == sorted(expected.values())
    grouped = groups(columns(rows, labels))
    assert grouped.size_of_record.tolist() == [expected[row] for row in rows]
    assert sorted(grouped.sizes) == sorted(expected.values())


@given(records)
def test_a_cross_table_counts_every_combination(rows: list[tuple[int, ...]]) -> None:
    table = cross_table(columns(rows))
    assert table.sum() == len(rows)
    for row, count in Counter(rows).items():
        # Codes -2 and -1 index the last two places: not applicable, missing.
        assert table[row] == count


def test_weights_are_counted_in_place_of_one() -> None:
    rows = [(0, 1), (0, 1), (2, -1)]
    table = cross_table(columns(rows), np.array([0.5, 1.5, 3.0]))
    assert table[0, 1] == 2.0
    assert table[2, -1] == 3.0


def test_label_counts_leave_absences_out() -> None:
    column = Categorical("x", np.array([0, 1, 1, -1, -2]), ("a", "b", "c"))
    assert label_counts(column).tolist() == [1, 2, 0]


def test_many_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(1)
    wide = [Categorical(str(i), rng.integers(0, 1000, 500), tuple(range(1000))) for i in range(12)]
    assert group_sizes([*wide, wide[0]]).tolist() == [1] * 500
    doubled = [column.take(np.repeat(np.arange(500), 2)) for column in wide]
    assert group_sizes(doubled).tolist() == [2] * 500


def test_numbers_are_grouped_by_their_distinct_values() -> None:
    assert group_sizes([Numeric("x", np.array([1.5, 1.5, np.nan, -2.0]))]).tolist() == [1, 1, 2]


def test_sums_by_group() -> None:
    grouped = groups(columns([(0,), (1,), (0,)]))
    assert grouped.sums(np.array([1.0, 2.0, 4.0])).tolist() == [5.0, 2.0]


def test_a_table_too_large_to_hold_is_refused() -> None:
    wide = [Categorical(str(i), np.zeros(2), tuple(range(1000))) for i in range(4)]
    with pytest.raises(SettingError, match="cells, more than"):
        cross_table(wide)


def test_counting_nothing_is_refused() -> None:
    with pytest.raises(SettingError, match="at least one column"):
        group_sizes([])
