"""The recoding study: the same cells with ten and a hundred times the records."""

import time

import numpy as np

from sudare.datasets import census_like
from sudare.study import recoding


def main(most: int = 10_000_000) -> None:
    base = census_like(100_000)
    seconds = []
    for rows in (100_000, 1_000_000, most):
        data = base.take(np.arange(rows) % base.rows)
        start = time.perf_counter()
        recoding(data)
        seconds.append(time.perf_counter() - start)
        print(
            f"75 models × 4 versions, {rows:>10,} records: {seconds[-1]:.1f} s, "
            f"ratio to 100,000 records {seconds[-1] / seconds[0]:.2f}"
        )


if __name__ == "__main__":
    main()
