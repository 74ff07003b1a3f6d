"""OT, DRI and SRI on 43,861 × 82 against one covariance; and long tables in blocks."""

import resource
import time

import numpy as np

from benchmarks.timing import best_of, report
from sudare.core.columns import Numeric
from sudare.core.draws import Draws
from sudare.core.masker import Masker
from sudare.core.microdata import Microdata
from sudare.datasets import expenditure_like
from sudare.engine.moments import Moments, moments
from sudare.mask import OrthogonalTransform, RegressionSynthesis

BLOCK = 100_000


def numbers(data: Microdata) -> list[Numeric]:
    return [column for column in data.columns if isinstance(column, Numeric)]


def against_covariance(n: int) -> None:
    data = expenditure_like(n)
    columns = numbers(data)
    stacked = np.stack([column.values for column in columns])
    maskers: dict[str, Masker] = {
        "DRI": RegressionSynthesis(noise=False),
        "SRI": RegressionSynthesis(noise=True),
        "OT(0.10)": OrthogonalTransform(loss=0.1),
    }
    works = [lambda: moments(columns), lambda: np.cov(stacked)]
    works += [lambda m=m: m.fit(data).transform(data, seed=1) for m in maskers.values()]  # type: ignore[misc]
    ours, theirs, *masked = best_of(*works, rounds=7)
    report(f"means and covariance, {n} × 82", ours, "numpy.cov", theirs)
    for name, seconds in zip(maskers, masked, strict=True):
        report(f"{name}, fit and transform", seconds, "numpy.cov of the same numbers", theirs)
        report(f"{name}, fit and transform", seconds, "moments alone", ours)


def long_table(rows: int) -> None:
    """Fit and mask a table that is never whole: blocks are made again for the second pass."""
    total: Moments | None = None
    start = time.perf_counter()
    making = 0.0
    for first in range(0, rows, BLOCK):
        begin = time.perf_counter()
        block = expenditure_like(BLOCK, seed=first)
        making += time.perf_counter() - begin
        found = moments(numbers(block))
        total = found if total is None else total.merged(found)
    if total is None:
        return
    plans = [OrthogonalTransform(loss=0.1).plan(block.names, total)]
    plans.append(RegressionSynthesis(noise=False).plan(block.names, total))
    for first in range(0, rows, BLOCK):
        begin = time.perf_counter()
        block = expenditure_like(BLOCK, seed=first)
        making += time.perf_counter() - begin
        for plan in plans:
            plan.transform(block, seed=Draws(1).starting_at(first))
    spent = time.perf_counter() - start - making
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{rows} × 82 in blocks of {BLOCK}: moments, OT and DRI in {spent:.1f} s "
        f"(making the data {making:.1f} s), at most {memory:.2f} GiB in memory"
    )


def main(n: int = 43_861, rows: int = 1_000_000) -> None:
    against_covariance(n)
    long_table(rows)


if __name__ == "__main__":
    main()
