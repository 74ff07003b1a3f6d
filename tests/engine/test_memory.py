"""The memory that is stated is kept: what a process takes at most, measured from outside."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import sudare
from sudare.core.errors import ColumnError, SettingError, TooLargeError
from sudare.engine.large.file_sources import FileSource
from sudare.engine.large.file_table import size_in_memory
from sudare.engine.large.memory_budget import MemoryBudget

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
LIMIT = 1 << 30
BLOCK = 250_000
STEPS = (
    "pram: columns = ['region']",
    "rounding: columns = ['spending'], base = 0.01",
    "noise: columns = ['income']",
)


def blocks(count: int) -> Iterator[pa.Table]:
    """Yield a few labels, many labels, as many labels as records; few and many numbers."""
    rng = np.random.default_rng(1)
    regions, towns = ([f"{word} {n}" for n in range(size)] for word, size in _SIZES)
    for first in range(0, count * BLOCK, BLOCK):
        yield pa.table(
            {
                "region": pa.array(regions).take(pa.array(rng.integers(0, 47, BLOCK))),
                "town": pa.array(towns).take(pa.array(rng.integers(0, 100_000, BLOCK))),
                "person": pa.array(np.arange(first, first + BLOCK)).cast(pa.string()),
                "age": rng.integers(0, 100, BLOCK),
                "income": rng.normal(50, 10, BLOCK),
                "spending": rng.lognormal(3, 1, BLOCK).round(3),
            }
        )


_SIZES = (("region", 47), ("town", 100_000))


# Not getrusage: a new process inherits the peak of the one that started it.
RUN = """
import atexit, pathlib, re, runpy, sys
status = pathlib.Path("/proc/self/status")
atexit.register(lambda: print(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]))
sys.argv[0] = "sudare"
runpy.run_module("sudare", run_name="__main__")
"""


def most_memory(*words: object) -> int:
    """Return the most bytes that a command takes."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", RUN, *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "read in blocks" in done.stderr
    return int(done.stdout.split()[-1]) * 1024


def mask(path: Path) -> int:
    steps = [word for step in STEPS for word in ("--step", step)]
    out = path.with_name("masked" + path.suffix)
    about = ("-o", out, "--identifier", "person", "--internal", "--memory", "1GB")
    return most_memory("mask", path, *steps, *about)


def test_a_parquet_file_is_masked_within_the_memory_stated(tmp_path: Path) -> None:
    path = tmp_path / "big.parquet"
    with pq.ParquetWriter(path, next(blocks(1)).schema) as writer:
        for block in blocks(12):
            writer.write_table(block)
    assert size_in_memory(path) > MemoryBudget(LIMIT).free
    assert mask(path) < LIMIT
    assert pq.read_metadata(tmp_path / "masked.parquet").num_rows == 12 * BLOCK
    assert most_memory("describe", path, "--memory", "1GB") < LIMIT


def test_a_text_file_is_masked_within_the_memory_stated(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    with pa_csv.CSVWriter(path, next(blocks(1)).schema) as writer:
        for block in blocks(7):
            writer.write_table(block)
    assert size_in_memory(path) > MemoryBudget(LIMIT).free
    assert mask(path) < LIMIT


def test_long_texts_make_blocks_short(tmp_path: Path) -> None:
    path = tmp_path / "notes.parquet"
    pq.write_table(pa.table({"note": [f"{n}" * 10_000 for n in range(1000, 1999)]}), path)
    table = sudare.open(path, memory=LIMIT)
    assert isinstance(table.source, FileSource)
    assert table.source.block_rows < MemoryBudget(LIMIT).block_rows(1) / 100


def test_one_row_group_is_not_read_whole(tmp_path: Path) -> None:
    numbers = np.random.default_rng(1).normal(size=(8, 3_200_000))
    path = tmp_path / "wide.parquet"
    table = pa.table({f"x{number}": values for number, values in enumerate(numbers)})
    pq.write_table(table, path, row_group_size=len(numbers[0]), use_dictionary=False)
    out = ("-o", tmp_path / "masked.parquet", "--internal", "--memory", "1GB")
    assert most_memory("mask", path, "--step", "noise: columns = ['x0']", *out) < LIMIT


def test_more_memory_is_more_of_everything() -> None:
    small, large = MemoryBudget(LIMIT), MemoryBudget(8 * LIMIT)
    assert small.block_rows(20) < large.block_rows(20)
    assert small.values(20) < large.values(20)
    assert small.entries(2) < large.entries(2)


def test_too_little_memory_is_refused() -> None:
    with pytest.raises(SettingError, match="at least 1GB"):
        MemoryBudget(LIMIT - 1)
    with pytest.raises(TooLargeError, match=r"100000 columns .* allow 4GB"):
        MemoryBudget(LIMIT, threads=2).block_rows(100_000)
    assert MemoryBudget(4 * LIMIT, threads=2).block_rows(100_000)


@pytest.mark.parametrize("name", ["Pram", "RetentionReplacement"])
def test_no_matrix_is_made_for_too_many_categories(name: str) -> None:
    towns = pa.table({"town": [f"town {n}" for n in range(5000)]})
    with pytest.raises(ColumnError, match="5000 categories"):
        getattr(sudare.mask, name)(columns=("town",)).fit(sudare.read(towns))
