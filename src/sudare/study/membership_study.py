"""The membership study: run a recipe on halves of the data, and ask attackers who was in which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb

import numpy as np

from sudare.core import (
    Flags,
    Floats,
    Integers,
    Masker,
    Microdata,
    OnProgress,
    Seed,
    SettingError,
    draws_from,
    say,
)
from sudare.describe.distances import Space, nearest
from sudare.release import Recipe
from sudare.release.report import Block, Table, Text
from sudare.risk import MembershipInference
from sudare.risk.inference import (
    ATTACKERS,
    Excess,
    Knowledge,
    attacker_title,
    criteria,
    random_half,
    targets,
)
from sudare.study.result import Row, StudyResult, rounded

_RARE = 0.1
_FEWEST = 10
_LEAST_SPREAD = 1e-3  # of distances, in columns
_CRITERIA = ("advantage", "at_1_percent", "at_0.1_percent")


@dataclass(frozen=True, eq=False)
class MembershipStudy(StudyResult):
    """The tables of the study, and who is identified in every round.

    Attributes
    ----------
    told
        By record, whether it was nearer to the release in every round that it was part of than in
        every other. Confidential: never printed, never in a release.
    """

    told: Flags = field(repr=False)

    def presented(self) -> Mapping[str, Sequence[Row]]:
        """Return the tables with numbers to three decimals, and each interval with its number."""
        return {
            "attackers": [_with_intervals(row) for row in self.tables["attackers"]],
            "records": [rounded(row) for row in self.tables["records"]],
        }


@dataclass(frozen=True, eq=False)
class _Rounds:
    """Scores of every record in every round, and who was in it.

    Attributes
    ----------
    inside, background
        Shapes (rounds, n).
    scores
        By attacker, shape (rounds, n).
    """

    inside: Flags
    background: Flags
    scores: Mapping[str, Floats]

    def shadow_scores(self, nearness: Floats) -> Floats:
        """Return the likelihood ratio of each record's score by the other rounds, (rounds, n).

        Rounds come in pairs that complement each other. Those of other pairs are the shadow models:
        each record was in one of every pair. Normal distributions around the means of each record,
        with the variance of all, which is steadier than one of its own for each.
        """
        ratios = np.empty_like(nearness)
        for number in range(len(nearness)):
            others = np.arange(len(nearness)) // 2 != number // 2
            inside, scores = self.inside[others], nearness[others]
            logarithms = []
            for side in (inside, ~inside):
                mean = np.where(side, scores, 0.0).sum(axis=0) / (len(side) / 2)
                spread = max(float((scores - mean)[side].std()), _LEAST_SPREAD)
                logarithms.append(-((nearness[number] - mean) ** 2) / (2 * spread**2))
            ratios[number] = logarithms[0] - logarithms[1]
        return ratios

    def told(self, nearness: Floats) -> Flags:
        """Return who was nearer in every round with than in every round without, shape (n,)."""
        with_record = np.where(self.inside, nearness, np.inf).min(axis=0)
        without: Floats = np.where(self.inside, -np.inf, nearness).max(axis=0)
        return with_record > without


def membership(
    data: Microdata,
    recipe: Masker | Sequence[Masker] | Recipe,
    *,
    rounds: int = 8,
    attacks: int = 2000,
    columns: tuple[str, ...] | None = None,
    confidence: float = 0.95,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> MembershipStudy:
    """Study how well attackers tell from releases by a recipe who they were made from.

    No column must mark a control: in every round the recipe runs on a random half of the records,
    and the other half is the control. Rounds come in pairs that complement each other. Besides the
    attackers of :class:`sudare.risk.MembershipInference` there is one with shadow models, who knows
    from other rounds how near each record is to a release with and without it.

    Parameters
    ----------
    data
        The table.
    recipe
        What is done to it: a masker, several, or a recipe.
    rounds
        How often the recipe runs: an even number, at least 4.
    attacks
        Largest number of records attacked. Each is attacked in one round.
    columns
        What the attackers know; by default all but identifiers, weights and households.
    confidence
        Probability that the intervals aim for, all of them together.
    seed
        Of the halves and of the recipe.
    on_progress
        Called before each round with (done, in all, its name).

    Notes
    -----
    The release is made of half of the records, so that the risk of one made of all is rather
    smaller.

    References
    ----------
    Carlini, Chien, Nasr, Song, Terzis and Tramèr (2022). Membership inference attacks from first
    principles. IEEE Symposium on Security and Privacy.

    Stadler, Oprisanu and Troncoso (2022). Synthetic data: anonymisation groundhog day. USENIX
    Security Symposium.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(200)
    >>> study = membership(data, sudare.mask.Rounding(), rounds=4, seed=1)
    >>> study.tables["attackers"][0]["advantage"] > 0.5
    True
    """
    if rounds < 4 or rounds % 2:
        raise SettingError("rounds must be an even number, 4 or more.")
    names = MembershipInference(columns=columns).chosen(data)
    content = Space.of(data, data, names).original
    rows = targets(np.lexsort(content.T[::-1]), attacks)
    played = _played(data, recipe, rounds, names, rows, seed, on_progress)
    nearness = played.scores["nearest"]
    by_attacker = {attacker_title(name): played.scores[name] for name in ATTACKERS}
    by_attacker[say("shadow models")] = played.shadow_scores(nearness)
    apart = nearest(content[rows], content, skipped=rows).distance
    rare = apart >= np.quantile(apart, 1 - _RARE)
    level = 1 - (1 - confidence) / (3 * len(by_attacker))
    attackers = [
        row
        for title, scores in by_attacker.items()
        for row in _judged(title, scores, played, rare, level)
    ]
    told = played.told(nearness)
    records: list[Row] = [
        {
            "records": len(rows),
            "told_in_every_round": int(told.sum()),
            "by_chance": len(rows) / comb(rounds, rounds // 2),
        }
    ]
    by_record = np.zeros(data.rows, np.bool_)
    by_record[rows] = told
    tables = {"attackers": attackers, "records": records}
    return MembershipStudy(say("Membership inference"), tables, _blocks(tables, rounds), by_record)


def _played(
    data: Microdata,
    recipe: Masker | Sequence[Masker] | Recipe,
    rounds: int,
    names: tuple[str, ...],
    rows: Integers,
    seed: Seed,
    on_progress: OnProgress | None,
) -> _Rounds:
    draws = draws_from(seed)
    steps = [recipe] if isinstance(recipe, Masker) else recipe
    again = steps if isinstance(steps, Recipe) else Recipe("recipe", steps)
    sides, background, scores = [], [], {name: list[Floats]() for name in ATTACKERS}
    for number in range(rounds):
        if on_progress:
            on_progress(number, rounds, say("round {number}", number=number + 1))
        lot = draws.uniform("half", data.rows, lane=number // 2)
        half = np.argsort(np.argsort(lot)) < data.rows // 2
        inside = half if number % 2 == 0 else ~half
        own = np.random.default_rng(np.frombuffer(draws.secret("round", number), np.uint64))
        released = again.apply(data.take(np.flatnonzero(inside)), seed=own).data
        space = Space.of(data, released, names)
        known, held = np.zeros(data.rows, np.bool_), np.flatnonzero(~inside)
        known[held[random_half(space.original[held])]] = True
        knowledge = Knowledge(space.released, space.original[known], space.labeled)
        for name, attacker in ATTACKERS.items():
            scores[name].append(attacker(space.original[rows], knowledge))
        sides.append(inside[rows])
        background.append(known[rows])
    stacked = {str(name): np.stack(each) for name, each in scores.items()}
    return _Rounds(np.stack(sides), np.stack(background), stacked)


def _judged(
    title: str, scores: Floats, played: _Rounds, rare: Flags, confidence: float
) -> list[Row]:
    """Return the rows of one attacker; each record counts once, in one of the rounds."""
    at = np.arange(scores.shape[1])
    turn = at % len(scores)
    mine, inside = scores[turn, at], played.inside[turn, at]
    outside = ~inside & ~played.background[turn, at]
    table = []
    strata = ((say("all"), np.ones(len(rare), np.bool_)), (say("rarest stratum"), rare))
    for stratum, flags in strata:
        sides = mine[inside & flags], mine[outside & flags]
        if min(map(len, sides)) >= _FEWEST:
            table.append(_row(title, stratum, criteria(*sides, confidence)))
    return table


def _row(title: str, stratum: str, judged: Mapping[str, Excess]) -> Row:
    row: Row = {"attacker": title, "records": stratum}
    for name, each in zip(_CRITERIA, judged.values(), strict=True):
        row |= {name: each.risk, f"{name}_low": each.low, f"{name}_high": each.high}
    return row


def _with_intervals(row: Row) -> Row:
    shown: Row = {"attacker": row["attacker"], "records": row["records"]}
    for name in _CRITERIA:
        value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
        shown[name] = f"{value:.3f} ({low:.3f}–{high:.3f})"
    return shown


def _blocks(tables: Mapping[str, Sequence[Row]], rounds: int) -> list[Block]:
    return [
        Text(
            say(
                "The recipe ran {rounds} times on a random half of the records, and attackers were "
                "asked who was in it. Advantage is twice the area under the ROC curve less 1; the "
                "other figures are the true positives beyond 1 % and 0.1 % false ones. 0 is a "
                "coin, 1 is certainty; a risk is shown where the lower bound is above 0.",
                rounds=rounds,
            )
        ),
        Table.of([_with_intervals(row) for row in tables["attackers"]]),
        Text(
            say(
                "Records that are nearer to every release with them than to every release without "
                "them are given away for certain, as far as there are more of them than by chance."
            )
        ),
        Table.of([rounded(row) for row in tables["records"]]),
    ]
