"""Attackers on masked histories: what they must find, and their kernels against slow twins."""

from dataclasses import replace
from itertools import permutations
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import betaln

from sudare.core.errors import MismatchError, SettingError
from sudare.core.types import Flags, Floats, Integers
from sudare.datasets import purchases_like
from sudare.transactions import (
    ATTACKERS,
    PWSCUP_2018,
    Attacker,
    CellDeletion,
    CoarseDates,
    ContainmentAttacker,
    Guess,
    History,
    ItemFamilies,
    ItemSetAttacker,
    LikelihoodAttacker,
    MaskedHistory,
    PriceBands,
    Ranges,
    Reidentification,
    RowCountAttacker,
    RowDeletion,
    attack_all,
    published,
    score_guess,
    threshold,
)
from sudare.transactions.attack.attacker import assigned, balanced, best_number
from sudare.transactions.attack.attackers import assignable, log_beta, strong_components
from sudare.transactions.attack.evidence import Evidence
from tests.transactions.strategies import histories, masked_histories

FIRST = 14944


def few(*rows: tuple[str, int, str, int, int]) -> History:
    """A history from rows (customer, day, item, price, quantity)."""
    return History.from_rows(*(list(column) for column in zip(*rows, strict=True)))


@pytest.fixture(scope="module")
def history() -> History:
    return purchases_like(60, seed=5)


# --- kernels and their twins ------------------------------------------------------------------


def contains(published: MaskedHistory, history: History) -> Flags:
    """Which published row contains which purchase, shape (published rows, purchases)."""
    holds = np.ones((published.rows, history.rows), dtype=np.bool_)
    for name in ("date", "price", "quantity"):
        cells = published.amounts(name)
        values = history.amounts(name)
        inside = (cells.low[:, None] <= values) & (values <= cells.high[:, None])
        holds &= inside | cells.deleted[:, None]
    for row, number in enumerate(published.items.cells):
        if number >= 0:
            names = {published.items.item_ids[code] for code in published.items.members_of(number)}
            holds[row] &= [history.item_ids[item] in names for item in history.items]
    return holds


def slow_comparison(evidence: Evidence, error: float) -> tuple[Integers, Floats]:
    history, seen = evidence.history, evidence.published
    holds = contains(seen, history)
    reach, gain = np.zeros(evidence.shape, np.int64), np.zeros(evidence.shape)
    _, number = evidence.distinct_rows
    for p in range(evidence.shape[0]):
        mine = np.flatnonzero(evidence.owners == p)
        for kind in np.unique(number[mine]):
            rows = mine[number[mine] == kind]
            for c in range(evidence.shape[1]):
                many = int(holds[rows[0], history.customers == c].sum())
                reach[p, c] += min(many, len(rows))
                if many:
                    own = many / history.row_counts[c]
                    all_of_them = holds[rows[0]].sum() / history.rows
                    gain[p, c] += len(rows) * np.log1p((1 - error) / error * own / all_of_them)
    return reach, gain


@given(data=st.data())
def test_rows_are_compared_as_the_slow_twin_does(data: st.DataObject) -> None:
    history = data.draw(histories())
    evidence = Evidence(history, published(data.draw(masked_histories(history))))
    reach, gain = evidence.compare(0.01)
    slow_reach, slow_gain = slow_comparison(evidence, 0.01)
    np.testing.assert_array_equal(reach, slow_reach)
    np.testing.assert_allclose(gain, slow_gain, rtol=1e-12)


@given(data=st.data())
def test_a_customer_is_possible_exactly_if_some_choice_of_rows_fits(data: st.DataObject) -> None:
    history = data.draw(histories(most_rows=8))
    evidence = Evidence(history, published(data.draw(masked_histories(history))))
    pairs = np.argwhere(np.ones(evidence.shape, dtype=np.bool_))
    holds = contains(evidence.published, history)
    for (p, c), fits in zip(pairs, evidence.explained(pairs), strict=True):
        part = holds[np.ix_(evidence.owners == p, history.customers == c)]
        some = any(
            all(part[row, column] for row, column in enumerate(chosen))
            for chosen in permutations(range(part.shape[1]), part.shape[0])
        )
        assert fits == some


