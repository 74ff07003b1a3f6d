"""Reading against Polars: 10⁷ × 10 of Parquet into codes, 10⁶ × 10 of CSV into distinct floats."""

import tempfile
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import polars as pl

import sudare
from benchmarks.timing import best_of, peak_memory, report

TEXTS = {"t5": 5, "t16": 16, "t47": 47, "t300": 300, "t1800": 1_800, "t5000": 5_000}
CODES = {"i9": 9, "i1900": 1_900}
NUMBERS = ("x", "y")


def write_table(path: Path, rows: int) -> None:
    """Write text labels in random order, whole numbers that are codes, and floats."""
    rng = np.random.default_rng(1)
    columns = {
        name: pl.Series([f"地域{label:05}" for label in rng.permutation(size)]).gather(
            rng.integers(0, size, rows)
        )
        for name, size in TEXTS.items()
    }
    columns |= {name: pl.Series(rng.integers(0, size, rows)) for name, size in CODES.items()}
    columns |= {name: pl.Series(rng.normal(size=rows)) for name in NUMBERS}
    pl.DataFrame(columns).write_parquet(path)


def with_sudare(path: Path) -> sudare.Microdata:
    return sudare.read(path, scales=dict.fromkeys(CODES, "nominal"))


def with_polars(path: Path) -> tuple[dict[str, pl.Series], pl.DataFrame]:
    """Read the same file and give every label its place among the sorted labels."""
    frame = pl.read_parquet(path)
    unique = frame.select(pl.col(*TEXTS, *CODES).unique().sort().implode())
    labels = {name: unique[name].explode() for name in (*TEXTS, *CODES)}
    codes = [pl.col(name).cast(pl.Enum(labels[name])).to_physical() for name in TEXTS]
    codes += [pl.lit(labels[name]).search_sorted(pl.col(name)).alias(name) for name in CODES]
    return labels, frame.select(*codes, *NUMBERS)


def same(path: Path) -> bool:
    """Return whether both came to the same labels and codes."""
    data, (labels, codes) = with_sudare(path), with_polars(path)
    return all(
        data[name].coded.labels == tuple(labels[name])
        and np.array_equal(data[name].coded.codes, codes[name])
        for name in (*TEXTS, *CODES)
    )


def peak(work: Callable[[Path], object], path: Path) -> float:
    """Return the most memory, in gigabytes, that a process of its own needs for the work."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak_here, (work, path))


def _peak_here(work: Callable[[Path], object], path: Path) -> float:
    work(path)
    return peak_memory()


def write_floats(path: Path, rows: int) -> None:
    """Write ten columns of floats, all of them different."""
    rng = np.random.default_rng(1)
    pl.DataFrame({f"x{n}": rng.normal(size=rows) for n in range(10)}).write_csv(path)


def floats_with_sudare(path: Path) -> sudare.Microdata:
    return sudare.read(path)


def floats_with_polars(path: Path) -> pl.DataFrame:
    return pl.read_csv(path)


def floats(folder: Path, rows: int = 1_000_000) -> None:
    path = folder / "floats.csv"
    write_floats(path, rows)
    ours, theirs = best_of(
        lambda: floats_with_sudare(path), lambda: floats_with_polars(path), rounds=3
    )
    report(f"CSV of {rows:,} × 10 distinct floats", ours, "Polars", theirs)
    memory = [peak(work, path) for work in (floats_with_sudare, floats_with_polars)]
    print("peak memory: sudare {:.2f} GB, Polars {:.2f} GB".format(*memory))


def main(rows: int = 10_000_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        write_table(path, rows)
        assert same(path)
        ours, theirs = best_of(lambda: with_sudare(path), lambda: with_polars(path), rounds=3)
        report(f"Parquet of {rows:,} × 10 into codes", ours, "Polars", theirs)
        memory = [peak(work, path) for work in (with_sudare, with_polars)]
        print("peak memory: sudare {:.2f} GB, Polars {:.2f} GB".format(*memory))
        floats(Path(folder))


if __name__ == "__main__":
    main()
