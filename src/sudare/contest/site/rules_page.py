"""The rules of a contest as the page of rules states them."""

from collections.abc import Mapping
from dataclasses import replace

from sudare.contest import Contest
from sudare.contest.rulebooks import Handout, RuleBook, RuleLines
from sudare.contest.rules import ContestRules
from sudare.contest.site.words import number_title, round_title
from sudare.core import say
from sudare.transactions import PWSCUP_2018
from sudare.web import byte_size

RuleSections = list[tuple[str, RuleLines]]


def rule_sections(contest: Contest) -> RuleSections:
    """Return headings, and under each what the rule book says: names and values."""
    book, rules = contest.book(), contest.rules
    sections: RuleSections = [*book.sections, _sizes(rules), _handouts(book), _public(book)]
    if book.weights:
        points = [
            (round_title(round_), listed_weights(book.weights[round_]))
            for round_ in rules.rounds
            if round_ in book.weights
        ]
        sections.insert(0, (say("Points"), points))
    return sections


def listed_weights(weights: Mapping[str, float]) -> str:
    """Return what weighs how much in the points; empty without points."""
    return say(", ").join(f"{number_title(name)} {weight:g}" for name, weight in weights.items())


def _handouts(book: RuleBook) -> tuple[str, RuleLines]:
    return say("What is handed out"), [
        (handout.title, _receivers(handout))
        for handout in book.handouts
        if handout.stage != "never"
    ] + [
        (say("What a team publishes"), say("all teams, when the attack opens")),
    ]


def _receivers(handout: Handout) -> str:
    if handout.stage == "attack":
        return say("all teams, when the attack opens")
    if handout.own:
        return say("to each team its own, when masking opens")
    return say("all teams, when masking opens")


def _public(book: RuleBook) -> tuple[str, RuleLines]:
    lines = [
        (kind.title, say(", ").join(number_title(name) for name in kind.at_once))
        for kind in book.files
        if kind.at_once
    ]
    lines.append((say("Everything else"), say("with the result of the round, to everybody")))
    return say("What a team learns at once"), lines


def _sizes(rules: ContestRules) -> tuple[str, RuleLines]:
    limits = rules.limits
    return say("Limits"), [
        (say("Masked file"), say("at most {size}", size=byte_size(limits.mask_bytes))),
        (say("Attack"), say("at most {size}", size=byte_size(limits.attack_bytes))),
        (say("Files within an hour"), say("at most {count}", count=limits.uploads_per_hour)),
        *(
            (name, say("at most {count}", count=count))
            for name, count in (
                (say("Files of a kind within a day"), limits.files_per_day),
                (say("Files of a kind in a round"), limits.files_in_all),
            )
            if count
        ),
        (say("Scoring of a file"), say("at most {count} seconds", count=limits.seconds)),
    ]


def check_command(rules: ContestRules) -> str:
    """Return the command that checks a masked file by the rules of a contest.

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
