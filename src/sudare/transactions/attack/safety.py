"""Safety of a masked history: how many right names show that it is not safe (sections 4 and 5).

A file is safe (H₀) when nobody can name a set S of its customers rightly with a probability above
p to the power of |S|. All sums are exact: a verdict never hangs on rounding.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, factorial, prod
from typing import Literal, TypeAlias

from sudare.core import SettingError
from sudare.transactions.rules import PWSCUP_2018

Bound = Literal["contest", "tight"]
BOUNDS: tuple[Bound, ...] = ("contest", "tight")
Number: TypeAlias = Fraction | float | str
_SIMPLE = 10**6  # fractions up to this denominator differ by far more than floats do


def exact(number: Number) -> Fraction:
    """Return the fraction that a number represents: 1/3 is a third, 0.0005 is 1/2000.

    A float represents the one fraction with a denominator up to a million that has this float;
    where there is none it is taken as it is. Texts such as "1/3" are read as fractions.

    Examples
    --------
    >>> exact(1 / 3), exact("0.01/20".split("/")[0]), exact(2**-30)
    (Fraction(1, 3), Fraction(1, 100), Fraction(1, 1073741824))
    """
    try:
        fraction = Fraction(number)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise SettingError("'{number}' is not a number.", number=number) from None
    if isinstance(number, float):
        simple = fraction.limit_denominator(_SIMPLE)
        return simple if float(simple) == number else fraction
    return fraction


def chance_bound(n: int, s: int, p: Number = PWSCUP_2018.chance) -> Fraction:
    """Return the contest's bound u(p, n, s) on the chance that s or more of n names are right.

    The sum of C(n, k) p^k over k from s to n (section 4.2).

    Examples
    --------
    >>> chance_bound(7, 7), float(chance_bound(24, 18)) < 1 / 2000
    (Fraction(1, 2187), True)
    """
    p = _chance(p)
    return sum((comb(n, k) * p**k for k in range(s, n + 1)), Fraction(0))


def tight_bound(n: int, s: int, p: Number = PWSCUP_2018.chance) -> Fraction:
    """Return the least bound that H₀ gives on the chance that s or more of n names are right.

    The least of C(n, j) p^j / C(s, j) over j from 0 to s. The ratio of the terms j + 1 and j is
    (n − j) p / (s − j), which is below 1 exactly while j < (s − n p) / (1 − p): the least term is
    the one at that place, rounded up. The guide proves the bound, and that no smaller one follows
    from H₀: the linear program over the factorial moments has the same value.

    Examples
    --------
    >>> tight_bound(3, 2, "1/2"), tight_bound(3, 0)
    (Fraction(3, 4), Fraction(1, 1))
    """
    p = _chance(p)
    j = _best_moment(n, s, p)
    return comb(n, j) * p**j / comb(s, j)


def _best_moment(n: int, s: int, p: Fraction) -> int:
    return max(0, ceil((s - n * p) / (1 - p)))


def threshold(
    n: int,
    p: Number = PWSCUP_2018.chance,
    alpha: Number = PWSCUP_2018.level,
    bound: Bound = "contest",
) -> int:
    """Return r(n), the number of right names among n from which an attack is effective.

    Parameters
    ----------
    n
        How many customers the attacker names.
    p
        A customer of a safe file is named rightly with at most this probability.
    alpha
        How often a safe file may be called unsafe.
    bound
        "contest" for the sum of the paper's equation 3, "tight" for the least bound.

    Returns
    -------
    r
        The smallest s whose bound is below alpha; n + 1 where there is none, so that no attack on
        so few customers is effective.

    Notes
    -----
    p and alpha are read by :func:`exact`: floats, fractions, and texts such as "1/3".

    Examples
    --------
    >>> [threshold(n) for n in (6, 7, 24, 99, 999)]
    [7, 7, 18, 64, 612]
    >>> [threshold(n, 1 / 3, 0.01 / 20, bound="tight") for n in (6, 7, 24, 99, 999)]
    [7, 7, 18, 52, 392]
    """
    if n < 0:
        raise SettingError("threshold: n must be at least 0, got {n}.", n=n)
    if bound not in BOUNDS:
        raise SettingError(
            "threshold: bound must be 'contest' or 'tight', got '{bound}'.", bound=bound
        )
    level = exact(alpha)
    if not 0 < level <= 1:
        raise SettingError(
            "threshold: alpha must be above 0 and at most 1, got {alpha}.", alpha=alpha
        )
    return _threshold(n, _chance(p), level, bound)


@lru_cache(maxsize=1 << 14)
def _threshold(n: int, p: Fraction, alpha: Fraction, bound: Bound) -> int:
    if bound == "tight":
        return bisect_left(range(n + 1), 1, key=lambda s: _tight_below(n, s, p, alpha))
    # Terms C(n, k) a^k b^(n−k) from k = n down, whole numbers in units of b^−n.
    a, b = p.numerator, p.denominator
    limit = -(-alpha.numerator * b**n // alpha.denominator)
    term, total, k = a**n, 0, n
    while k >= 0 and total + term < limit:
        total += term
        term = term * k * b // ((n - k + 1) * a)
        k -= 1
    return k + 1


def _tight_below(n: int, s: int, p: Fraction, alpha: Fraction) -> bool:
    """Return whether the tight bound is below alpha, without reducing large fractions."""
    j = _best_moment(n, s, p)
    left = comb(n, j) * p.numerator**j * alpha.denominator
    return bool(left < comb(s, j) * p.denominator**j * alpha.numerator)


def safe_anonymity(p: Number = PWSCUP_2018.chance) -> int:
    """Return the smallest k for which customers alike in groups of k or more satisfy H₀.

    A whole group is named correctly with probability 1/k!, which must not exceed p^k; parts of
    a group and several groups then need no look (see the guide).

    Examples
    --------
    >>> safe_anonymity("1/3"), safe_anonymity("1/2"), safe_anonymity("1/10")
    (7, 4, 25)
    """
    p, most = _chance(p), 1
    while not _group_is_safe(most, p):
        most *= 2
    return 1 + bisect_left(range(1, most + 1), 1, key=lambda k: _group_is_safe(k, p))


def _group_is_safe(k: int, p: Fraction) -> bool:
    return bool(factorial(k) * p.numerator**k >= p.denominator**k)


def right_in_groups(sizes: Sequence[int]) -> list[Fraction]:
    """Return the chance of 0, 1, 2, … right names where groups of customers are alike.

    An attacker who knows each group but nothing more deals the names of a group out at random, one
    to each: the right ones are the fixed points of a random permutation.

    Examples
    --------
    >>> right_in_groups([2])
    [Fraction(1, 2), Fraction(0, 1), Fraction(1, 2)]
    """
    ways = [1]  # to deal out the names of the groups so far, by how many are right
    for size in sizes:
        dealt = [0] * (len(ways) + size)
        for right, number in enumerate(ways):
            for more, fixed in enumerate(_fixed_points(size)):
                dealt[right + more] += number * fixed
        ways = dealt
    all_ways = prod(map(factorial, sizes))
    return [Fraction(number, all_ways) for number in ways]


def hit_chance(
    sizes: Sequence[int],
    p: Number = PWSCUP_2018.chance,
    alpha: Number = PWSCUP_2018.level,
    bound: Bound = "contest",
) -> Fraction:
    """Return the chance that an attack on whole groups of customers alike is effective.

    Parameters
    ----------
    sizes
        The sizes of the groups that are attacked.
    p, alpha, bound
        As for :func:`threshold`.

    Examples
    --------
    >>> round(float(hit_chance([2] * 12)), 3)  # 2-anonymity, 24 customers (section 5.3)
    0.073
    """
    needed = threshold(sum(sizes), p, alpha, bound)
    return sum(right_in_groups(sizes)[needed:], Fraction(0))


@lru_cache(maxsize=64)
def _fixed_points(size: int) -> tuple[int, ...]:
    """Return how many permutations have each number of fixed points."""
    deranged = [1, 0]
    for n in range(2, size + 1):
        deranged.append((n - 1) * (deranged[n - 1] + deranged[n - 2]))
    return tuple(comb(size, fixed) * deranged[size - fixed] for fixed in range(size + 1))


def _chance(p: Number) -> Fraction:
    chance = exact(p)
    if not 0 < chance < 1:
        raise SettingError("p must be above 0 and below 1, got {p}.", p=p)
    return chance
