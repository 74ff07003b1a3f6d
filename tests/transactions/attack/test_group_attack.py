"""The chance of the best attack, against enumeration of everything that can happen."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from sudare.core.errors import SudareError
from sudare.transactions.attack.group_attack import best_attack
from sudare.transactions.attack.namings import right_in_cycle, right_in_group
from sudare.transactions.attack.reidentification import score_names
from sudare.transactions.attack.safety import BOUNDS, threshold
from sudare.transactions.rules import HistoryRules

Outcomes = tuple[int, tuple[Fraction, ...]]  # names, and the chance of 0, 1, … right ones


def outcomes(size: int, orders: list[tuple[int, ...]]) -> set[Outcomes]:
    """What every naming of some pseudonyms can come to, when each of some orders is as likely."""
    results = set()
    for naming in product((None, *range(size)), repeat=size):
        counted = [0] * (size + 1)
        for order in orders:
            counted[sum(said == true for said, true in zip(naming, order, strict=True))] += 1
        names = sum(said is not None for said in naming)
        results.add((names, tuple(Fraction(count, len(orders)) for count in counted)))
    return results


def of_group(size: int) -> set[Outcomes]:
    return outcomes(size, list(permutations(range(size))))


def of_cycle(length: int) -> set[Outcomes]:
    one_way = tuple(range(length))
    return outcomes(length, [one_way, (*one_way[1:], 0)])


def all_plans(groups: list[int], cycles: list[int]) -> set[Outcomes]:
    """What all namings there are can come to."""
    plans: set[Outcomes] = {(0, (Fraction(1),))}
    for part in (*map(of_group, groups), *map(of_cycle, cycles)):
        plans = {
            (names + more, convolved(chances, others))
            for (names, chances), (more, others) in product(plans, part)
        }
    return plans


def convolved(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    both = [Fraction(0)] * (len(first) + len(second) - 1)
    for (i, a), (j, b) in product(enumerate(first), enumerate(second)):
        both[i + j] += a * b
    return tuple(both)


@pytest.mark.parametrize(
    ("groups", "cycles"),
    [
        ([2], []),
        ([2, 2, 2, 2], []),
        ([3, 3], []),
        ([3, 2, 2], []),
        ([4, 3], []),
        ([4, 2], []),
        ([1, 1, 3], []),
        ([], [2, 2, 2, 2]),
        ([], [3, 2, 2]),
        ([], [3, 3, 3]),
        ([], [5, 3]),
        ([2], [3, 4]),
    ],
)
def test_no_naming_is_better(groups: list[int], cycles: list[int]) -> None:
    plans = all_plans(groups, cycles)
    chances, levels = ("1/3", "1/10", "1/2", "1/25"), ("1/2000", "1/20", "1/3")
    for p, alpha, bound in product(chances, levels, BOUNDS):
        rules = HistoryRules(chance=Fraction(p), level=Fraction(alpha))
        best = best_attack(groups=groups, cycles=cycles, rules=rules, bound=bound)
        assert best.proven
        assert best.chance == max(
            sum(right[threshold(names, p, alpha, bound) :], Fraction(0)) for names, right in plans
        )
        assert best.names == sum(map(sum, best.named))
        assert best.needed == threshold(best.names, p, alpha, bound)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_right_names_in_a_group_are_places_that_an_order_keeps(size: int) -> None:
    times = [
        some
        for parts in range(1, size + 1)
        for some in product(range(1, size + 1), repeat=parts)
        if sum(some) <= size
    ]
    orders = list(permutations(range(size)))
    for some in times:
        naming = [customer for customer, time in enumerate(some) for _ in range(time)]
        counted = [0] * (len(some) + 1)
        for order in orders:
            counted[sum(said == true for said, true in zip(naming, order, strict=False))] += 1
        assert right_in_group(some, size) == tuple(Fraction(c, len(orders)) for c in counted)


def test_a_cycle_has_two_perfect_matchings_and_so_is_right_or_wrong_as_a_whole() -> None:
    for length in (3, 4, 5):
        fits = [{customer, (customer + 1) % length} for customer in range(length)]
        ways = [
            o for o in permutations(range(length)) if all(o[t] in fits[t] for t in range(length))
        ]
        assert len(ways) == 2
        assert sorted(sum(o[t] == t for t in range(length)) for o in ways) == [0, length]
        assert right_in_cycle(length)[0] == right_in_cycle(length)[-1] == Fraction(1, 2)


def test_one_customer_of_each_pair_named_twice_is_right_for_half_of_the_names() -> None:
    best = best_attack(groups=[2] * 63, bound="tight")
    assert (best.names, best.needed, best.chance) == (126, 63, Fraction(1))
    assert best.named == ((2,),) * 63
    assert best_attack(cycles=[2] * 63, bound="tight") == best
    assert best_attack(groups=[2] * 62, bound="tight").chance < 1


@pytest.mark.parametrize("turned", list(product((False, True), repeat=3)))
def test_a_sure_attack_is_effective_whichever_way_the_pairs_lie(turned: tuple[bool, ...]) -> None:
    rules = HistoryRules(chance=Fraction(1, 10))
    best = best_attack(groups=[2] * 7, rules=rules)
    assert (best.named, best.chance) == (((2,),) * 7, Fraction(1))
    ways = [*turned, *turned, True]
    truth = {
        2 * pair + side: f"{2 * pair + (side + way) % 2}"
        for pair, way in enumerate(ways)
        for side in (0, 1)
    }
    names = {pseudonym: str(pseudonym // 2 * 2) for pseudonym in truth}
    assert score_names(truth, names, rules=rules).effective()


def test_sure_names_are_not_worth_it_under_the_rules_of_2018() -> None:
    assert all(threshold(n + 2) > threshold(n) for n in range(1000))


def test_a_search_that_was_ended_says_so() -> None:
    assert not best_attack(groups=[20] * 3).proven
    assert best_attack(groups=[20] * 60, rules=HistoryRules(chance=Fraction(1, 1000))).chance == 1


def test_pairs_are_hit_as_the_paper_says() -> None:
    best = best_attack(groups=[2] * 500)
    assert (best.names, best.needed, best.named) == (24, 18, ((1, 1),) * 12)
    assert best.chance == Fraction(299, 4096)
    assert best_attack(cycles=[2] * 500).chance == best.chance


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
    best = best_attack(**shapes)  # type: ignore[arg-type]
    assert (best.chance, best.proven) == (chance, True)


def test_an_attack_needs_somebody_to_name() -> None:
    with pytest.raises(SudareError, match="groups"):
        best_attack()
