"""Searching: the recipe that a search finds beside the best of those a person would write.

On several draws of toy, on census_like and, where their files are there, on the first 8,000 records
of UCI Adult with four choices of columns, and on CASC's 1,080 records of numbers.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tests.release.searching.test_promises_kept import CENSUS, handmade

import sudare
from sudare.core import Categorical, Microdata, Role
from sudare.release import LOSS, Limit

DATA = Path(__file__).parents[2] / "shared" / "data"
KEYS = {
    "Adult": ("adult.csv", "age sex race marital-status education-num"),
    "Adult, few keys": ("adult.csv", "age sex race"),
    "Adult, numbers": ("adult.csv", "age education-num hours-per-week sex"),
    "Adult, complete": ("adult_complete.csv", "age sex race marital-status education"),
}
FOR_CATEGORIES = {"merged", "drawn"}
LIMITS: tuple[tuple[list[str], dict[str, Any]], ...] = (
    (["k-anonymity >= 5"], {"k": 5}),
    (["individual-risk.share_above(0.1) <= 0.01"], {"k": 10}),
    (["reidentification.max <= 0.1"], {"k": 10}),
    (["k-anonymity >= 5", "l-diversity >= 3"], {"k": 5, "l": 3}),
    (["k-anonymity >= 5", "t-closeness <= 0.2"], {"k": 5, "t": 0.2}),
)


def tables() -> Iterator[tuple[str, Microdata]]:
    """Yield the tables that are there."""
    for rows in (200, 1_000):
        for seed in range(1, 5):
            yield f"toy({rows}, seed={seed})", sudare.datasets.toy(rows, seed=seed)
    yield "census_like", CENSUS
    for name, (file, keys) in KEYS.items():
        if (DATA / file).exists():
            roles: dict[str, Role] = {
                **dict.fromkeys(keys.split(), "key"),
                "occupation": "sensitive",
            }
            table = sudare.read(DATA / file, roles=roles, missing=["?"]).take(np.arange(8_000))
            yield name, table.without([other for other in table.names if other not in roles])
    if (DATA / "census_casc.csv").exists():
        numbers: dict[str, Role] = {
            **dict.fromkeys(("AGI", "FEDTAX", "INTVAL", "PEARNVAL"), "key"),
            "TAXINC": "sensitive",
        }
        table = sudare.read(DATA / "census_casc.csv", roles=numbers)
        yield "CASC", table.without([other for other in table.names if other not in numbers])


def best_by_hand(data: Microdata, limits: list[str], promised: dict[str, Any]) -> tuple[float, str]:
    """Return the least loss of the handmade recipes that keep the limits, and its name."""
    recipes = handmade(**promised)
    if not any(isinstance(data[name], Categorical) for name in data.with_role("key")):
        recipes = {name: steps for name, steps in recipes.items() if name not in FOR_CATEGORIES}
    if any(data[name].missing.any() for name in data.with_role("key")):
        del recipes["grouped"]  # microaggregation refuses keys that few records lack
    compared = sudare.compare(data, recipes, [LOSS], seed=1, limits=Limit.all_of(limits))
    kept = {
        candidate.results["DistanceLoss"].value: candidate.recipe.name
        for candidate in compared.within_limits().candidates
    }
    best = min(kept, default=1.0)
    return best, kept.get(best, "none")


def main(trials: int = 24) -> None:
    for name, data in tables():
        for limits, promised in LIMITS:
            if "l" in promised and name.startswith("toy"):
                continue  # its sensitive column has too few values for three in each class
            best, recipe = best_by_hand(data, limits, promised)
            result = sudare.search(data, limits, trials=trials, repeats=1, seed=1)
            kept = result.feasible()
            reached = kept[0].results["DistanceLoss"].value if kept else 1.0
            lost = " LOST" if reached > best + 1e-12 else ""
            print(
                f"{name}, {' and '.join(limits)}: search {reached:.4f}; "
                f"by hand {best:.4f} ({recipe}){lost}",
                flush=True,
            )


if __name__ == "__main__":
    main()
