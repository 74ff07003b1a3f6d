"""Group sizes over 8 columns of 10⁶ rows against Polars' own group-by."""

import numpy as np
import polars as pl

from benchmarks.timing import best_of, report
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.engine.counting.counts import cross_table, group_sizes, groups
from sudare.engine.counting.weighted_moments import moments

RADICES = {
    "few groups": (2, 5, 3, 2, 4, 2, 3, 2),
    "census-like keys": (2, 5, 16, 5, 4, 3, 2, 9),
    "almost all unique": (2, 9, 16, 5, 41, 7, 14, 90),
    "huge domain": (1000,) * 8,
}


def main(rows: int = 1_000_000) -> None:
    rng = np.random.default_rng(1)
    for name, radices in RADICES.items():
        columns = [
            Categorical(f"c{i}", rng.integers(0, radix, rows), tuple(range(radix)))
            for i, radix in enumerate(radices)
        ]
        frame = pl.DataFrame({column.name: column.codes for column in columns})
        ours, with_index, theirs, window = best_of(
            lambda c=columns: group_sizes(c),  # type: ignore[misc]
            lambda c=columns: groups(c).size_of_record,  # type: ignore[misc]
            lambda f=frame: f.group_by(f.columns).len(),  # type: ignore[misc]
            lambda f=frame: f.select(pl.len().over(f.columns)),  # type: ignore[misc]
        )
        report(f"group sizes, 8 columns, {name}", ours, "Polars group_by", theirs)
        report(f"group size of each record, {name}", with_index, "Polars over", window)
    pair = columns[:2]
    pairs = frame.select(frame.columns[:2])
    ours, theirs = best_of(lambda: cross_table(pair), lambda: pairs.group_by(pairs.columns).len())
    report("cross table 1000 × 1000", ours, "Polars group_by", theirs)
    table = rng.normal(size=(10, rows))
    numbers = [Numeric(str(i), row) for i, row in enumerate(table)]
    ours, theirs = best_of(lambda: moments(numbers), lambda: np.cov(table))
    report("means and covariance, 10 columns", ours, "numpy.cov", theirs)


if __name__ == "__main__":
    main()
