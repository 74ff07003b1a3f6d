import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.engine.counting.counts import cross_table
from sudare.mask import RecordSwapping
from sudare.mask.swapping.record_swapping import household_kinds, swap_pairs


def people(rows: list[tuple[int, int, int]]) -> Microdata:
    """Records of (household, sex, age group); a household's area follows from its number."""
    household = np.array([row[0] for row in rows])
    labels = (
        Categorical("sex", np.array([row[1] for row in rows]), ("f", "m"), role="key"),
        Categorical("age", np.array([row[2] for row in rows]), tuple("abcd"), role="key"),
        Categorical("area", household % 3 - (household == 7), tuple("xyz"), role="key"),
    )
    listed = [column.on_list(column.labels_that_occur()) for column in labels]
    return Microdata((Numeric("hid", household, role="household"), *listed))


records = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=60
)


@given(records, st.floats(0, 1), st.integers(0, 2**32))
def test_whole_households_move_and_all_tables_with_similar_columns_stay(
    rows: list[tuple[int, int, int]], share: float, seed: int
) -> None:
    data = people(rows)
    masker = RecordSwapping(share=share, geography="area", similar=("sex",))
    masked = sudare.apply(data, masker, seed=seed).data
    for names in (("area",), ("area", "sex")):
        np.testing.assert_array_equal(
            cross_table([data[n] for n in names]), cross_table([masked[n] for n in names])
        )
    household = data["hid"].coded.codes
    area = masked["area"].coded.codes
    for number in np.unique(household):
        assert len(np.unique(area[household == number])) == 1
    moved = np.unique(household[area != data["area"].coded.codes])
    assert len(moved) <= share * len(np.unique(household)) + 1


def test_records_unique_on_the_keys_come_first() -> None:
    rng = np.random.default_rng(1)
    job = np.zeros(400, int)
    job[:6] = 1
    area = rng.integers(0, 40, 400)
    area[:6] = np.arange(6)
    data = Microdata(
        (
            Categorical("job", job, ("a", "b"), role="key"),
            Categorical("area", area, tuple(range(40)), role="key"),
        )
    )
    masked = sudare.apply(data, RecordSwapping(share=0.03, geography="area"), seed=1).data
    moved = masked["area"].coded.codes != area
    assert moved[:6].all()
    assert moved.sum() == 12


def test_columns_of_geography_go_together() -> None:
    district = np.arange(60) % 6
    data = Microdata(
        (
            Categorical("age", np.arange(60) % 7, tuple("abcdefg"), role="key"),
            Categorical("district", district, tuple("uvwxyz"), role="key"),
            Categorical("state", district // 3, ("s", "t"), role="key"),
        )
    )
    masker = RecordSwapping(share=0.5, geography=("district", "state"))
    masked = sudare.apply(data, masker, seed=1)
    assert masked.steps[0].columns == ("district", "state")
    after = masked.data["district"].coded.codes
    assert (after != district).any()
    np.testing.assert_array_equal(masked.data["state"].coded.codes, after // 3)


def test_by_hand_two_households_of_a_kind_change_places() -> None:
    data = people([(0, 0, 0), (0, 1, 1), (1, 1, 2), (1, 0, 3), (2, 0, 0)])
    masked = sudare.apply(
        data, RecordSwapping(share=1.0, geography="area", similar=("sex",)), seed=3
    )
    assert masked.data["area"].coded.codes.tolist() == [1, 1, 0, 0, 2]


def test_records_without_geography_stay() -> None:
    area = Categorical("area", np.array([0, 1, -1, -2]), ("x", "y"), role="key")
    masked = sudare.apply(Microdata((area,)), RecordSwapping(share=1.0), seed=1).data
    assert masked["area"].coded.codes.tolist() == [1, 0, -1, -2]


def test_records_without_a_household_move_alone() -> None:
    hid = Numeric("hid", np.array([1.0, 1.0, np.nan, np.nan]), role="household")
    area = Categorical("area", np.array([0, 0, 0, 1]), ("x", "y"), role="key")
    masked = sudare.apply(Microdata((hid, area)), RecordSwapping(share=1.0), seed=1).data
    assert masked["area"].coded.codes.tolist() == [0, 0, 1, 0]


def test_the_key_with_most_categories_is_taken_for_the_geography(toy: Microdata) -> None:
    assert RecordSwapping().fit(toy).step.columns == ("region",)
    with pytest.raises(ColumnError, match="name the geography"):
        RecordSwapping(columns=("age",)).fit(toy)
    with pytest.raises(ColumnError, match="did you mean 'region'"):
        RecordSwapping(geography="regio").fit(toy)


@given(records)
def test_kinds_are_the_sorted_members(rows: list[tuple[int, int, int]]) -> None:
    household = np.unique([row[0] for row in rows], return_inverse=True)[1]
    member = np.array([row[1] * 4 + row[2] for row in rows])
    kinds = household_kinds(household, member)
    lists = [tuple(sorted(member[household == h])) for h in range(len(kinds))]
    for position, first in enumerate(lists):
        for other, second in enumerate(lists):
            assert (kinds[position] == kinds[other]) == (first == second)


def test_no_unit_is_in_two_pairs_and_partners_live_apart() -> None:
    rng = np.random.default_rng(1)
    kind, area = rng.integers(0, 5, 500), rng.integers(-1, 4, 500)
    first, second = swap_pairs(kind, area, rng.permutation(500), 500, list(rng.random((2, 500))))
    both = np.concatenate((first, second))
    assert len(np.unique(both)) == len(both)
    assert (kind[first] == kind[second]).all()
    assert (area[first] != area[second]).all()
    assert (area[both] >= 0).all()
