"""Removal of records: conditions, rarest combinations, weights, households."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Categorical, Microdata, Numeric
from sudare.mask import RemoveRecords


def persons() -> Microdata:
    return Microdata(
        (
            Categorical("area", np.array([0, 0, 0, 1, 1, 2]), ("north", "south", "isle")),
            Numeric("persons", np.array([1.0, 2.0, 9.0, 3.0, np.nan, 4.0]), role="key"),
            Numeric("house", np.array([1.0, 1.0, 2.0, 2.0, 3.0, 4.0]), role="household"),
            Numeric("w", np.array([1.0, 1.0, 2.0, 2.0, 2.0, 2.0]), role="weight"),
        )
    )


def left(**settings: Any) -> list[int]:
    numbers = sudare.apply(persons(), RemoveRecords(**settings)).data.record_numbers
    assert numbers is not None
    return [int(number) for number in numbers]


def test_records_that_meet_any_condition_go() -> None:
    assert left(where={"persons": ">= 8", "area": ("isle",)}) == [0, 1, 3, 4]
    assert left(where={"persons": "≦ 2"}) == [2, 3, 4, 5]


def test_a_household_goes_with_all_its_members() -> None:
    assert left(where={"persons": "> 8"}, unit="household") == [0, 1, 4, 5]


def test_weights_are_scaled_to_the_sum_of_all_or_kept() -> None:
    scaled = sudare.apply(persons(), RemoveRecords(where={"persons": "> 8"})).data
    assert scaled.weights is not None
    assert scaled.weights.tolist() == [1.25, 1.25, 2.5, 2.5, 2.5]
    kept = sudare.apply(persons(), RemoveRecords(where={"persons": "> 8"}, weights="kept")).data
    assert kept.weights is not None
    assert kept.weights.tolist() == [1.0, 1.0, 2.0, 2.0, 2.0]


def test_the_rarest_combination_goes_first() -> None:
    assert left(rarest=0.2, columns=("area",)) == [0, 1, 2, 3, 4]
    assert left(rarest=0.5, columns=("area",)) == [0, 1, 2]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.floats(0, 0.99))
def test_never_more_than_the_share_and_equal_records_go_together(
    codes: list[int], share: float
) -> None:
    area = Categorical("area", np.array(codes), tuple("abcdefg"), role="key")
    left = sudare.apply(Microdata((area,)), RemoveRecords(rarest=share)).data["area"].coded
    kept = left.codes_in(area.labels)
    assert len(codes) - len(kept) <= share * len(codes) + 1e-6
    gone = set(codes) - set(kept.tolist())
    sizes = np.bincount(codes)
    for code in set(kept.tolist()):
        assert (kept == code).sum() == sizes[code]
        assert all(sizes[other] <= sizes[code] for other in gone)


def test_conditions_that_cannot_be_read_are_refused() -> None:
    data = persons()
    with pytest.raises(sudare.errors.SettingError, match="must be a comparison"):
        RemoveRecords(where={"persons": "many"}).fit(data)
    with pytest.raises(sudare.errors.ColumnError, match="list the labels"):
        RemoveRecords(where={"area": "> 3"}).fit(data)
    with pytest.raises(sudare.errors.SettingError, match="every record would be removed"):
        RemoveRecords(where={"persons": "> 0", "area": ("south",)}).fit(data)


def test_missing_values_meet_no_condition() -> None:
    assert left(where={"persons": "< 100"}) == [4]
