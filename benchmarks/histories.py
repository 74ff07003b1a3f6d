"""Histories: the format check and U of a masked file, against reading it."""

import tempfile
from pathlib import Path

import sudare
from benchmarks.timing import best_of
from sudare.transactions import (
    CoarseDates,
    ItemFamilies,
    PriceBands,
    check,
    read_masked,
    utility,
    write_masked,
)


def main() -> None:
    history = sudare.datasets.purchases_like(1000, seed=1)
    chain = [CoarseDates(), ItemFamilies(size=10), PriceBands(width=1.0)]
    masked = sudare.apply(history, chain).data
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "A.csv"
        write_masked(masked, path)
        reading, whole, scoring = best_of(
            lambda: read_masked(path),
            lambda: check(history, path),
            lambda: utility(history, masked),
        )
    print(
        f"check and U of {history.rows} rows: {whole + scoring - reading:.2f} s beyond reading, "
        f"{(whole + scoring) / reading:.2f} of the time of reading alone"
    )


if __name__ == "__main__":
    main()
