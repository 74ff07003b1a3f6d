"""The rules of a contest as the page of rules states them."""

from dataclasses import replace

from sudare.contest.rules import ContestRules
from sudare.contest.site.words import size
from sudare.core import say
from sudare.transactions import PWSCUP_2018, threshold
from sudare.transactions.loss import all_weights

SHOWN = (7, 10, 15, 20, 30, 50, 100, 200, 500, 1000)

Facts = list[tuple[str, object]]


def rule_parts(rules: ContestRules) -> list[tuple[str, Facts]]:
    """Return headings, and under each what is so."""
    files = _history_facts(rules) if rules.subject == "history" else _table_facts(rules)
    return [(say("Files"), files), (say("Attacks"), _attack_facts(rules)), _sizes(rules)]


def _history_facts(rules: ContestRules) -> Facts:
    stated = rules.history
    weights = all_weights(stated.weights)
    facts: Facts = [
        (say("Dates"), f"{stated.first_date} – {stated.last_date}"),
        (say("Prices"), f"0.01 – {stated.max_price_cents / 100:,.2f}"),
        (say("Quantities"), f"1 – {stated.max_quantity:,}"),
        (say("Items in a set"), say("at most {count}", count=stated.set_size)),
        (say("Characters of a line"), say("at most {count}", count=f"{stated.line_length:,}")),
        (say("Score"), say("U: the mean error of a cell; smaller is better")),
    ]
    if len(set(weights.values())) > 1:
        worded = ", ".join(f"{say(name)} {weight:g}" for name, weight in weights.items())
        facts.append((say("Weights"), worded))
    return facts


def _table_facts(rules: ContestRules) -> Facts:
    facts: Facts = [(say("Score"), ", ".join(rules.table.score))]
    if rules.table.limits:
        facts.append((say("Limits"), ", ".join(rules.table.limits)))
    return facts


def _attack_facts(rules: ContestRules) -> Facts:
    stated = rules.history
    return [
        (say("Chance that a safe file allows (p)"), str(stated.chance)),
        (say("How often a safe file may be called unsafe (α)"), str(stated.level)),
        (say("Bound"), rules.bound),
        (say("Attacks"), say("one on each team; the latest counts")),
    ]


def _sizes(rules: ContestRules) -> tuple[str, Facts]:
    limits = rules.limits
    return say("Limits"), [
        (say("Masked file"), say("at most {size}", size=size(limits.mask_bytes))),
        (say("Attack"), say("at most {size}", size=size(limits.attack_bytes))),
        (say("Files within an hour"), say("at most {count}", count=limits.uploads_per_hour)),
        (say("Evaluation of a file"), say("at most {count} seconds", count=limits.seconds)),
    ]


def thresholds(rules: ContestRules) -> list[tuple[int, int]]:
    """Return how many people must be named rightly, by how many are named."""
    stated = rules.history
    return [(n, threshold(n, stated.chance, stated.level, rules.bound)) for n in SHOWN]


def check_command(rules: ContestRules) -> str:
    """Return the command that checks a masked file by the rules of a contest of histories.

    Examples
    --------
    >>> check_command(ContestRules())
    'sudare history check T.csv masked.csv'
    >>> check_command(ContestRules.from_toml("history.set_size = 3"))
    'sudare history check T.csv masked.csv --rules contest.toml'
    """
    usual = replace(PWSCUP_2018, weights=rules.history.weights)  # they are for the score
    command = "sudare history check T.csv masked.csv"
    return command if rules.history == usual else f"{command} --rules contest.toml"
