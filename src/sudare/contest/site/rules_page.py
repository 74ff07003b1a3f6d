"""The rules of a contest as the page of rules states them."""

from dataclasses import replace

from sudare.contest.rules import ContestRules
from sudare.core import say
from sudare.transactions import PWSCUP_2018, threshold
from sudare.transactions.loss import all_weights
from sudare.web import byte_size

SHOWN_NUMBERS = (7, 10, 15, 20, 30, 50, 100, 200, 500, 1000)

RuleLines = list[tuple[str, object]]


def rule_sections(rules: ContestRules) -> list[tuple[str, RuleLines]]:
    """Return headings, and under each what the rules say: names and values."""
    files = _history_lines(rules) if rules.subject == "history" else _table_lines(rules)
    return [(say("Files"), files), (say("Attacks"), _attack_lines(rules)), _sizes(rules)]


def _history_lines(rules: ContestRules) -> RuleLines:
    history = rules.history
    weights = all_weights(history.weights)
    lines: RuleLines = [
        (say("Dates"), f"{history.first_date} – {history.last_date}"),
        (say("Prices"), f"0.01 – {history.max_price_cents / 100:,.2f}"),
        (say("Quantities"), f"1 – {history.max_quantity:,}"),
        (say("Items in a set"), say("at most {count}", count=history.set_size)),
        (say("Characters of a line"), say("at most {count}", count=f"{history.line_length:,}")),
        (say("Score"), say("U: the mean error of a cell; smaller is better")),
    ]
    if len(set(weights.values())) > 1:
        listed = ", ".join(f"{say(name)} {weight:g}" for name, weight in weights.items())
        lines.append((say("Weights"), listed))
    return lines


def _table_lines(rules: ContestRules) -> RuleLines:
    lines: RuleLines = [(say("Score"), ", ".join(rules.table.score))]
    if rules.table.limits:
        lines.append((say("Limits"), ", ".join(rules.table.limits)))
    return lines


def _attack_lines(rules: ContestRules) -> RuleLines:
    history = rules.history
    return [
        (say("Chance that a safe file allows (p)"), str(history.chance)),
        (say("How often a safe file may be called unsafe (α)"), str(history.level)),
        (say("Bound"), rules.bound),
        (say("Attacks"), say("one on each team; the latest counts")),
    ]


def _sizes(rules: ContestRules) -> tuple[str, RuleLines]:
    limits = rules.limits
    return say("Limits"), [
        (say("Masked file"), say("at most {size}", size=byte_size(limits.mask_bytes))),
        (say("Attack"), say("at most {size}", size=byte_size(limits.attack_bytes))),
        (say("Files within an hour"), say("at most {count}", count=limits.uploads_per_hour)),
        (say("Scoring of a file"), say("at most {count} seconds", count=limits.seconds)),
    ]


def thresholds(rules: ContestRules) -> list[tuple[int, int]]:
    """Return how many people must be named correctly, by how many are named."""
    history = rules.history
    return [(n, threshold(n, history.chance, history.level, rules.bound)) for n in SHOWN_NUMBERS]


def check_command(rules: ContestRules) -> str:
    """Return the command that checks a masked file by the rules of a contest of histories.

    Examples
    --------
    >>> check_command(ContestRules())
    'sudare history check T.csv masked.csv'
    >>> check_command(ContestRules.from_toml("history.set_size = 3"))
    'sudare history check T.csv masked.csv --rules contest.toml'
    """
    standard = replace(PWSCUP_2018, weights=rules.history.weights)  # they are for the score
    command = "sudare history check T.csv masked.csv"
    return command if rules.history == standard else f"{command} --rules contest.toml"
