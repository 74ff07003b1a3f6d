"""MDAV against a plain Numba loop, refinement and blocks against exact MDAV: time and loss."""

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numba import njit

from benchmarks.timing import best_of, report
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Flags, Floats, Integers
from sudare.mask.microaggregation.grouping.partition import (
    blockwise_mdav,
    lost_share,
    mdav,
    on_grid,
    refined,
    variable_mdav,
)
from sudare.mask.microaggregation.mdav import Microaggregation, MicroaggregationPlan
from sudare.mask.microaggregation.univariate_microaggregation import optimal_groups

Made = TypeVar("Made")


@njit(cache=True)
def plain_mdav(X: Floats, k: int) -> Integers:
    """MDAV as one writes it down: full scans over all records, one core."""
    n, p = X.shape
    alive, groups, group, left = np.ones(n, np.bool_), np.zeros(n, np.int64), 0, n
    centroid, apart = np.empty(p), np.empty(n)
    while left >= 2 * k:
        centroid[:] = 0
        for j in range(n):
            if alive[j]:
                for t in range(p):
                    centroid[t] += X[j, t]
        plain_distances(X, alive, centroid / left, apart)
        plain_distances(X, alive, X[plain_farthest(alive, apart)], apart)
        plain_group(alive, apart, groups, group, k)
        group, left = group + 1, left - k
        if left >= 2 * k:
            plain_distances(X, alive, X[plain_farthest(alive, apart)], apart)
            plain_group(alive, apart, groups, group, k)
            group, left = group + 1, left - k
    groups[alive] = group
    return groups


@njit(cache=True)
def plain_distances(X: Floats, alive: Flags, target: Floats, apart: Floats) -> None:
    n, p = X.shape
    for j in range(n):
        if alive[j]:
            square = 0.0
            for t in range(p):
                square += (X[j, t] - target[t]) ** 2
            apart[j] = square


@njit(cache=True)
def plain_farthest(alive: Flags, apart: Floats) -> int:
    best, farthest = -1.0, -1
    for j in range(len(alive)):
        if alive[j] and apart[j] > best:
            best, farthest = apart[j], j
    return farthest


@njit(cache=True)
def plain_group(alive: Flags, apart: Floats, groups: Integers, group: int, k: int) -> None:
    nearest, squares = np.full(k, -1), np.full(k, np.inf)
    for j in range(len(alive)):
        if alive[j] and apart[j] < squares[k - 1]:
            rank = k - 1
            while rank > 0 and squares[rank - 1] > apart[j]:
                squares[rank], nearest[rank] = squares[rank - 1], nearest[rank - 1]
                rank -= 1
            squares[rank], nearest[rank] = apart[j], j
    for j in nearest:
        alive[j] = False
        groups[j] = group


def made_up(kind: str, rows: int, columns: int = 10) -> Floats:
    """Return z-scores: independent normal, clustered, or skew and correlated."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(rows, columns))
    if kind == "clustered":
        values = 0.3 * values + rng.normal(size=(50, columns))[rng.integers(0, 50, rows)]
    if kind == "skew":
        values = np.exp(0.4 * values @ rng.normal(size=(columns, columns)))
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0))


def timed(work: Callable[[], Made]) -> tuple[Made, float]:
    start = time.perf_counter()
    made = work()
    return made, time.perf_counter() - start


def against_the_plain_loop(values: Floats, k: int, what: str, rounds: int) -> None:
    order = np.lexsort(values.T[::-1])
    points = on_grid(values[order])
    partitions: list[Integers] = []
    ours, theirs = best_of(
        lambda: partitions.append(mdav(values, k)),
        lambda: partitions.append(plain_mdav(points, k)),
        rounds=rounds,
    )
    same = np.array_equal(partitions[0][order], partitions[1])
    rows, columns = values.shape
    report(
        f"MDAV {rows} × {columns}, {what}, k = {k}, same partition: {same}",
        ours,
        "plain Numba",
        theirs,
    )


def losses(rows: int, blocks: int) -> None:
    for kind in ("normal", "clustered", "skew"):
        values = made_up(kind, rows)
        for k in (3, 5):
            exact, slow = timed(lambda v=values, k=k: mdav(v, k))  # type: ignore[misc]
            better, more = timed(lambda v=values, g=exact, k=k: refined(v, g, k))  # type: ignore[misc]
            split = blockwise_mdav(values, k, rows // blocks)
            variable = variable_mdav(values, k, 0.2)
            partitions = {
                "exact": exact,
                "refined": better,
                f"{blocks} blocks": split,
                f"{blocks} blocks refined": refined(values, split, k),
                "V-MDAV 0.2": variable,
            }
            shares = {name: lost_share(values, groups) for name, groups in partitions.items()}
            line = ", ".join(
                f"{name} {100 * share:.4f} ({share / shares['exact']:.3f})"
                for name, share in shares.items()
            )
            print(f"100 SSE/SST {rows} × 10, {kind}, k = {k}: {line}; {slow:.2f} s + {more:.2f} s")


def large_groups(rows: int) -> None:
    values = made_up("normal", rows, 2)
    for k in (10, 100, 1000):
        groups, slow = timed(lambda k=k: mdav(values, k))  # type: ignore[misc]
        better, more = timed(lambda k=k, g=groups: refined(values, g, k))  # type: ignore[misc]
        shares = [100 * lost_share(values, partition) for partition in (groups, better)]
        print(
            f"100 SSE/SST {rows} × 2, k = {k}: exact {shares[0]:.4f}, refined {shares[1]:.4f}; "
            f"{slow:.2f} s + {more:.2f} s"
        )


def large(rows: int) -> None:
    values = made_up("normal", rows)
    data = Microdata(
        tuple(Numeric(f"x{t}", column, role="key") for t, column in enumerate(values.T))
    )
    masker = Microaggregation(k=5)
    plan, fitting = timed(lambda: masker.fit(data))
    _, masking = timed(lambda: plan.transform(data))
    assert isinstance(plan, MicroaggregationPlan)
    print(
        f"Microaggregation {rows} × 10 in blocks, k = 5: fit {fitting:.1f} s, "
        f"transform {masking:.1f} s, loss {plan.loss:.4f}, unrefined {plan.loss_unrefined:.4f}"
    )


def main() -> None:
    warm = made_up("normal", 100)  # compile
    refined(warm, mdav(warm, 3), 3)
    plain_mdav(warm, 3)
    variable_mdav(warm, 3, 0.2)
    for rows, columns, rounds in ((4092, 11, 5), (100_000, 10, 1)):
        for kind, k in (("normal", 3), ("normal", 5), ("clustered", 5), ("skew", 5)):
            against_the_plain_loop(made_up(kind, rows, columns), k, kind, rounds)
    losses(20_000, blocks=4)
    large_groups(20_000)
    column = np.random.default_rng(1).lognormal(size=1_000_000)
    optimal_groups(column[:100], 3)
    _, seconds = timed(lambda: optimal_groups(column, 3))
    print(f"optimal grouping of one column of 10⁶, k = 3: {seconds:.2f} s")
    large(1_000_000)


if __name__ == "__main__":
    main()
