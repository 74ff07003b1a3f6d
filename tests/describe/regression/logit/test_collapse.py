import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.describe.regression.logit import collapse, distinct

records = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=40
)


@given(records)
def test_counts_are_those_of_the_obvious_loop(rows: list[tuple[int, int, int]]) -> None:
    a, b, y = np.array(rows).T
    table, counts = collapse([a, b], y, classes=5)
    assert [tuple(row) for row in table] == sorted({(i, j) for i, j, _ in rows})
    for row, count in zip(table, counts, strict=True):
        assert count.tolist() == [rows.count((row[0], row[1], k)) for k in range(5)]


@given(records, st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(rows: list[tuple[int, int, int]], rng) -> None:  # type: ignore[no-untyped-def]
    shuffled = rng.sample(rows, len(rows))
    for expected, actual in zip(
        collapse(list(np.array(rows).T[:2]), np.array(rows)[:, 2]),
        collapse(list(np.array(shuffled).T[:2]), np.array(shuffled)[:, 2]),
        strict=True,
    ):
        assert np.array_equal(expected, actual)


@pytest.mark.parametrize("levels", [5, 50, 5_000])  # look-up table, sorting once, sorting twice
def test_rows_are_those_of_numpy_unique(levels: int) -> None:
    inputs = np.random.default_rng(0).integers(0, levels, (4, 400))
    rows, row_of = distinct(list(inputs))
    expected, inverse = np.unique(inputs.T, axis=0, return_inverse=True)
    assert np.array_equal(rows, expected)
    assert np.array_equal(row_of, inverse)


def test_many_wide_inputs_do_not_overflow_the_key() -> None:
    rng = np.random.default_rng(0)
    inputs = [rng.integers(0, 2**20, 300) for _ in range(8)]
    rows, row_of = distinct(inputs)
    assert np.array_equal(rows[row_of], np.stack(inputs, axis=1))


def test_weights_are_summed() -> None:
    _, counts = collapse([[0, 0, 1]], [1, 1, 0], [0.5, 2.0, 3.0])
    assert counts.tolist() == [[0.0, 2.5], [3.0, 0.0]]


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_weights_that_are_not_positive_and_finite_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="positive and finite"):
        collapse([[0, 1]], [0, 1], [1.0, bad])


@pytest.mark.parametrize(
    ("inputs", "target", "weights", "words"),
    [
        ([], [0, 1], None, "at least one input"),
        ([[0, 1], [0]], [0, 1], None, "differ in length"),
        ([[0, 1, 0]], [0, 1], None, "3 records, the target has 2"),
        ([[0, 1]], [0, 1], [1.0], "shape"),
        ([[0, -1]], [0, 1], None, "negative codes"),
        ([[0, 2**40]], [0, 1], None, "number the categories"),
        ([[0.5, 1.0]], [0, 1], None, "integer codes"),
        ([["a", "b"]], [0, 1], None, "integer codes"),
        ([[]], [], None, "at least one record"),
    ],
)
def test_bad_input_is_refused_with_the_reason(inputs, target, weights, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        collapse(inputs, target, weights)


def test_fewer_classes_than_codes_are_refused() -> None:
    with pytest.raises(ValueError, match="classes = 2"):
        collapse([[0, 1, 1]], [0, 1, 2], classes=2)
