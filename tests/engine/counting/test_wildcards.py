import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sudare.core.errors import SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import MISSING
from sudare.core.types import Array
from sudare.engine.counting.correlations import correlation, possible, root
from sudare.engine.counting.wildcards import distinct_rows, key_terms, wildcard_sizes


def keys(codes: Array) -> list[Categorical]:
    labels = tuple(range(int(codes.max(initial=0)) + 1))
    return [Categorical(f"c{j}", codes[:, j], labels, role="key") for j in range(codes.shape[1])]


def plain_sizes(codes: Array) -> list[int]:
    """Every record against every other: equal, or one of them missing, in every column."""
    return [
        sum(
            all(x in (y, MISSING) or y == MISSING for x, y in zip(record, other, strict=True))
            for other in codes
        )
        for record in codes
    ]


tables = st.integers(1, 4).flatmap(
    lambda m: st.lists(
        st.lists(st.integers(-2, 3), min_size=m, max_size=m), min_size=1, max_size=30
    )
)


@given(tables, st.integers(1, 3))
def test_one_pass_over_pairs_counts_the_matches_without_every_set(
    rows: list[list[int]], most: int
) -> None:
    distinct, _ = distinct_rows(keys(np.array(rows)))
    columns = distinct.terms.shape[1]
    sets = [members for members in range(1, 1 << columns) if members.bit_count() <= most]
    everyone = np.arange(len(distinct.sizes))
    counts = distinct.matches_without(everyone, sets)
    for number, left_out in enumerate(sets):
        kept = [column for column in range(columns) if not left_out >> column & 1]
        terms = distinct.terms[:, kept]
        differs = (terms[:, None] != terms) & (terms[:, None] != 0) & (terms != 0)
        plain = (~differs.any(axis=2)) @ distinct.sizes
        np.testing.assert_array_equal(counts[:, number], plain)
        np.testing.assert_array_equal(distinct.matches(everyone, left_out), plain)


@given(tables)
def test_a_missing_value_matches_every_value(rows: list[list[int]]) -> None:
    codes = np.array(rows)
    assert wildcard_sizes(keys(codes)).tolist() == plain_sizes(codes)


@given(tables)
@settings(max_examples=10)
def test_random_terms_count_as_exact_ones_do(rows: list[list[int]]) -> None:
    codes = np.array(rows)
    wide = [
        Categorical(f"c{j}", codes[:, j], tuple(range(2**16)), role="key")
        for j in range(codes.shape[1])
        for _ in range(4)
    ]
    assert wildcard_sizes(wide).tolist() == plain_sizes(codes)


def test_sums_of_terms_tell_records_apart() -> None:
    codes = np.array(np.meshgrid(*[np.arange(-2, 5)] * 4)).reshape(4, -1).T
    for columns in (keys(codes), keys(codes) * 8):
        sums = key_terms(columns).sum(axis=1)
        assert len(np.unique(sums)) == len(codes)


def test_distinct_rows_do_not_depend_on_record_order() -> None:
    codes = np.random.default_rng(1).integers(-2, 3, (200, 3))
    order = np.random.default_rng(2).permutation(200)
    first, index = distinct_rows(keys(codes))
    other, shuffled = distinct_rows(keys(codes[order]))
    np.testing.assert_array_equal(first.terms, other.terms)
    np.testing.assert_array_equal(index[order], shuffled)


def test_too_many_keys_are_refused() -> None:
    with pytest.raises(SettingError, match="at most 60 key columns"):
        wildcard_sizes(keys(np.zeros((2, 61), int)))


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_correlation_is_possible_whatever_is_missing(columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(columns, 12))
    values[rng.random(values.shape) < 0.5] = np.nan
    values[0] = 1.0
    matrix = correlation(values)
    np.testing.assert_allclose(np.diag(matrix), 1)
    assert np.linalg.eigvalsh(matrix)[0] > -1e-9
    np.testing.assert_allclose(root(matrix) @ root(matrix), matrix, atol=1e-9)


def test_correlation_without_gaps_is_pearsons() -> None:
    values = np.random.default_rng(1).normal(size=(4, 500)).cumsum(axis=0)
    np.testing.assert_allclose(correlation(values), np.corrcoef(values), atol=1e-12)


def test_an_impossible_matrix_becomes_a_possible_one() -> None:
    impossible = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    corrected = possible(impossible)
    assert np.linalg.eigvalsh(corrected)[0] > -1e-12
    np.testing.assert_allclose(np.diag(corrected), 1)


@pytest.mark.parametrize(
    ("missing_in", "share"),
    [([0], 0.3), ([0, 1, 2], 0.01)],
    ids=["found by keys", "compared in pairs"],
)
def test_totals_are_the_sums_over_all_that_match(missing_in: list[int], share: float) -> None:
    draws = np.random.default_rng(1)
    codes = draws.integers(0, [5, 60, 20], (3000, 3))
    for column in missing_in:
        codes[draws.random(3000) < share, column] = MISSING
    rows, index = distinct_rows(keys(codes))
    weight = np.bincount(index, weights=draws.random(3000))
    totals = rows.totals(np.column_stack([rows.sizes, weight]))
    everyone = np.arange(len(weight))
    np.testing.assert_array_equal(totals[:, 0], rows.matches(everyone))
    equal = np.ones((len(weight), len(weight)), np.bool_)
    for terms in rows.terms.T:
        equal &= (terms[:, None] == terms) | (terms[:, None] == 0) | (terms == 0)
    np.testing.assert_allclose(totals[:, 1], equal @ weight)