@given(data=st.data())
def test_pairs_that_fit_in_no_assignment_are_excluded(data: st.DataObject) -> None:
    rows = data.draw(st.integers(1, 4))
    columns = data.draw(st.integers(rows, 5))
    cells = data.draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    possible = np.array(cells).reshape(rows, columns)
    used = np.zeros_like(possible)
    alive = np.flatnonzero(possible.any(axis=1))
    for chosen in permutations(range(columns), len(alive)):
        if possible[alive, list(chosen)].all():
            used[alive, list(chosen)] = True
    expected = used if used.any() else possible
    np.testing.assert_array_equal(assignable(possible), expected)


@given(st.integers(1, 7).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)))
def test_strong_components_are_those_of_scipy(cells: list[bool]) -> None:
    edges = np.array(cells).reshape(isqrt(len(cells)), -1)
    theirs = connected_components(csr_array(edges), connection="strong")[1]
    ours = strong_components(edges)
    np.testing.assert_array_equal(ours[:, None] == ours, theirs[:, None] == theirs)


@given(st.integers(0, 10**4), st.integers(0, 10**4), st.floats(0.01, 50), st.floats(0.01, 50))
def test_the_beta_function_is_that_of_scipy(x: int, y: int, a: float, b: float) -> None:
    ours = log_beta(np.array([x]), np.array([y]), a, b)
    assert ours[0] == pytest.approx(betaln(x + a, y + b), rel=1e-9, abs=1e-8)


@given(st.integers(1, 6), st.integers(0, 3), st.integers(0, 2**32))
def test_the_assignment_of_names_is_the_most_likely(rows: int, more: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(0, 100, (rows, rows + more))
    named = assigned(scores)
    assert len(set(named.tolist())) == rows
    best = scores[linear_sum_assignment(scores, maximize=True)].sum()
    assert scores[np.arange(rows), named].sum() == pytest.approx(best)


@given(data=st.data())
def test_the_truth_is_never_excluded(data: st.DataObject) -> None:
    history = data.draw(histories())
    masked = data.draw(masked_histories(history))
    evidence = Evidence(history, published(masked))
    truth = dict(zip(masked.pseudonyms.tolist(), history.customers.tolist(), strict=True))
    scores = ContainmentAttacker()._scores(evidence)
    for number, pseudonym in enumerate(evidence.pseudonyms.tolist()):
        assert scores[number, truth[pseudonym]] == 0.0


# --- what attackers find -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "attacker",
    [attacker for attacker in ATTACKERS if not isinstance(attacker, RowCountAttacker)],
    ids=lambda attacker: attacker.label(),
)
def test_nothing_masked_is_hit(attacker: Attacker, history: History) -> None:
    masked = MaskedHistory.of(history)
    score = score_guess(history, masked, attacker.guess(history, published(masked)))
    assert score.effective("contest")
    assert score.effective("tight")


def test_a_coarse_file_is_hit_and_the_surest_names_are_right(history: History) -> None:
    masked = ItemFamilies(prefix=4).mask(PriceBands().mask(CoarseDates().mask(history)))
    for attacker in (ContainmentAttacker(), LikelihoodAttacker(), ItemSetAttacker()):
        guess = attacker.suspect(Evidence(history, published(masked)))
        assert score_guess(history, masked, guess.first(20)).right == 20


@pytest.mark.parametrize("attacker", ATTACKERS, ids=lambda attacker: attacker.label())
def test_the_numbers_of_pseudonyms_say_nothing(attacker: Attacker, history: History) -> None:
    masked = CoarseDates().mask(history)
    number = np.random.default_rng(1).permutation(len(history.customer_ids)) + 1001
    renamed = replace(masked, pseudonyms=number[masked.pseudonyms - 1])
    first, second = (attacker.suspect(Evidence(history, published(m))) for m in (masked, renamed))
    back = {int(number[name - 1]): said for name, said in first.as_dict().items()}
    again = second.as_dict()
    sure = second.pseudonyms[second.confidence > 0.6].tolist()
    assert all(back[name] == again[name] for name in sure)
    np.testing.assert_allclose(first.confidence, second.confidence)


