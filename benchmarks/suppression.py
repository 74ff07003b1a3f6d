"""Local suppression and swapping at the sizes of the reference system's published times.

sdcMicro on this kind of machine (STACK): 3-anonymity by kAnon 4,580 × 7 keys 1.8 s, 50,000 × 4 keys
1.5 s, 50,000 × 6 keys 325 s, 50,000 × 7 keys not finished after 560 s; PRAM, shuffling and rank
swapping of 50,000 × 3: 1.1, 3.6 and 0.15–3.6 s. Its data are not here, so cells lost are compared
with a plain search: each record in turn loses the column that brings most matches.
"""

import time

import numpy as np

import sudare
from benchmarks.timing import best_of, report
from sudare.core.columns import MISSING, Categorical, Numeric
from sudare.core.microdata import Microdata
from sudare.core.types import Array
from sudare.engine.counts import group_sizes
from sudare.engine.wildcards import wildcard_sizes
from sudare.mask import LocalSuppression, Pram, RankSwapping, Shuffling
from sudare.mask.local_suppression import SuppressionPlan

# Rows, categories by key, and how unequal these are (share of the i-th ∝ i⁻ᵃ).
SETS = {
    "household-like, 4,580 × 7": (4_580, (2, 5, 3, 8, 3, 9, 2), 2.2),
    "50,000 × 4": (50_000, (2, 5, 16, 5), 1.0),
    "50,000 × 6": (50_000, (2, 5, 16, 5, 8, 9), 1.0),
    "50,000 × 7": (50_000, (2, 5, 16, 5, 8, 9, 12), 1.0),
    "even, 50,000 × 7": (50_000, (2, 5, 16, 5, 8, 9, 12), 0.0),
}


def keys(rows: int, sizes: tuple[int, ...], power: float) -> Microdata:
    rng = np.random.default_rng(1)
    shares = [1 / np.arange(1, size + 1) ** power for size in sizes]
    return Microdata(
        tuple(
            Categorical(
                f"c{i}", rng.choice(len(p), rows, p=p / p.sum()), tuple(range(len(p))), role="key"
            )
            for i, p in enumerate(shares)
        )
    )


def plain(codes: Array, k: int) -> int:
    """Return the cells lost by a plain search, record by record."""
    table, lost = codes.astype(np.int16), 0
    _, group, sizes = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    for row in np.flatnonzero(sizes[group] < k):
        while True:
            differs = (table != table[row]) & (table != MISSING) & (table[row] != MISSING)
            apart = differs.sum(axis=1)
            if (apart == 0).sum() >= k:
                break
            nearest = differs[apart == apart[apart > 0].min()]
            table[row, nearest.sum(axis=0).argmax()] = MISSING
            lost += 1
    return lost


def suppression() -> None:
    for name, (rows, sizes, power) in SETS.items():
        data = keys(rows, sizes, power)
        for missing in ("wildcard", "category"):
            masker = LocalSuppression(k=3, missing=missing)
            start = time.perf_counter()
            plan = masker.fit(data)
            masked = plan.transform(data)
            taken = time.perf_counter() - start
            assert isinstance(plan, SuppressionPlan)
            reached = (
                wildcard_sizes(masked.columns)
                if missing == "wildcard"
                else group_sizes(masked.columns)
            )
            assert reached.min() >= 3
            counting = best_of(lambda d=data: group_sizes(d.columns))[0]  # type: ignore[misc]
            print(
                f"{name}, missing a {missing}: {sum(plan.suppressed.values())} cells lost of "
                f"{rows * len(sizes)}, {taken:.2f} s, ratio to one counting {taken / counting:.0f}"
            )
    small = keys(4_580, *SETS["household-like, 4,580 × 7"][1:])
    codes = np.stack([column.coded.codes for column in small.columns], axis=1)
    lost = list[int]()
    ours, theirs = best_of(
        lambda: LocalSuppression(k=3).fit(small),
        lambda: lost.append(plain(codes, 3)),
        rounds=1,
    )
    report(f"household-like, a plain search loses {lost[0]} cells", ours, "plain search", theirs)


def exchanges(rows: int = 50_000) -> None:
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(3, rows)).cumsum(axis=0)
    coded = [rng.integers(0, 12, rows) for _ in range(3)]
    data = Microdata(
        (
            *(Numeric(f"x{i}", row, role="sensitive") for i, row in enumerate(numbers)),
            *(Categorical(f"c{i}", c, tuple(range(12)), role="key") for i, c in enumerate(coded)),
        )
    )
    pram, shuffling, swapping, sorting, drawing = best_of(
        lambda: sudare.apply(data, Pram(), seed=1),
        lambda: sudare.apply(data, Shuffling(), seed=1),
        lambda: sudare.apply(data, RankSwapping(), seed=1),
        lambda: [np.argsort(row) for row in numbers],
        lambda: rng.random((3, rows)),
    )
    report(f"PRAM {rows} × 3", pram, "drawing as many uniforms", drawing)
    report(f"shuffling {rows} × 3, given 3", shuffling, "three sorts", sorting)
    report(f"rank swapping {rows} × 3", swapping, "three sorts", sorting)


def main() -> None:
    suppression()
    exchanges()


if __name__ == "__main__":
    main()
