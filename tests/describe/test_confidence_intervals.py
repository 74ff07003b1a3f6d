"""Exact bounds of shares against SciPy, which is too slow to import for them."""

import numpy as np
import pytest
from scipy.special import betainccinv
from scipy.stats import binom

from sudare.describe import binomial_chances, exact_bound


@pytest.mark.parametrize("total", [1, 2, 10, 300, 25_000, 1_000_000])
@pytest.mark.parametrize("share", [0.001, 0.3, 0.999])
def test_binomial_chances_are_those_of_scipy(total: int, share: float) -> None:
    expected = binom.cdf(np.arange(total + 1), total, share)
    assert np.allclose(binomial_chances(total, share), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("count", "total"), [(0, 1), (0, 9), (3, 9), (8, 9), (40, 2000), (9_990, 1_000_000)]
)
@pytest.mark.parametrize("chance", [0.0007, 0.025, 0.5, 0.999])
def test_exact_bounds_are_those_of_clopper_and_pearson(
    count: int, total: int, chance: float
) -> None:
    expected = betainccinv(count + 1, total - count, chance)
    assert exact_bound(count, total, chance) == pytest.approx(expected, rel=1e-11)


def test_where_all_were_drawn_no_share_is_too_large() -> None:
    assert exact_bound(7, 7, 0.05) == 1