def test_everything_deleted_leaves_nobody_to_name(history: History) -> None:
    attacks = attack_all(history, RowDeletion(share=1).mask(history))
    assert {(o.score.named, o.score.right) for o in attacks.outcomes} == {(0, 0)}
    assert not attacks.effective("contest")
    assert not attacks.effective("tight")
    assert (attacks.by_customer == 0).all()


def test_customers_without_a_difference_are_named_by_chance() -> None:
    rows = [(str(c), FIRST + d, f"I{c}", 100 + c, c + 1) for c in range(40) for d in range(3)]
    history = few(*rows)
    masked = CellDeletion(columns=("date", "item", "price", "quantity")).mask(history)
    for attacker in ATTACKERS:
        guess = attacker.suspect(Evidence(history, published(masked)))
        np.testing.assert_allclose(guess.confidence, 1 / 40)
        if attacker.one_to_one:
            assert len(set(guess.customers)) == 40
        else:
            assert score_guess(history, masked, guess).right == 1


def test_pairs_alike_are_known_by_half() -> None:
    """2-anonymity: naming one customer of each pair twice is right for half of the names."""
    rows = [(str(1000 + c), FIRST + 5 * (c // 2) + c % 2, "A", 100, 1) for c in range(80)]
    history = few(*rows)
    low = FIRST + 5 * ((history.dates - FIRST) // 5)
    masked = MaskedHistory.of(history).with_amounts({"date": Ranges(low, low + 1)})
    twice = ContainmentAttacker(one_to_one=False).suspect(Evidence(history, published(masked)))
    np.testing.assert_allclose(twice.confidence, 0.5)
    score = score_guess(history, masked, twice)
    assert (score.named, score.right) == (80, 40)
    assert not score.effective("contest")
    dealt = ContainmentAttacker().suspect(Evidence(history, published(masked)))
    np.testing.assert_allclose(dealt.confidence, 0.5)
    assert len(set(dealt.customers)) == 80


def test_one_certain_customer_narrows_the_choice_for_others() -> None:
    history = few(
        ("1", FIRST, "A", 100, 1), ("2", FIRST + 1, "A", 100, 1), ("3", FIRST + 2, "A", 100, 1)
    )
    low, high = np.array([0, 0, 0]), np.array([0, 1, 2])
    masked = MaskedHistory.of(history).with_amounts({"date": Ranges(FIRST + low, FIRST + high)})
    chain = ContainmentAttacker().suspect(Evidence(history, published(masked)))
    assert chain.as_dict() == {1: "1", 2: "2", 3: "3"}
    np.testing.assert_allclose(chain.confidence, 1.0)
    alone = ContainmentAttacker(one_to_one=False).suspect(Evidence(history, published(masked)))
    assert sorted(alone.confidence) == pytest.approx([2 / 11, 3 / 11, 6 / 11])


def test_a_row_needs_a_purchase_of_its_own() -> None:
    """Two published rows that only one purchase can explain exclude a customer."""
    history = few(
        ("1", FIRST, "A", 100, 1), ("1", FIRST, "A", 100, 1),
        ("2", FIRST, "A", 100, 1), ("2", FIRST + 9, "A", 100, 1),
    )  # fmt: skip
    cells = Ranges(np.full(4, FIRST), np.array([0, 1, 0, 9]) + FIRST)
    masked = MaskedHistory.of(history).with_amounts({"date": cells})
    scores = ContainmentAttacker(one_to_one=False)._scores(Evidence(history, published(masked)))
    possible = np.isfinite(scores)
    assert possible.sum(axis=1).tolist() in ([1, 2], [2, 1])


def test_an_unknown_item_is_met_by_nobody(history: History) -> None:
    masked = MaskedHistory.of(history)
    items = replace(masked.items, item_ids=tuple(f"X{name}" for name in masked.items.item_ids))
    evidence = Evidence(history, published(masked.with_items(items)))
    assert (evidence.compare(0.01)[0] == 0).all()
    assert not evidence.explained(np.array([[0, 0], [1, 1]])).any()
    guess = ContainmentAttacker().suspect(evidence)
    assert len(guess) == 0
    assert len(ItemSetAttacker().suspect(evidence)) > 0


# --- choosing whom to name ---------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.sampled_from(["contest", "tight"]))
def test_the_number_of_names_is_the_best_one(chances: list[float], bound: str) -> None:
    rules = replace(PWSCUP_2018, level=PWSCUP_2018.level * 100)
    confidence = np.sort(np.array(chances))[::-1]

    def effective(n: int) -> float:
        right = np.array([1.0])
        for sure in confidence[:n]:
            right = np.convolve(right, [1 - sure, sure])
        needed = threshold(n, rules.chance, rules.level, bound)  # type: ignore[arg-type]
        return float(right[needed:].sum())

    best = best_number(confidence, rules, bound)  # type: ignore[arg-type]
    assert effective(best) == pytest.approx(max(map(effective, range(len(chances) + 1))), rel=1e-6)


@given(data=st.data())
def test_balanced_chances_name_nobody_more_than_once(data: st.DataObject) -> None:
    rows = data.draw(st.integers(1, 5))
    columns = data.draw(st.integers(rows, 6))
    cells = st.floats(0.001, 1)
    size = rows * columns
    chances = np.array(data.draw(st.lists(cells, min_size=size, max_size=size)))
    shares = balanced(chances.reshape(rows, columns))
    assert (shares.sum(axis=0) <= 1 + 1e-9).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=0.1)


# --- the referee ---------------------------------------------------------------------------------


def test_a_referee_counts_right_names_and_allows_repeats() -> None:
    history = few(("a", FIRST, "A", 100, 1), ("b", FIRST, "A", 100, 1), ("c", FIRST, "B", 100, 1))
    masked = MaskedHistory.of(history)
    score = score_guess(history, masked, {1: "a", 2: "a", 3: "c"})
    assert (score.named, score.right, score.needed["contest"]) == (3, 2, 4)
    assert not score.effective()
    guess = Guess(np.array([2]), ("b",), np.array([1.0]))
    assert score_guess(history, masked, guess).right == 1
    assert "b" not in repr(guess)


def test_a_referee_refuses_strange_names() -> None:
    history = few(("a", FIRST, "A", 100, 1), ("b", FIRST, "A", 100, 1))
    masked = MaskedHistory.of(history)
    gone = masked.without_rows(np.array([True, False]))
    with pytest.raises(MismatchError, match="1 pseudonym of the guess is not in"):
        score_guess(history, gone, {1: "a"})
    with pytest.raises(MismatchError, match="1 customer of the guess is not in"):
        score_guess(history, masked, {1: "nobody"})
    with pytest.raises(MismatchError, match=r"stands? for several customers"):
        score_guess(history, replace(masked, pseudonyms=np.array([1, 1])), {})
    with pytest.raises(MismatchError, match="has the rows of the history"):
        score_guess(history, masked.take(np.array([0])), {})


def test_the_customers_at_risk_are_kept_apart_from_what_is_shown(history: History) -> None:
    attacks = attack_all(history, CoarseDates().mask(history))
    most = attacks.most_at_risk(history, 5)
    assert len(most) == 5
    assert set(most) <= set(history.customer_ids)
    assert not any(name in repr(attacks) for name in most)
    result = Reidentification()(history, CoarseDates().mask(history))
    assert result.value >= 1
    assert result.by_record is not None
    assert len(result.by_record) == len(history.customer_ids)
    assert "by_record" not in result.as_dict()
    assert result.value == max(result.parts.values())


def test_the_measure_takes_other_limits(history: History) -> None:
    masked = RowDeletion(share=1).mask(history)
    assert Reidentification(bound="tight")(history, masked).value == 0
    with pytest.raises(SettingError, match="chance must be above 0 and below 1"):
        Reidentification(chance=1.0)
