"""What numbers were rounded to, and attacks that round what they know alike."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.describe.distances.rounding import rounded_alike, rounding_base
from sudare.risk import MembershipInference


@given(st.sampled_from([1, 2, 5]), st.integers(-6, 9), st.integers(0, 10**6))
def test_the_base_of_rounded_numbers_is_found(digit: int, power: int, seed: int) -> None:
    base = digit * 10.0**power
    values: Floats = np.random.default_rng(seed).permutation(300).astype(np.float64) * base
    assert rounding_base(values) == pytest.approx(base)
    noisy = values + base * np.random.default_rng(seed).normal(0, 0.3, 300)
    assert rounding_base(noisy) < base / 100
    np.testing.assert_allclose(rounded_alike(noisy, values), np.rint(noisy / base) * base)


@pytest.mark.parametrize(
    "values",
    [
        np.zeros(0),
        np.full(30, np.pi),
        np.random.default_rng(1).normal(size=50),
        1e9 + np.random.default_rng(1).normal(size=50),
        np.arange(20) * 1e300,
        np.arange(20) * 1e-310,
    ],
)
def test_what_was_not_rounded_has_no_base(values: Floats) -> None:
    assert rounding_base(values) == 0
    assert rounded_alike(values, values) is values


def test_a_rounded_copy_gives_members_away() -> None:
    draws = np.random.default_rng(1)
    known = draws.normal(0, 1, (6, 1200)).round(4)
    marks = Categorical("held", np.arange(800) >= 400, ("no", "yes"), role="other")
    original = [Numeric(f"x{at}", each[:800], role="key") for at, each in enumerate(known)]
    copied = [each[:400] if at < 3 else each[800:] for at, each in enumerate(known)]
    release = [Numeric(f"x{at}", each.round(2), role="key") for at, each in enumerate(copied)]
    attack = MembershipInference(control="held")
    data = sudare.Microdata((*original, marks))
    assert attack(data, sudare.Microdata(tuple(release))).value > 0.8
