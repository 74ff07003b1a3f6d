"""A Parquet file of 10⁸ records × 8 keys that is never in memory, against DuckDB by hand.

``python -m benchmarks large`` takes 10⁷ records; ``python -m benchmarks.large 100_000_000`` all.
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
NAMES = tuple(f"k{number}" for number in range(len(RADICES)))
BLOCK = 1_000_000


def write_file(path: Path, rows: int) -> None:
    """Write skewed categories as text, in groups of rows."""
    rng = np.random.default_rng(1)
    schema = pa.schema([(name, pa.string()) for name in NAMES])
    labels = [pa.array([f"v{code}" for code in range(radix)]) for radix in RADICES]
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in range(0, rows, BLOCK):
            size = min(BLOCK, rows - first)
            columns = []
            for radix, words in zip(RADICES, labels, strict=True):
                codes = (rng.random(size, np.float32) ** 2 * radix).astype(np.int32)
                columns.append(words.take(pa.array(codes)))
            writer.write_table(pa.table(columns, schema=schema))


def opened(path: Path) -> sudare.LargeTable:
    return sudare.open(path, roles=dict.fromkeys(NAMES, "key"))


def group_sizes(path: Path) -> None:
    opened(path).counted(NAMES)


def by_hand(path: Path) -> None:
    keys = ", ".join(NAMES)
    query = f"SELECT {keys}, count(*) FROM read_parquet('{path}') GROUP BY ALL"  # noqa: S608
    duckdb.execute("SET enable_progress_bar = false")
    duckdb.execute(query).fetchall()


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
    publication = sudare.publish(opened(path), recipe, seed=1)
    publication.write(path.with_name("release"), kind="parquet", overwrite=True)


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
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
