import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.engine.counting.weighted_moments import block_moments, merge, moments

values = st.integers(1, 4).flatmap(
    lambda p: arrays(
        float, st.tuples(st.just(p), st.integers(2, 50)), elements=st.floats(-1e3, 1e3)
    )
)


@given(values, st.integers(1, 49))
def test_blocks_merge_to_the_whole(table: Floats, cut: int) -> None:
    whole = block_moments(table)
    parts = merge((block_moments(table[:, :cut]), block_moments(table[:, cut:])), len(table))
    assert parts.weight == whole.weight
    np.testing.assert_allclose(parts.mean, whole.mean, atol=1e-9)
    np.testing.assert_allclose(parts.products, whole.products, atol=1e-6, rtol=1e-9)


@given(values)
def test_covariance_is_numpys(table: Floats) -> None:
    total = moments([Numeric(str(i), row) for i, row in enumerate(table)])
    np.testing.assert_allclose(
        total.covariance, np.atleast_2d(np.cov(table, bias=True)), atol=1e-6, rtol=1e-9
    )


def test_whole_weights_are_repeated_records() -> None:
    rng = np.random.default_rng(1)
    table, weights = rng.normal(size=(3, 40)), rng.integers(0, 4, 40)
    weighted = block_moments(table, weights.astype(float))
    repeated = block_moments(np.repeat(table, weights, axis=1))
    np.testing.assert_allclose(weighted.covariance, repeated.covariance)
    assert weighted.weight == weights.sum()


def test_records_that_lack_a_number_are_left_out() -> None:
    x, y = np.array([1.0, 2.0, np.nan, 4.0]), np.array([2.0, np.nan, 1.0, 8.0])
    total = moments([Numeric("x", x), Numeric("y", y)])
    assert total.weight == 2
    assert total.mean.tolist() == [2.5, 5.0]


def test_a_large_offset_costs_no_digits() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=100_000)
    total = moments([Numeric("x", x + 1e9)])
    assert total.sd[0] == pytest.approx(x.std(), rel=1e-6)


def test_more_records_than_a_block_are_one_result() -> None:
    table = np.random.default_rng(3).normal(size=(2, 100_000))
    total = moments([Numeric("a", table[0]), Numeric("b", table[1])])
    np.testing.assert_allclose(total.correlation, np.corrcoef(table), atol=1e-12)
