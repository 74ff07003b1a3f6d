"""Synthesis of a censored cohort (1,049 × 14) by an outside-style scorer: utility against risk.

Utility is the least of four facets, each from 0 to 1: general fit (total variation of all pairs of
columns), analyses (hazard ratios within their standard error, and the shares of states over time),
the rare group (its means) and validity (records that keep the rules of the cohort). Risk is how
many of those in the file are told from as many others by the distance to the nearest synthetic
record, at 1 % false positives. The scorer is ours; figures of other scorers do not compare.
"""

import time
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from scipy.spatial import cKDTree

import sudare
from sudare.core.draws import Seed
from sudare.core.methods.masker import Masker
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Array, Floats
from sudare.datasets.cohort import RULES
from sudare.describe.regression import log_hazard_ratios
from sudare.mask import (
    EditRules,
    HybridSynthesis,
    Microaggregation,
    Noise,
    SequentialSynthesis,
)

NUMBERS = ("age", "bmi", "pressure", "drugs", "creatinine", "glucose")
OUTCOME = {"time": "state"}


def numbers(data: Microdata, names: Sequence[str]) -> Floats:
    columns = [data[name] for name in names]
    return np.stack(
        [c.values if isinstance(c, Numeric) else c.coded.codes for c in columns], axis=1
    )


def binned(data: Microdata, like: Microdata) -> Array:
    """Return categories, and numbers by the tenths of the original, shape (n, columns)."""
    codes = list[Array]()
    for column, original in zip(data.columns, like.columns, strict=True):
        if isinstance(column, Numeric) and isinstance(original, Numeric):
            edges = np.unique(np.quantile(original.values, np.arange(1, 10) / 10))
            codes.append(np.searchsorted(edges, column.values, side="right"))
        else:
            codes.append(column.coded.codes_in(original.coded.labels))
    return np.stack(codes, axis=1)


def general(before: Microdata, after: Microdata) -> float:
    old, new = binned(before, before), binned(after, before)
    apart = []
    for a, b in combinations(range(old.shape[1]), 2):
        tables = [np.bincount(t[:, a] * 20 + t[:, b], minlength=400) / len(t) for t in (old, new)]
        apart.append(np.abs(tables[0] - tables[1]).sum() / 2)
    return 1 - float(np.mean(apart))


def hazards(data: Microdata, cause: int, scale: Floats) -> Floats:
    inputs = numbers(data, (*NUMBERS, "sex", "smoker", "diabetes", "rare"))
    order = np.argsort(numbers(data, ["time"])[:, 0], kind="stable")
    levels = np.unique(numbers(data, ["time"])[order, 0], return_inverse=True)[1]
    event = data["state"].coded.codes[order] == cause
    turned = (inputs[order] - scale[0]) / scale[1]
    return log_hazard_ratios(turned, levels, event, np.ones(data.rows))


def analyses(before: Microdata, after: Microdata) -> float:
    inputs = numbers(before, (*NUMBERS, "sex", "smoker", "diabetes", "rare"))
    scale = np.stack([inputs.mean(axis=0), inputs.std(axis=0)])
    agree = []
    for cause in (1, 2):
        events = (before["state"].coded.codes == cause).sum()
        apart = np.abs(hazards(before, cause, scale) - hazards(after, cause, scale))
        agree.append(float(np.mean(np.clip(1 - apart * np.sqrt(events) / 4, 0, 1))))
    times = np.arange(1, 10)
    for cause in (1, 2):
        curves = [
            np.array(
                [
                    ((t["state"].coded.codes == cause) & (numbers(t, ["time"])[:, 0] < at)).mean()
                    for at in times
                ]
            )
            for t in (before, after)
        ]
        agree.append(1 - float(np.abs(curves[0] - curves[1]).mean() / curves[0].mean()))
    return max(float(np.mean(agree)), 0.0)


def rare_group(before: Microdata, after: Microdata) -> float:
    spread = numbers(before, NUMBERS).std(axis=0)
    means, shares = [], []
    for data in (before, after):
        rare = data["rare"].coded.codes == 1
        shares.append(rare.mean())
        means.append(
            numbers(data, NUMBERS)[rare].mean(axis=0) if rare.any() else np.full(6, np.inf)
        )
    fit = np.clip(1 - np.abs(means[0] - means[1]) / spread, 0, 1).mean()
    return float(np.mean([fit, max(1 - abs(shares[0] - shares[1]) / shares[0], 0)]))


