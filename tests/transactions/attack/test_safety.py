"""Thresholds of effective attacks: the paper's table, both bounds, groups of customers alike."""

from fractions import Fraction
from itertools import permutations
from math import comb, factorial, prod

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core.errors import SettingError
from sudare.transactions import (
    chance_bound,
    hit_chance,
    right_in_groups,
    safe_anonymity,
    threshold,
    tight_bound,
)
from sudare.transactions.attack.safety import Bound, exact

# Table 4 of Hamada et al.: p = 1/3, α = 0.01/20; a star stands for n + 1.
TABLE_4 = {
    0: "* * * * * * * 7 8 9",
    10: "10 10 11 11 12 13 13 14 15 15",
    20: "16 17 17 18 18 19 20 20 21 21",
    30: "22 23 23 24 25 25 26 26 27 28",
    40: "28 29 29 30 31 31 32 32 33 34",
    90: "59 59 60 60 61 62 62 63 63 64",
    990: "606 607 607 608 609 609 610 610 611 612",
}


def test_the_contest_threshold_is_table_4() -> None:
    for start, column in TABLE_4.items():
        for n, printed in enumerate(column.split(), start):
            assert threshold(n, 1 / 3, 0.01 / 20) == (n + 1 if printed == "*" else int(printed)), n


def test_the_tight_threshold_is_lower() -> None:
    assert threshold(99, bound="tight") == 52
    assert threshold(999, bound="tight") == 392
    assert all(threshold(n, bound="tight") <= threshold(n) for n in range(300))


def test_thresholds_of_ten_thousand_names_are_exact() -> None:
    assert threshold(10_000) == 6093
    assert threshold(10_000, bound="tight") == 3518
    assert tight_bound(10_000, 3518) < Fraction(1, 2000) <= tight_bound(10_000, 3517)


@given(
    n=st.integers(0, 40),
    p=st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=30),
    alpha=st.fractions(Fraction(1, 10**5), 1, max_denominator=10**5),
    bound=st.sampled_from(["contest", "tight"]),
)
def test_a_threshold_is_the_smallest_number_below_the_level(
    n: int, p: Fraction, alpha: Fraction, bound: Bound
) -> None:
    chance = chance_bound if bound == "contest" else tight_bound
    below = [s for s in range(n + 1) if chance(n, s, p) < alpha]
    assert threshold(n, p, alpha, bound) == min(below, default=n + 1)


@given(
    n=st.integers(1, 30),
    s=st.integers(0, 30),
    p=st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=30),
)
def test_the_tight_bound_is_the_least_of_all_moments(n: int, s: int, p: Fraction) -> None:
    s = min(s, n)
    every = [comb(n, j) * p**j / comb(s, j) for j in range(s + 1)]
    assert tight_bound(n, s, p) == min(every) <= chance_bound(n, s, p)


@given(n=st.integers(1, 14), p=st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(1, 10)]))
def test_the_linear_program_over_the_moments_has_the_same_value(n: int, p: Fraction) -> None:
    """The most mass on s or more among all distributions whose factorial moments H₀ allows."""
    from scipy.optimize import linprog

    s = max(1, (2 * n) // 3)
    moments = np.array([[comb(x, j) for x in range(n + 1)] for j in range(1, n + 1)], float)
    limits = np.array([float(comb(n, j) * p**j) for j in range(1, n + 1)])
    scale = 1 / limits
    solution = linprog(
        [-float(x >= s) for x in range(n + 1)],
        A_ub=moments * scale[:, None],
        b_ub=limits * scale,
        A_eq=np.ones((1, n + 1)),
        b_eq=[1.0],
    )
    assert -solution.fun == pytest.approx(float(tight_bound(n, s, p)), rel=1e-6)


@given(
    n=st.integers(1, 25),
    s=st.integers(1, 25),
    p=st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=30),
)
def test_a_file_that_satisfies_the_condition_attains_the_tight_bound(
    n: int, s: int, p: Fraction
) -> None:
    """All of a random set of s names right with the bound as probability, otherwise none."""
    s = min(s, n)
    chance = tight_bound(n, s, p)
    for j in range(1, s + 1):
        assert chance * Fraction(comb(s, j), comb(n, j)) <= p**j


def test_seven_alike_are_safe_and_six_are_not() -> None:
    assert Fraction(1, factorial(7)) <= Fraction(1, 3) ** 7
    assert Fraction(1, factorial(6)) > Fraction(1, 3) ** 6
    assert safe_anonymity(1 / 3) == 7


@given(p=st.fractions(Fraction(1, 12), Fraction(9, 10), max_denominator=40))
def test_no_part_of_a_safe_group_is_named_too_well(p: Fraction) -> None:
    def safe(k: int) -> bool:
        parts = (prod(range(k - j + 1, k + 1)) for j in range(1, k + 1))
        return all(Fraction(1, ways) <= p**j for j, ways in enumerate(parts, 1))

    k = safe_anonymity(p)
    assert safe(k)
    assert not safe(k - 1) or k == 1
    assert safe(k + 1)


def test_pairs_are_hit_with_the_probability_of_section_5_3() -> None:
    chance = hit_chance([2] * 12)
    assert chance == Fraction(299, 4096)
    assert round(float(chance), 3) == 0.073
    assert round(float((1 - chance) ** 13), 2) == 0.37
    best = max(range(1, 200), key=lambda pairs: hit_chance([2] * pairs))
    assert best == 12


def test_right_names_in_groups_by_enumeration() -> None:
    chances = [0] * 6
    for first in permutations(range(3)):
        for second in permutations(range(2)):
            right = sum(i == j for i, j in enumerate(first)) + sum(
                i == j for i, j in enumerate(second)
            )
            chances[right] += 1
    assert right_in_groups([3, 2]) == [Fraction(count, 12) for count in chances]


def test_numbers_are_taken_as_the_fractions_they_stand_for() -> None:
    assert exact(1 / 3) == exact("1/3") == Fraction(1, 3)
    assert exact(0.01 / 20) == Fraction(1, 2000)
    assert exact(2.0**-40) == Fraction(1, 2**40)
    for wrong in ("a third", float("nan"), float("inf"), "1/0"):
        with pytest.raises(SettingError, match="is not a number"):
            exact(wrong)


def test_settings_outside_their_limits_are_refused() -> None:
    with pytest.raises(SettingError, match="n must be at least 0"):
        threshold(-1)
    with pytest.raises(SettingError, match="p must be above 0 and below 1"):
        threshold(5, 1.0)
    with pytest.raises(SettingError, match="alpha must be above 0"):
        threshold(5, 0.5, 0)
    with pytest.raises(SettingError, match="bound must be"):
        threshold(5, bound="loose")  # type: ignore[arg-type]
