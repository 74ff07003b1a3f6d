import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from sudare.core.errors import ColumnError, SudareError, unknown_name
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import MISSING, NOT_APPLICABLE
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric, distinct
from sudare.core.types import Floats


def small() -> Microdata:
    return Microdata(
        (
            Categorical("sex", np.array([0, 1, MISSING]), ("f", "m"), role="key"),
            Numeric("pay", np.array([1.0, np.nan, np.nan]), absent=np.array([False, True, False])),
        )
    )


@given(arrays(float, st.integers(0, 50), elements=st.floats(-1e6, 1e6)))
def test_distinct_gives_sorted_levels_and_places(values: Floats) -> None:
    levels, positions = distinct(values)
    np.testing.assert_array_equal(levels[positions], values)
    assert (np.diff(levels) > 0).all()


@given(arrays(float, st.integers(1, 50), elements=st.integers(-30, 30).map(float)))
def test_whole_numbers_are_placed_as_by_sorting(values: Floats) -> None:
    levels, positions = distinct(values)
    expected = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(levels, expected[0])
    np.testing.assert_array_equal(positions, expected[1])


def test_missing_and_not_applicable_stay_apart() -> None:
    pay = small()["pay"]
    assert pay.missing.tolist() == [False, False, True]
    assert pay.not_applicable.tolist() == [False, True, False]
    assert pay.coded.codes.tolist() == [0, NOT_APPLICABLE, MISSING]
    assert pay.known.tolist() == [True, False, False]
    assert small()["sex"].known.tolist() == [True, True, False]


def test_columns_cannot_be_changed_in_place() -> None:
    sex = small()["sex"]
    assert isinstance(sex, Categorical)
    with pytest.raises(ValueError, match="read-only"):
        sex.codes[0] = 1


def test_a_column_does_not_freeze_the_array_it_was_given() -> None:
    codes = np.array([0, 1], np.int32)
    Categorical("x", codes, ("a", "b"))
    codes[0] = 1


def test_codes_move_to_another_list_of_labels() -> None:
    column = Categorical("x", np.array([0, 1, MISSING, NOT_APPLICABLE]), ("a", "b"))
    assert column.codes_in(("b", "c", "a")).tolist() == [2, 0, MISSING, NOT_APPLICABLE]
    with pytest.raises(ColumnError, match="'x' has 1 category that did not occur"):
        column.codes_in(("b",))


def test_a_label_that_does_not_occur_needs_no_place() -> None:
    column = Categorical("x", np.array([0, 0]), ("a", "b"))
    assert column.codes_in(("a",)).tolist() == [0, 0]


def test_infinite_numbers_are_refused_by_name_and_count() -> None:
    with pytest.raises(ColumnError, match="'pay' has 2 infinite numbers"):
        Numeric("pay", np.array([np.inf, 1, -np.inf]))


def test_repr_shows_names_roles_and_counts_only() -> None:
    data = small()
    assert repr(data) == "<Microdata 3 rows × 2 columns: 1 key, 1 other>"
    assert repr(data["sex"]) == "<Categorical 'sex' key nominal, 3 rows>"


def test_an_unknown_column_comes_with_the_nearest_name() -> None:
    with pytest.raises(ColumnError, match="no column 'paye'; did you mean 'pay'"):
        small()["paye"]
    with pytest.raises(ColumnError, match="available: sex, pay"):
        small()["zzzz"]


def test_roles_and_scales_are_checked() -> None:
    data = small()
    assert data.assigning({"pay": "sensitive"}).sensitive == ("pay",)
    with pytest.raises(ColumnError, match="did you mean 'pay'"):
        data.assigning({"pays": "key"})
    with pytest.raises(SudareError, match="role must be one of identifier"):
        data.assigning({"pay": "secret"})  # type: ignore[dict-item]
    with pytest.raises(ColumnError, match="holds categories"):
        data.assigning(scales={"sex": "ratio"})
    assert isinstance(data.assigning(scales={"pay": "nominal"})["pay"], Categorical)


def test_only_one_column_can_hold_weights() -> None:
    with pytest.raises(ColumnError, match="2 columns have the role 'weight'"):
        small().assigning({"sex": "weight", "pay": "weight"})


def test_weights_must_be_numbers_from_zero() -> None:
    data = Microdata((Numeric("w", np.array([1.0, -1.0]), role="weight"),))
    with pytest.raises(ColumnError, match="'w' has 1 that is not"):
        _ = data.weights


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1.0, np.nan], r"'w': 1 record has no weight \(record 2\); write one"),
        ([np.nan, -1.0, np.nan], r"'w': 2 records have no weight \(records 1, 3\)"),
        ([np.nan] * 6, r"6 records have no weight \(records 1, 2, 3, 4, 5, …\)"),
    ],
)
def test_records_without_a_weight_are_named(weights: list[float], said: str) -> None:
    data = Microdata((Numeric("w", np.array(weights), role="weight"),))
    with pytest.raises(ColumnError, match=said):
        _ = data.weights
    assert data.assigning({"w": "other"}).weights is None


def test_tables_are_equal_by_content() -> None:
    assert small().equals(small())
    assert not small().equals(small().assigning({"pay": "key"}))
    assert not small().equals(small().take(np.array([1, 0, 2])))


def test_errors_survive_being_sent_to_another_process() -> None:
    error = unknown_name("column", "a", ["b"])
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301
