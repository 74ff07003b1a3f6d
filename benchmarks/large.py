"""A Parquet file of 10⁸ records × 8 keys that is never in memory, against DuckDB by hand.

``python -m benchmarks large`` takes 10⁷ records; ``python -m benchmarks.large 100_000_000`` all;
``python -m benchmarks.large 20_000_000 counting`` counts only: few groups, and millions of them
within 2 GB, in a Parquet file and in a CSV file.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import sudare
from benchmarks.timing import peak_memory, report

RADICES = (2, 5, 16, 5, 4, 3, 2, 9)
MANY = (2, 60, 30, 16, 7, 9, 4)  # of the keys with millions of groups
NAMES = tuple(f"k{number}" for number in range(len(RADICES)))
BLOCK = 1_000_000


def write_file(path: Path, rows: int, radices: tuple[int, ...] = RADICES) -> None:
    """Write skewed categories as text, in groups of rows."""
    rng = np.random.default_rng(1)
    schema = pa.schema([(name, pa.string()) for name in NAMES[: len(radices)]])
    labels = [pa.array([f"v{code}" for code in range(radix)]) for radix in radices]
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in range(0, rows, BLOCK):
            size = min(BLOCK, rows - first)
            columns = []
            for radix, words in zip(radices, labels, strict=True):
                codes = (rng.random(size, np.float32) ** 2 * radix).astype(np.int32)
                columns.append(words.take(pa.array(codes)))
            writer.write_table(pa.table(columns, schema=schema))


def write_csv(path: Path) -> Path:
    """Write the same records as CSV, beside the Parquet file."""
    target = path.with_suffix(".csv")
    duckdb.execute("SET enable_progress_bar = false")
    duckdb.execute(f"COPY (FROM read_parquet('{path}')) TO '{target}' (HEADER)")
    return target


def opened(path: Path) -> sudare.LargeTable:
    return sudare.open(path, roles=dict.fromkeys(NAMES, "key"))


def group_sizes(path: Path) -> None:
    opened(path).group_sizes([NAMES])


def counted(path: Path) -> None:
    opened(path).counted(NAMES)


def opened_small(path: Path) -> sudare.LargeTable:
    return sudare.open(path, memory="2GB", roles=dict.fromkeys(NAMES[: len(MANY)], "key"))


def many_group_sizes(path: Path) -> None:
    opened_small(path).group_sizes([NAMES[: len(MANY)]])


def many_counted(path: Path) -> None:
    opened_small(path).counted(NAMES[: len(MANY)])


def by_hand(path: Path) -> None:
    query = f"SELECT *, count(*) FROM '{path}' GROUP BY ALL"  # noqa: S608
    duckdb.execute("SET enable_progress_bar = false")
    relation = duckdb.sql(query)
    assert relation is not None
    relation.to_arrow_table()


def sizes_by_hand(path: Path) -> None:
    duckdb.execute("SET enable_progress_bar = false")
    keys = ", ".join(name for name, *_ in duckdb.execute(f"FROM '{path}' LIMIT 0").description)
    groups = f"SELECT count(*) AS n FROM '{path}' GROUP BY {keys}"  # noqa: S608
    duckdb.execute(f"SELECT n, count(*) FROM ({groups}) GROUP BY n").fetchall()  # noqa: S608


def count(rows: int) -> None:
    """Print what counting costs, few groups and many, next to DuckDB on the text itself."""
    works: tuple[tuple[str, tuple[int, ...], Work, Work], ...] = (
        ("few groups, sizes", RADICES, group_sizes, sizes_by_hand),
        ("few groups, counted", RADICES, counted, by_hand),
        ("millions of groups, sizes, 2 GB", MANY, many_group_sizes, sizes_by_hand),
        ("millions of groups, counted, 2 GB", MANY, many_counted, by_hand),
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, radices, work, peer in works:
            path = Path(folder) / f"{len(radices)}.parquet"
            if not path.exists():
                write_file(path, rows, radices)
                write_csv(path)
            for file in (path, path.with_suffix(".csv")):
                theirs, own = cost_of(peer, file), cost_of(work, file)
                report(f"{name}, {file.suffix}", own.seconds, "DuckDB", theirs.seconds)
                report("  of all cores", own.work, "DuckDB", theirs.work)
                print(f"  at most {own.memory:.2f} GiB, DuckDB {theirs.memory:.2f} GiB", flush=True)


def recode(path: Path) -> None:
    masked = sudare.apply(opened(path), sudare.mask.GlobalRecode(min_share=0.05), seed=1)
    sudare.write(masked.data, path.with_name("recoded.parquet"), overwrite=True)


def pram(path: Path) -> None:
    masked = sudare.apply(opened(path), sudare.mask.Pram(retain=0.9), seed=1)
    sudare.write(masked.data, path.with_name("pram.parquet"), overwrite=True)


def copy_by_hand(path: Path) -> None:
    target = path.with_name("copy.parquet")
    query = f"COPY (FROM read_parquet('{path}')) TO '{target}' (COMPRESSION zstd)"
    duckdb.execute("SET enable_progress_bar = false")
    duckdb.execute(query)


def report_on(path: Path) -> None:
    recipe = sudare.Recipe("pram", [sudare.mask.Pram(retain=0.9)])
    publication = sudare.publish(opened(path), recipe)
    publication.write(path.with_name("release"), kind="parquet", overwrite=True)


Work = Callable[[Path], None]


class Cost(NamedTuple):
    """Seconds by the clock, seconds of all cores together, and the most memory in GiB."""

    seconds: float
    work: float
    memory: float


def cost_of(work: Callable[[Path], None], path: Path) -> Cost:
    """Return what work costs, in a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_cost, (work, path))


def _cost(work: Callable[[Path], None], path: Path) -> Cost:
    begin, before = time.perf_counter(), time.process_time()
    work(path)
    return Cost(time.perf_counter() - begin, time.process_time() - before, peak_memory())


def main(rows: int = 10_000_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "keys.parquet"
        write_file(path, rows)
        print(f"{rows:.0e} records × 8 keys, {path.stat().st_size / 2**30:.2f} GiB", flush=True)
        theirs, copied = cost_of(by_hand, path), cost_of(copy_by_hand, path)
        for name, work, peer, peers in (
            ("group sizes", group_sizes, "DuckDB's GROUP BY", theirs),
            ("recoding, written", recode, "DuckDB copying the file", copied),
            ("PRAM, written", pram, "DuckDB copying the file", copied),
            (
                "PRAM, measured, released with a report",
                report_on,
                "DuckDB copying the file",
                copied,
            ),
        ):
            own = cost_of(work, path)
            report(name, own.seconds, peer, peers.seconds)
            report("  of all cores, whoever else uses them", own.work, peer, peers.work)
            per_row = own.work / rows * 1e6
            print(
                f"  {per_row:.3f} µs a record, at most {own.memory:.2f} GiB in memory", flush=True
            )


if __name__ == "__main__":
    (count if "counting" in sys.argv else main)(int(sys.argv[1]) if sys.argv[1:] else 10_000_000)