def utility(before: Microdata, after: Microdata) -> dict[str, float]:
    facets = {
        "general": general(before, after),
        "analyses": analyses(before, after),
        "rare": rare_group(before, after),
        "valid": 1 - float(sudare.loss.RuleViolations(rules=RULES)(before, after).value),
    }
    return {"least": min(facets.values()), **facets}


def told_apart(members: Microdata, others: Microdata, made: Microdata) -> float:
    """Return the true positive rate at 1 % false positives of the nearest-record attack."""
    scale = numbers(members, NUMBERS).std(axis=0)

    def points(data: Microdata) -> Floats:
        kinds = [c for c in data.columns if not isinstance(c, Numeric)]
        hot = [np.eye(len(c.coded.labels))[c.coded.codes] for c in kinds]
        return np.hstack([numbers(data, NUMBERS) / scale, numbers(data, ["time"]) / 3, *hot])

    tree = cKDTree(points(made))
    inside, outside = (tree.query(points(data))[0] for data in (members, others))
    limit = np.quantile(outside, 0.01)
    return float((inside < limit).mean())


RECIPES: dict[str, list[Masker]] = {
    "trees": [SequentialSynthesis()],
    "trees, hazards": [SequentialSynthesis(survival=OUTCOME)],
    "trees, hazards, order found": [SequentialSynthesis(survival=OUTCOME, order="found")],
    "trees, hazards, strata": [SequentialSynthesis(survival=OUTCOME, strata=("rare",))],
    "trees, hazards, strata, distance 0.02": [
        SequentialSynthesis(survival=OUTCOME, strata=("rare",), min_distance=0.02)
    ],
    "trees of 15, hazards": [SequentialSynthesis(survival=OUTCOME, min_leaf=15)],
    "regression, hazards": [SequentialSynthesis(model="regression", survival=OUTCOME)],
    "local regression, hazards": [SequentialSynthesis(model="local-regression", survival=OUTCOME)],
    "trees, hazards, proper": [SequentialSynthesis(survival=OUTCOME, proper=True)],
    "trees of 10, hazards, proper": [
        SequentialSynthesis(survival=OUTCOME, proper=True, min_leaf=10)
    ],
    "trees, hazards, no uniques": [SequentialSynthesis(survival=OUTCOME, redraw_uniques=True)],
    "trees, hazards, distance 0.03": [SequentialSynthesis(survival=OUTCOME, min_distance=0.03)],
    "noise": [Noise(columns=NUMBERS, sd_ratio=0.3)],
    "noise, rules": [Noise(columns=NUMBERS, sd_ratio=0.3), EditRules(rules=RULES)],
    "hybrid": [HybridSynthesis(columns=NUMBERS, similarity=0.5)],
    "hybrid, scores": [HybridSynthesis(columns=NUMBERS, similarity=0.5, scale="normal-scores")],
    "microaggregation": [Microaggregation(columns=NUMBERS, k=5)],
    "microaggregation, tails, rules": [
        Microaggregation(columns=NUMBERS, k=5, representative="ranked-mean"),
        EditRules(rules=RULES),
    ],
}


def score(recipe: Sequence[Masker], seed: Seed) -> dict[str, float]:
    both = sudare.datasets.cohort_like(2098, seed=seed if isinstance(seed, int) else 1)
    members, others = both.take(np.arange(1049)), both.take(np.arange(1049, 2098))
    made = sudare.apply(members, recipe, seed=seed).data
    return {**utility(members, made), "risk": told_apart(members, others, made)}


def others_of_the_population(repeats: int) -> float:
    """Return the utility of as many new people in place of the cohort: what copies nobody."""
    cohorts = [sudare.datasets.cohort_like(2098, seed=seed) for seed in range(1, repeats + 1)]
    halves = [np.arange(1049), np.arange(1049, 2098)]
    return float(
        np.mean([utility(*(both.take(half) for half in halves))["least"] for both in cohorts])
    )


def main(repeats: int = 5) -> None:
    print(f"others of the same population: least {others_of_the_population(repeats):.3f}")
    for name, recipe in RECIPES.items():
        start = time.process_time()
        runs = [score(recipe, seed) for seed in range(1, repeats + 1)]
        taken = (time.process_time() - start) / repeats
        means = {what: float(np.mean([run[what] for run in runs])) for what in runs[0]}
        print(
            f"{name}: " + ", ".join(f"{w} {v:.3f}" for w, v in means.items()) + f"; {taken:.2f} s"
        )


if __name__ == "__main__":
    main()
