"""Searching: the recipe that a search finds beside the best of twelve that a person would write.

On census_like and, where its file is there, on the first 8,000 records of UCI Adult.
"""

from pathlib import Path
from typing import Any

import numpy as np
from tests.release.searching.test_promises_kept import CENSUS, handmade

import sudare
from sudare.core import Microdata, Role
from sudare.release import LOSS, Limit

ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult.csv"
ROLES: dict[str, Role] = {
    **dict.fromkeys(("age", "sex", "race", "marital-status", "education-num"), "key"),
    "occupation": "sensitive",
}
LIMITS: tuple[tuple[list[str], dict[str, Any]], ...] = (
    (["k-anonymity >= 5"], {"k": 5}),
    (["individual-risk.share_above(0.1) <= 0.01"], {"k": 10}),
    (["reidentification.max <= 0.1"], {"k": 10}),
    (["k-anonymity >= 5", "l-diversity >= 3"], {"k": 5, "l": 3}),
    (["k-anonymity >= 5", "t-closeness <= 0.2"], {"k": 5, "t": 0.2}),
)


def tables() -> dict[str, Microdata]:
    """Return the tables that are there."""
    shown = {"census_like": CENSUS}
    if ADULT.exists():
        adult = sudare.read(ADULT, roles=ROLES, missing=["?"])
        shown["Adult"] = adult.take(np.arange(8_000)).without(
            [name for name in adult.names if name not in ROLES]
        )
    return shown


def main(trials: int = 24) -> None:
    for name, data in tables().items():
        for limits, promised in LIMITS:
            stated = Limit.all_of(limits)
            compared = sudare.compare(data, handmade(**promised), [LOSS], seed=1, limits=stated)
            kept = {
                candidate.results["DistanceLoss"].value: candidate.recipe.name
                for candidate in compared.within_limits().candidates
            }
            best = min(kept, default=1.0)
            result = sudare.search(data, limits, trials=trials, repeats=1, seed=1)
            reached = result.feasible()[0] if result.feasible() else None
            lost = "none" if reached is None else f"{reached.results['DistanceLoss'].value:.4f}"
            print(
                f"{name}, {' and '.join(limits)}: search {lost}; by hand {best:.4f} "
                f"({kept.get(best, 'none')})"
            )


if __name__ == "__main__":
    main()
