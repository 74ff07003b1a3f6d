"""No synthetic record gives an original one away, as far as the settings promise."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Categorical, Column, Microdata, Numeric, SettingError
from sudare.mask import SequentialSynthesis
from sudare.mask.synthesis.copies import near_copies, replicated_uniques

tables = st.lists(
    st.tuples(st.integers(-2, 3), st.sampled_from([0.0, 1.0, 2.5, np.nan])),
    min_size=1,
    max_size=20,
)


def columns(rows: list[tuple[int, float]]) -> tuple[Column, Column]:
    codes, values = zip(*rows, strict=True)
    return (
        Categorical("a", np.array(codes), ("p", "q", "r", "s"), role="key"),
        Numeric("x", np.array(values), role="key"),
    )


@given(tables, tables)
def test_replicated_uniques_are_unique_in_both(
    before: list[tuple[int, float]], after: list[tuple[int, float]]
) -> None:
    old, new = ([str(row) for row in rows] for rows in (before, after))
    expected = [new.count(row) == 1 and old.count(row) == 1 for row in new]
    pairs = list(zip(columns(before), columns(after), strict=True))
    assert replicated_uniques(pairs).tolist() == expected


@given(tables, tables, st.floats(0.01, 1))
def test_near_copies_are_those_that_a_plain_search_finds(
    before: list[tuple[int, float]], after: list[tuple[int, float]], distance: float
) -> None:
    before = [*before, (0, 0.0), (0, 2.5)]  # so that the range is known

    def apart(old: tuple[int, float], new: tuple[int, float]) -> float:
        number = abs(old[1] - new[1]) / 2.5
        if np.isnan(number):
            absent = np.isnan(old[1]) and np.isnan(new[1])
            present = new[1] if np.isnan(old[1]) else old[1]
            number = 0.0 if absent else 0.5 + abs(present / 2.5 - 0.5)
        return float((old[0] != new[0]) + number) / 2

    nearest = np.array([min(apart(old, new) for old in before) for new in after])
    near = near_copies(list(zip(columns(before), columns(after), strict=True)), distance)
    clear = np.abs(nearest - distance) > 1e-9
    np.testing.assert_array_equal(near[clear], (nearest < distance)[clear])


def test_no_unique_is_replicated_where_that_is_asked_for() -> None:
    data = sudare.datasets.toy(600)
    plain = sudare.apply(data, SequentialSynthesis(), seed=1).data
    assert replicated_uniques([(data[n], plain[n]) for n in data.keys]).any()
    made = sudare.apply(data, SequentialSynthesis(redraw_uniques=True), seed=1).data
    assert not replicated_uniques([(data[n], made[n]) for n in data.keys]).any()
    assert made.rows > 0.9 * data.rows


def test_no_record_is_nearer_than_the_distance_stated() -> None:
    data = sudare.datasets.expenditure_like(200, seed=1)
    data = data.without(data.names[5:])
    made = sudare.apply(data, SequentialSynthesis(min_distance=0.01), seed=1).data
    assert not near_copies([(data[n], made[n]) for n in data.names], 0.01).any()


def test_columns_that_stay_are_not_severed_silently() -> None:
    data = sudare.datasets.toy()
    with pytest.raises(SettingError, match="nothing to do with them"):
        SequentialSynthesis(columns=("age", "sex"), given=()).fit(data)
    with pytest.raises(SettingError, match="records='all'"):
        SequentialSynthesis(records="at-risk", redraw_uniques=True).fit(data)


def test_originals_stay_beside_drawn_values_only_where_they_are_given() -> None:
    data = sudare.datasets.toy()
    remark = Numeric("remark", np.arange(float(data.rows)), role="other")
    data = Microdata((*data.columns, remark))
    for columns in (None, ("income",)):
        with pytest.raises(SettingError, match="'remark' would keep original values"):
            SequentialSynthesis(columns=columns).fit(data)
    SequentialSynthesis(columns=(*data.keys, *data.sensitive, "remark")).fit(data)
    plan = SequentialSynthesis(given=("remark",)).fit(data)
    assert {told["rule"] for told in plan.step.public.values()} == {"partial"}


def test_what_is_found_draws_few_values_first() -> None:
    rng = np.random.default_rng(1)
    wide, narrow = rng.normal(size=50), rng.integers(0, 2, 50)
    data = Microdata(
        (Numeric("wide", wide, role="key"), Categorical("narrow", narrow, ("a", "b"), role="key"))
    )
    plan = SequentialSynthesis(order="found").fit(data)
    assert plan.sequence == (("narrow",), ("wide",))  # type: ignore[attr-defined]
