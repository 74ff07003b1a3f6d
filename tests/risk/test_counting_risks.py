from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.risk import KAnonymity, Uniques

rows = st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 1)), min_size=1, max_size=40)


def table(records: list[tuple[int, int]]) -> sudare.Microdata:
    first, second = np.array(records).T
    return sudare.Microdata(
        (
            Categorical("a", first, ("x", "y", "z"), role="key"),
            Categorical("b", second, ("u", "v"), role="key"),
        )
    )


@given(rows)
def test_k_is_the_smallest_group_and_uniques_are_groups_of_one(
    records: list[tuple[int, int]],
) -> None:
    sizes = Counter(records)
    result = KAnonymity()(table(records))
    assert result.value == min(sizes.values())
    assert result.by_record is not None
    assert result.by_record.tolist() == [sizes[record] for record in records]
    uniques = Uniques()(table(records))
    assert uniques.value * len(records) == sum(size == 1 for size in sizes.values())


def test_by_hand() -> None:
    five = table([(0, 0), (0, 0), (1, 0), (-1, 0), (-1, 0)])
    assert KAnonymity()(five).value == 1
    assert Uniques()(five).value == 0.2
    assert KAnonymity(columns=("b",))(five).value == 5


def test_the_released_table_counts_not_the_original(toy: sudare.Microdata) -> None:
    plan = sudare.mask.GlobalRecode(min_share=0.3, columns=("region", "occupation"))
    masked = sudare.apply(toy, plan).data
    assert Uniques()(toy, masked).value < Uniques()(toy).value


def test_a_missing_key_can_count_as_a_match_for_every_value() -> None:
    five = table([(0, 0), (0, 0), (1, 0), (-1, 0), (-2, 0)])
    result = KAnonymity(missing="wildcard")(five)
    assert result.by_record is not None
    assert result.by_record.tolist() == [3, 3, 2, 5, 2]
    assert (result.value, result.parts) == (2, {"a": 2.0, "b": 5.0})
