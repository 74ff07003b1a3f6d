"""Attacks that name people: how many must be right, which histories and microdata share."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from sudare.contest.rulebooks.rule_book import EvaluationResult, EvaluationTask, own_files, refused
from sudare.core import say
from sudare.transactions import read_guess, threshold
from sudare.transactions.attack import score_names
from sudare.transactions.files import inspect_guess

if TYPE_CHECKING:
    from sudare.contest.rules import ContestRules

_SHOWN_NUMBERS = (7, 10, 15, 20, 30, 50, 100, 200, 500, 1000)


def judge_names(
    rules: "ContestRules", task: EvaluationTask, customers: Callable[[], Collection[str]]
) -> EvaluationResult:
    """Check an attack and count its right names."""
    _, table = task.outputs
    with own_files():
        truth = read_guess(table, rules=rules.history)
    guess, problems = inspect_guess(task.file, truth, customers(), rules=rules.history)
    if problems.count:
        return refused(problems)
    score = score_names(truth, guess, rules=rules.history)
    return {
        "result": {
            "named": score.named,
            "right": score.right,
            "needed": score.needed[rules.bound],
            "effective": score.effective(rules.bound),
        }
    }


def attack_lines(rules: "ContestRules") -> list[tuple[str, str]]:
    """Return what the rules say about attacks."""
    return [
        (say("Chance that a safe file allows (p)"), str(rules.history.chance)),
        (say("How often a safe file may be called unsafe (α)"), str(rules.history.level)),
        (say("Bound"), rules.bound),
        (say("Attacks"), say("one on each team; the latest counts")),
    ]


def naming_thresholds(rules: "ContestRules") -> tuple[tuple[int, int], ...]:
    """Return how many people must be named correctly, by how many are named."""
    history = rules.history
    return tuple(
        (n, threshold(n, history.chance, history.level, rules.bound)) for n in _SHOWN_NUMBERS
    )
