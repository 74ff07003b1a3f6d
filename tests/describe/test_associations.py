import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import sudare
from sudare.core.messages import speaking
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.describe import association
from sudare.describe.associations import codes_v, correlation_ratio, pearson_r

tables = arrays(float, st.tuples(st.integers(2, 5), st.integers(2, 5)), elements=st.integers(1, 30))


def v_of(table: Floats) -> float:
    """Return V of two columns of codes that have this cross table as their weights."""
    rows, columns = np.indices(table.shape)
    return codes_v(rows.ravel(), columns.ravel(), table.ravel())


def cramers_v(table: Floats) -> float:
    """Return Cramér's V of a cross table: 0 for independence, 1 for full dependence.

    Rows and columns without records are left out; with a single row or column left, V is NaN.
    Sano and Hattori, eq. 7.
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape, default=0) < 2:
        return float("nan")
    total = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    chi_square = ((table - expected) ** 2 / expected).sum()
    return float(np.sqrt(chi_square / (total * (min(table.shape) - 1))))


@given(tables)
def test_v_lies_between_zero_and_one_and_does_not_depend_on_order(table: Floats) -> None:
    v = v_of(table)
    assert 0 <= v <= 1 + 1e-12
    assert v_of(table.T) == pytest.approx(v)
    assert v_of(table[::-1]) == pytest.approx(v)
    assert v_of(table * 7) == pytest.approx(v)


@given(tables)
def test_v_from_the_cells_that_occur_is_v_of_the_table(table: Floats) -> None:
    first, second = np.indices(table.shape).reshape(2, -1)
    weights = table.ravel()
    assert codes_v(first, second, weights) == pytest.approx(cramers_v(table), abs=1e-7)
    again = np.repeat(np.arange(table.size), weights.astype(int))
    assert codes_v(first[again], second[again]) == pytest.approx(cramers_v(table), abs=1e-7)


def test_v_of_independent_and_of_equal_variables() -> None:
    assert v_of(np.outer([1, 2, 3], [4, 5])) == pytest.approx(0)
    assert v_of(np.diag([3.0, 4.0, 5.0])) == pytest.approx(1)


def test_empty_rows_are_left_out_and_a_single_row_has_no_v() -> None:
    assert v_of(np.array([[1, 2], [0, 0], [2, 1]])) == pytest.approx(1 / 3)
    assert np.isnan(v_of(np.array([[1.0, 2.0]])))
    assert np.isnan(v_of(np.zeros((3, 3))))


@given(arrays(float, 20, elements=st.floats(-100, 100)), st.integers(0, 2**32))
def test_r_is_numpys(x: Floats, seed: int) -> None:
    y = np.random.default_rng(seed).normal(size=20)
    if x.std() > 1e-6:
        assert pearson_r(x, y, np.ones(20)) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)


def test_the_correlation_ratio_is_that_of_the_sums_of_squares() -> None:
    rng = np.random.default_rng(1)
    codes, y = rng.integers(0, 4, 200), rng.normal(size=200)
    within = sum(((y[codes == c] - y[codes == c].mean()) ** 2).sum() for c in range(4))
    total = ((y - y.mean()) ** 2).sum()
    assert correlation_ratio(codes, y, np.ones(200)) == pytest.approx(1 - within / total)


def test_whole_weights_are_repeated_records() -> None:
    rng = np.random.default_rng(2)
    codes, x, y = rng.integers(0, 3, 50), rng.normal(size=50), rng.normal(size=50)
    weights = rng.integers(1, 4, 50)
    again = np.repeat(np.arange(50), weights)
    ones = np.ones(len(again))
    assert pearson_r(x, y, weights) == pytest.approx(pearson_r(x[again], y[again], ones))
    ratio = correlation_ratio(codes, y, weights)
    assert ratio == pytest.approx(correlation_ratio(codes[again], y[again], ones))


def test_the_statistic_follows_the_scales(toy: sudare.Microdata) -> None:
    associations = association(toy)
    assert associations["age", "income"].statistic == "r"
    assert associations["sex", "region"].statistic == "V"
    assert associations["income", "education"].statistic == "eta2"
    assert len(associations.pairs) == 7 * 6 / 2
    assert associations.obstacles == ()
    assert len(associations.figure()["data"]["values"]) == 2 * len(associations.pairs)


def survey(rows: list[tuple[str | None, str | None]]) -> Microdata:
    columns = []
    for name, values in zip(("first", "second"), zip(*rows, strict=True), strict=True):
        labels = tuple(sorted({value for value in values if value is not None}))
        codes = [-1 if value is None else labels.index(value) for value in values]
        columns.append(Categorical(name, np.array(codes), labels))
    return Microdata(tuple(columns))


# The slides' tables with missing values shown, in small: rows of (first, second) answers.
A = [("1", None), ("2", None), (None, "1"), (None, "2")]
B = [(" ", "1"), (" ", "1"), ("1", None), ("2", None), (" ", None)]
C = [(" ", "1"), (" ", "2"), (" ", None), ("1", None), ("2", None)]


@pytest.mark.parametrize(
    ("rows", "pattern", "reason"),
    [
        (A, "A", "asked of different people"),
        (B, "B", "'second' has one value besides missing ones"),
        (C, "C", "'first' keeps not applicable as a blank"),
        ([("1", "1"), ("1", "2")], "constant", "'first' has a single value"),
        ([("1", None), ("2", None)], "empty", "'second' has no values"),
    ],
)
def test_what_cannot_be_computed_says_why(
    rows: list[tuple[str | None, str | None]], pattern: str, reason: str
) -> None:
    pair = association(survey(rows))["first", "second"]
    assert np.isnan(pair.value)
    assert pair.obstacle is not None
    assert pair.obstacle.pattern == pattern
    assert reason in pair.obstacle.reason
    assert pair.obstacle.remedy


def test_not_applicable_as_a_code_of_its_own_is_pattern_c_too() -> None:
    asked = Categorical("asked", np.array([-2, -2, 0, 1]), ("1", "2"))
    other = Categorical("other", np.array([0, 1, -1, -1]), ("1", "2"))
    pair = association(Microdata((asked, other)))["asked", "other"]
    assert pair.obstacle is not None
    assert pair.obstacle.pattern == "C"


def test_a_constant_number_has_no_correlation() -> None:
    data = Microdata((Numeric("x", np.arange(5.0)), Numeric("y", np.ones(5))))
    pair = association(data)["x", "y"]
    assert pair.obstacle is not None
    assert "'y' has a single value" in pair.obstacle.reason


def test_the_sentences_come_in_japanese() -> None:
    with speaking("ja"):
        pair = association(survey(A))["first", "second"]
    assert pair.obstacle is not None
    assert "対象" in pair.obstacle.reason
