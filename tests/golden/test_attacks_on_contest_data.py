"""Attackers against simple masks of the data of PWSCUP 2018 (T final)."""

from pathlib import Path

import pytest

from sudare.transactions import (
    CellDeletion,
    CoarseDates,
    ContainmentAttacker,
    DistanceAttacker,
    History,
    LikelihoodAttacker,
    Pseudonyms,
    RowCountAttacker,
    published,
    read_history,
    score_guess,
)
from tests.transactions.attack.test_distances import rounded


@pytest.fixture(scope="module")
def history(real_data: Path) -> History:
    return read_history(real_data / "pwscup2018_final_T.csv")


def test_months_without_items_protect_nobody(history: History) -> None:
    masked = CellDeletion(columns=("item",)).mask(CoarseDates().mask(history))
    masked = Pseudonyms().mask(masked, seed=1)
    for attacker in (ContainmentAttacker(), LikelihoodAttacker()):
        score = score_guess(history, masked, attacker.guess(history, published(masked)))
        assert score.named == 1000
        assert score.right >= 990
        assert score.effective("contest")


def test_row_counts_alone_are_an_effective_attack(history: History) -> None:
    columns = ("date", "item", "price", "quantity")
    masked = Pseudonyms().mask(CellDeletion(columns=columns).mask(history), seed=1)
    guess = RowCountAttacker().guess(history, published(masked))
    score = score_guess(history, masked, guess)
    assert score.named > 100
    assert score.effective("contest")
    assert abs(float(guess.confidence.sum()) - score.right) < 40  # it knows how good it is


def test_rounded_values_protect_nobody(history: History) -> None:
    """An outside nearest-neighbor attack with assignment named 994 of 996 (SPEC K)."""
    masked = rounded(history)
    score = score_guess(history, masked, DistanceAttacker().guess(history, published(masked)))
    assert score.named >= 995
    assert score.right >= 990
