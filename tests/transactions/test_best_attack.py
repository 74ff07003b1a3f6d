"""The chance of the best attack, against enumeration of everything that can happen."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from sudare.core.errors import SudareError
from sudare.transactions.best_attack import best_attack, right_in_cycle, right_in_group
from sudare.transactions.safety import threshold


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_right_names_in_a_group_are_fixed_points(size: int) -> None:
    orders = list(permutations(range(size)))
    for named in range(1, size + 1):
        counted = [0] * (named + 1)
        for order in orders:
            counted[sum(order[place] == place for place in range(named))] += 1
        assert right_in_group(named, size) == tuple(Fraction(c, len(orders)) for c in counted)


def test_a_cycle_has_two_perfect_matchings_and_so_is_right_or_wrong_as_a_whole() -> None:
    for length in (3, 4, 5):
        fits = [{place, (place + 1) % length} for place in range(length)]
        ways = [
            o for o in permutations(range(length)) if all(o[t] in fits[t] for t in range(length))
        ]
        assert len(ways) == 2
        assert sorted(sum(o[t] == t for t in range(length)) for o in ways) == [0, length]
        assert right_in_cycle(length)[0] == right_in_cycle(length)[-1] == Fraction(1, 2)


def by_trial(cycles: list[int]) -> Fraction:
    """The best attack on cycles, also with names for one way round and some for the other."""
    choices = [
        [(a, b) for a in range(length + 1) for b in range(length + 1 - a)] for length in cycles
    ]
    best = Fraction(0)
    for plan in product(*choices):
        names = sum(a + b for a, b in plan)
        hits = [
            sum(pair[t] for pair, t in zip(plan, toss, strict=True))
            for toss in product((0, 1), repeat=len(cycles))
        ]
        best = max(best, Fraction(sum(h >= threshold(names) for h in hits), len(hits)))
    return best


@pytest.mark.parametrize("cycles", [[2, 2, 2, 2], [3, 2, 2], [3, 3, 3], [5, 3], [7], [2, 2, 2]])
def test_the_best_attack_on_cycles_is_found(cycles: list[int]) -> None:
    assert best_attack(cycles=cycles).chance == by_trial(cycles)


def test_hedging_is_never_worth_it() -> None:
    assert all(threshold(n + 2) > threshold(n) for n in range(1000))


def test_pairs_are_hit_as_the_paper_says() -> None:
    best = best_attack(groups=[2] * 500)
    assert (best.names, best.needed, best.named) == (24, 18, (2,) * 12)
    assert best.chance == Fraction(299, 4096)
    assert best_attack(cycles=[2] * 500) == best


@pytest.mark.parametrize(
    ("shapes", "chance"),
    [
        ({"cycles": [2] * 494 + [3] * 4}, Fraction(1, 8)),
        ({"cycles": [2] * 419 + [3] * 54}, Fraction(37, 256)),
        ({"cycles": [2] * 416 + [3] * 52 + [5, 7]}, Fraction(1, 2)),
        ({"groups": [3] * 332 + [4]}, Fraction(1, 108)),
        ({"groups": [7] * 136 + [8] * 6}, Fraction(1, 5040)),
    ],
)
def test_chances_of_the_structures_of_the_guide(
    shapes: dict[str, list[int]], chance: Fraction
) -> None:
    assert best_attack(**shapes).chance == chance  # type: ignore[arg-type]


def test_an_attack_needs_somebody_to_name() -> None:
    with pytest.raises(SudareError, match="groups"):
        best_attack()
