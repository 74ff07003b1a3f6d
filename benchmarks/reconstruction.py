"""Randomizing a million records, and reconstruction at 16,281 × 11 against passes over a matrix.

The bound of a product with the n × n transition matrix is one pass over that matrix in single
precision; a step of the nonparametric maximum is two products.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations

import numpy as np

from benchmarks.timing import best_of
from sudare.core import Masked, apply
from sudare.core.draws import Draws
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.mask import PkAnonymization
from sudare.reconstruct import (
    KernelDensityRatio,
    LinearDensityRatio,
    NonparametricMaximum,
    pairs as tiles,
)
from sudare.reconstruct.pairs import Pairs
from sudare.reconstruct.released import Released

SIZES = (74, 9, 7, 15, 6, 2)


def made_up(n: int) -> Microdata:
    """Six columns of categories and five of numbers, all related."""
    rng = np.random.default_rng(1)
    level = rng.normal(size=n)
    columns: list[Column] = []
    for number, size in enumerate(SIZES):
        rank = np.argsort(np.argsort(level + rng.normal(size=n)))
        columns.append(Categorical(f"c{number}", rank * size // n, tuple(range(size)), role="key"))
    columns += [Numeric(f"n{i}", level + rng.normal(size=n), role="key") for i in range(5)]
    return Microdata(tuple(columns))


def randomizing(n: int, rounds: int) -> None:
    data = made_up(n)
    draws = Draws(1)
    bare, masked = best_of(
        lambda: [draws.uniform(name, n) for name in data.names],
        lambda: apply(data, PkAnonymization(k=3), seed=1),
        rounds=rounds,
    )
    print(f"Pk-anonymization, {n} × 11: {masked:.2f} s, {masked / bare:.1f} times the bare draws")


def products(masked: Masked[Microdata], rounds: int) -> float:
    """Print what a product costs, and return the time of one pass over the matrix."""
    (stratum,) = Released.of("benchmark", masked.data, masked.steps, None).strata()
    kept, free = (Pairs.of(stratum.columns, stratum.channels) for _ in range(2))
    n = masked.data.rows
    even = np.full(n, 1 / n)
    kept.seen(even)
    limit, tiles._KEPT = tiles._KEPT, 0
    free.seen(even)
    tiles._KEPT = limit
    matrix, vector = np.ones((n, n), np.float32), even.astype(np.float32)
    bare, with_tiles, without, factors = best_of(
        lambda: matrix @ vector,
        lambda: kept.seen(even),
        lambda: free.seen(even),
        lambda: arithmetic(free),
        rounds=rounds,
    )
    print(f"{n} records: one pass over the matrix in single precision {bare:.3f} s")
    print(f"product, tiles kept: {with_tiles:.3f} s, {with_tiles / bare:.2f} passes")
    print(
        f"product, matrix-free: {without:.3f} s, {without / bare:.2f} passes, "
        f"{without / factors:.2f} times the arithmetic of its factors"
    )
    return bare


def arithmetic(pairs: Pairs) -> None:
    """The factors of half of the pairs, multiplied and thrown away, on two threads."""

    def work(part: int) -> None:
        spare = np.empty((tiles._TILE, tiles._TILE), np.float32)
        for number in range(part, len(pairs._corners), 2):
            pairs._tile(number, spare)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))


def many(n: int = 1_000_000) -> None:
    """The nonparametric maximum of a million records, in blocks, and how far off it is.

    With 50 rounds of leaps that were never shortened, in blocks of 16,384, the processor needed
    44 s for 32,768 records; tables of two columns were off by 0.354 (total variation), with
    10 rounds and blocks of 8,192 by 0.279.
    """
    data = made_up(n)
    masked = apply(data, PkAnonymization(k=3), seed=1)
    start = time.process_time()
    estimate = NonparametricMaximum().fit(masked.data, masked.steps)
    taken = time.process_time() - start
    pairs = [
        np.abs(table(data, a, b, np.ones(n)) - table(masked.data, a, b, estimate.weights)).sum() / 2
        for a, b in combinations([f"c{number}" for number in range(len(SIZES))], 2)
    ]
    print(
        f"nonparametric maximum of {n} records: {taken:.0f} s of processor time, "
        f"{estimate.effective_rows:.0f} effective rows, pairs off by {np.mean(pairs):.3f}"
    )


def table(data: Microdata, first: str, second: str, weights: Floats) -> Floats:
    codes = data[first].coded.codes * max(SIZES) + data[second].coded.codes
    shares: Floats = np.bincount(codes, weights, minlength=max(SIZES) ** 2) / weights.sum()
    return shares


def main(n: int = 16_281, rounds: int = 3) -> None:
    randomizing(1_000_000, rounds)
    masked = apply(made_up(n), PkAnonymization(k=3), seed=1)
    bare = products(masked, rounds)
    for method in (LinearDensityRatio(), KernelDensityRatio(), NonparametricMaximum()):
        (seconds,) = best_of(partial(method.fit, masked.data, masked.steps), rounds=1)
        print(f"{method.label()}, whole fit: {seconds:.1f} s, {seconds / bare:.0f} passes")
    many()


if __name__ == "__main__":
    main()
