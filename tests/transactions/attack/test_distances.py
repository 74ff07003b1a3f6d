"""Attacks on rounded and perturbed histories, and on customers who are published alike."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core.types import Floats
from sudare.datasets import purchases_like
from sudare.transactions import (
    ATTACKERS,
    AlikeAttacker,
    CellDeletion,
    CustomerAnonymity,
    DistanceAttacker,
    History,
    MaskedHistory,
    Pseudonyms,
    Ranges,
    RowDeletion,
    attack_all,
    published,
    score_guess,
)
from sudare.transactions.attack import distances
from sudare.transactions.attack.distances import _FAR, _OTHER_ITEM, _distances
from sudare.transactions.attack.evidence import Evidence
from sudare.transactions.history import AMOUNTS
from tests.transactions.strategies import histories, masked_histories


@pytest.fixture(scope="module")
def history() -> History:
    return purchases_like(60, seed=1)


def rounded(history: History, seed: int = 1) -> MaskedHistory:
    """Items deleted, dates moved to the 15th, prices to 0.50, quantities to fives, rows deleted."""
    masked = CellDeletion(columns=("item",)).mask(history)
    months = history.dates.astype("datetime64[D]").astype("datetime64[M]")
    days = months.astype("datetime64[D]").astype(np.int64) + 14
    prices = np.maximum(np.round(history.prices / 50).astype(np.int64) * 50, 1)
    quantities = np.maximum(np.round(history.quantities / 5).astype(np.int64) * 5, 1)
    cells = {"date": days, "price": prices, "quantity": quantities}
    masked = masked.with_amounts({name: Ranges(cells[name], cells[name]) for name in AMOUNTS})
    masked = RowDeletion(share=0.2).mask(masked, seed=seed)
    return Pseudonyms().mask(masked, seed=seed)


def slow_distances(evidence: Evidence, scales: Floats) -> Floats:
    """For every distinct row and customer, the distance of the nearest purchase, one by one."""
    history, (table, _) = evidence.history, evidence.distinct_rows
    nearest = np.full((table.shape[1], len(history.customer_ids)), np.inf)
    for row, (number, *ends) in enumerate(table.T.tolist()):
        members = None if number < 0 else set(evidence.items.members_of(number).tolist())
        for purchase in range(history.rows):
            apart = 0.0 if members is None or history.items[purchase] in members else _OTHER_ITEM
            for column, name in enumerate(AMOUNTS):
                value = int(history.amounts(name)[purchase])
                low, high = ends[2 * column], ends[2 * column + 1]
                apart += max(low - value, value - high, 0) / scales[column]
            customer = history.customers[purchase]
            nearest[row, customer] = min(nearest[row, customer], apart)
    capped: Floats = np.minimum(nearest, _FAR)
    return capped


@given(st.data())
def test_distances_are_those_of_the_slow_twin(data: st.DataObject) -> None:
    history = data.draw(histories())
    evidence = Evidence(history, published(data.draw(masked_histories(history))))
    number = evidence.distinct_rows[0].shape[1]
    scales = np.array([data.draw(st.sampled_from([1.0, 7.0, 100.0])) for _ in AMOUNTS])
    quick = np.zeros((number, len(history.customer_ids)))
    if number:
        for places, distances in _distances(evidence, scales, np.arange(number)):
            quick[places] = distances
    np.testing.assert_allclose(quick, slow_distances(evidence, scales), rtol=1e-4, atol=0.02)


def test_rounded_values_protect_nobody(history: History) -> None:
    masked = rounded(history)
    guess = DistanceAttacker().guess(history, published(masked))
    with_deleted_rows = DistanceAttacker().guess(history, masked)
    assert len(with_deleted_rows.as_dict().items() - guess.as_dict().items()) == 0
    score = score_guess(history, masked, guess)
    assert score.named >= 58
    assert score.right >= score.named - 1
    assert attack_all(history, masked).effective("contest")


def test_comparing_all_rows_with_the_likely_customers_alone_names_as_many(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked = rounded(history)
    exact = DistanceAttacker().suspect(Evidence(history, published(masked)))
    monkeypatch.setattr(distances, "_MOST_PAIRS", 0)
    monkeypatch.setattr(distances, "_CANDIDATES", 8)
    likely = DistanceAttacker().suspect(Evidence(history, published(masked)))
    assert likely.as_dict() == exact.as_dict()


@given(st.data())
def test_of_customers_that_are_all_likely_nothing_is_left_out(data: st.DataObject) -> None:
    history = data.draw(histories())
    evidence = Evidence(history, published(data.draw(masked_histories(history))))
    rows, scales = np.arange(evidence.published.rows), np.array([1.0, 7.0, 100.0])
    everyone = np.tile(np.arange(evidence.shape[1])[::-1], (evidence.shape[0], 1))
    if len(rows):
        likely = distances._nearness_of_likely(evidence, scales, everyone)[:, ::-1]
        whole, _ = distances._nearness(evidence, scales, rows)
        np.testing.assert_allclose(likely, whole, rtol=1e-4, atol=0.02)


def test_attackers_who_trust_the_cells_do_not_see_it(history: History) -> None:
    others = [attacker for attacker in ATTACKERS if not isinstance(attacker, DistanceAttacker)]
    attacks = attack_all(history, rounded(history), attackers=others)
    right = max(outcome.score.right for outcome in attacks.outcomes)
    assert right < 30


def test_scales_are_learnt_from_the_file(history: History) -> None:
    moved = MaskedHistory.of(history)
    noise = np.random.default_rng(1).integers(-200, 201, history.rows)
    dates = history.dates + noise  # dates say nothing now, and must not drown prices
    moved = Pseudonyms().mask(moved.with_amounts({"date": Ranges(dates, dates)}), seed=1)
    moved = CellDeletion(columns=("item",)).mask(moved)
    score = {
        rounds: score_guess(
            history, moved, DistanceAttacker(rounds=rounds).guess(history, published(moved))
        ).right
        for rounds in (0, 2)
    }
    assert score[2] >= score[0]
    assert score[2] >= 55


def test_customers_published_alike_are_named_by_the_best_odds() -> None:
    history = purchases_like(60, seed=2)
    pairs = Pseudonyms().mask(CustomerAnonymity(k=2).mask(history, seed=1), seed=1)
    guess = AlikeAttacker().guess(history, published(pairs), bound="contest")
    assert len(guess) == 24  # the best number of names where customers are in pairs
    assert set(guess.confidence.tolist()) == {0.5}
    score = score_guess(history, pairs, guess)
    assert score.right % 2 == 0  # both of a pair, or none


def test_one_customer_named_for_a_whole_group_is_right_once() -> None:
    history = purchases_like(140, seed=3)
    pairs = Pseudonyms().mask(CustomerAnonymity(k=2).mask(history, seed=1), seed=1)
    rules = replace(history.rules, chance=history.rules.chance / 3)
    guess = AlikeAttacker().guess(history, published(pairs), rules=rules)
    score = score_guess(history, pairs, guess, rules=rules)
    assert len(set(guess.customers)) < len(guess)
    assert score.effective("contest")
