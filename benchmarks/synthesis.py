"""OT, DRI and SRI on 43,861 × 82 against one covariance; and long tables in blocks."""

import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import sudare
from benchmarks.timing import best_of, peak_memory, report
from sudare.core.methods.masker import Masker
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Role
from sudare.datasets import expenditure_like
from sudare.engine.counting.weighted_moments import moments
from sudare.mask import OrthogonalTransform, RegressionSynthesis
from sudare.mask.synthesis.linear import LinearMasker

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
    ours, theirs, *masked = best_of(*works, rounds=15)
    report(f"means and covariance, {n} × 82", ours, "numpy.cov", theirs)
    for name, seconds in zip(maskers, masked, strict=True):
        report(f"{name}, fit and transform", seconds, "numpy.cov of the same numbers", theirs)
        report(f"{name}, fit and transform", seconds, "moments alone", ours)


def write_file(path: Path, rows: int, columns: int) -> None:
    """Write correlated numbers of single precision in groups of rows, never all at once."""
    rng = np.random.default_rng(1)
    mixing = rng.normal(size=(8, columns)).astype(np.float32)
    names = [f"x{number}" for number in range(columns)]
    schema = pa.schema([(name, pa.float32()) for name in names])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for first in range(0, rows, BLOCK):
            size = min(BLOCK, rows - first)
            block = rng.standard_normal((size, 8), np.float32) @ mixing
            block += rng.standard_normal((size, columns), np.float32)
            writer.write_table(pa.table(list(np.ascontiguousarray(block.T)), schema=schema))


def mask_file(source: Path, masker: LinearMasker) -> None:
    """Mask a file in blocks and print the time, and the most memory that this process had."""
    begin = time.perf_counter()
    after = source.with_name("after.parquet")
    keys: dict[str, Role] = dict.fromkeys(pq.read_schema(source).names, "key")
    masked = sudare.apply(sudare.open(source, roles=keys), masker, seed=1)
    sudare.write(masked.data, after)
    step = masked.steps[0]
    after.unlink()
    spent = time.perf_counter() - begin
    print(f"{step.method}: {spent:.1f} s, at most {peak_memory():.2f} GiB in memory", flush=True)


def passes_over(source: Path) -> float:
    """Return the time of reading the file twice into NumPy, and writing as much once."""
    begin = time.perf_counter()
    for _ in range(2):
        for batch in pq.ParquetFile(source, pre_buffer=False).iter_batches(BLOCK):
            _ = [column.to_numpy() for column in batch.columns]
    with pq.ParquetFile(source, pre_buffer=False) as file:
        writer = pq.ParquetWriter(source.with_name("copy.parquet"), file.schema_arrow)
        for batch in file.iter_batches(BLOCK):
            writer.write_batch(batch)
        writer.close()
    source.with_name("copy.parquet").unlink()
    return time.perf_counter() - begin


def long_file(rows: int, columns: int = 80) -> None:
    """Mask a Parquet file that is never whole in memory, each method in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "before.parquet"
        write_file(source, rows, columns)
        size = source.stat().st_size / 2**30
        print(f"Parquet of {rows:,} × {columns} ({size:.1f} GiB) in blocks of {BLOCK:,}")
        for masker in (OrthogonalTransform(loss=0.1), RegressionSynthesis(noise=False)):
            process = get_context("spawn").Process(target=mask_file, args=(source, masker))
            process.start()
            process.join()
        print(f"reading it twice and writing it once: {passes_over(source):.1f} s")


def main(n: int = 43_861, rows: int = 1_000_000) -> None:
    against_covariance(n)
    long_file(rows)


if __name__ == "__main__":
    main()
