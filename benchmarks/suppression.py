"""Local suppression and swapping at the sizes of the reference system's published times.

sdcMicro on this kind of machine (STACK): 3-anonymity by kAnon 4,580 × 7 keys 1.8 s, 50,000 × 4 keys
1.5 s, 50,000 × 6 keys 325 s, 50,000 × 7 keys not finished after 560 s; PRAM, shuffling and rank
swapping of 50,000 × 3: 1.1, 3.6 and 0.15–3.6 s. Its data are not here, so cells lost are compared
with those of its rule on ours.
"""

import time

import numpy as np

import sudare
from benchmarks.timing import best_of, report
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import MISSING
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Array, Flags
from sudare.engine.counting.counts import group_sizes
from sudare.engine.counting.wildcards import wildcard_sizes
from sudare.mask import LocalSuppression, Pram, RankSwapping, Shuffling
from sudare.mask.anonymity.local_suppression import SuppressionPlan

# Rows, categories by key, and how unequal these are (share of the i-th ∝ i⁻ᵃ).
SETS = {
    "household-like, 4,580 × 7": (4_580, (2, 5, 3, 8, 3, 9, 2), 2.2),
    "50,000 × 4": (50_000, (2, 5, 16, 5), 1.0),
    "50,000 × 6": (50_000, (2, 5, 16, 5, 8, 9), 1.0),
    "50,000 × 7": (50_000, (2, 5, 16, 5, 8, 9, 12), 1.0),
    "even, 50,000 × 7": (50_000, (2, 5, 16, 5, 8, 9, 12), 0.0),
    # Looking up each set of columns by keys took 32.9 s of processor time where missing matches
    # all (19,340 cells lost) and 23.1 s where it is a category; 4.4 and 10.7 s on the skewed one.
    "5,000 × 14": (5_000, (2, 5, 3, 8, 3, 9, 2, 6, 4, 3, 12, 5, 2, 7), 1.0),
    "skewed, 5,000 × 14": (5_000, (2, 5, 3, 8, 3, 9, 2, 6, 4, 3, 12, 5, 2, 7), 2.2),
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


def by_the_reference_rule(codes: Array, k: int) -> int:
    """Return the cells lost by the rule of sdcMicro's kAnon, as its source tells it.

    Of equal records k are looked at. In rounds, each record with fewer than k matches, those with
    fewest first, loses the value of one key: the one with most categories in which it differs
    from one of the records nearest to it.
    """
    _, group = np.unique(codes, axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    first = np.searchsorted(group[order], group[order])
    table = codes[order[np.arange(len(order)) - first < k]].astype(np.int16)
    widest_first = np.argsort([-len(np.unique(column)) for column in table.T], kind="stable")
    while True:
        matches = np.array([(~differences(table, row).any(axis=1)).sum() for row in table])
        short = np.flatnonzero(matches < k)
        if not len(short):
            return int((table == MISSING).sum())
        for row in short[np.argsort(matches[short], kind="stable")]:
            differs = differences(table, table[row])
            apart = differs.sum(axis=1)
            nearest = differs[apart == apart[apart > 0].min()].any(axis=0)
            table[row, next(key for key in widest_first if nearest[key])] = MISSING


def differences(table: Array, record: Array) -> Flags:
    differs: Flags = (table != record) & (table != MISSING) & (record != MISSING)
    return differs


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
    for name, (rows, sizes, power) in SETS.items():
        if rows * len(sizes) <= 200_000:
            beside_the_reference(name, keys(rows, sizes, power))
    beside_the_reference("5,000 × 6", keys(5_000, *SETS["50,000 × 6"][1:]))


def beside_the_reference(name: str, data: Microdata) -> None:
    codes = np.stack([column.coded.codes for column in data.columns], axis=1)
    start = time.perf_counter()
    plan = LocalSuppression(k=3).fit(data)
    middle = time.perf_counter()
    lost = by_the_reference_rule(codes, 3)
    end = time.perf_counter()
    assert isinstance(plan, SuppressionPlan)
    ours = sum(plan.suppressed.values())
    report(
        f"{name}, {ours} cells lost, {ours / lost:.2f} of the {lost} of sdcMicro's rule",
        middle - start,
        "its rule in NumPy",
        end - middle,
    )


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
