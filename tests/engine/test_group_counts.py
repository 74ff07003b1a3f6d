"""Groups counted in blocks: exact, within the memory stated, and on disk where they are many."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st

import sudare
from sudare.core.errors import ColumnError, TooLargeError
from sudare.engine.large import FileTable, group_counts
from sudare.engine.large.memory_budget import MemoryBudget

LIMIT = 1 << 30


def written(path: Path, **columns: object) -> Path:
    pq.write_table(pa.table(columns), path, row_group_size=100_000)
    return path


@pytest.fixture
def no_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have DuckDB count also where each possible key could have a counter."""
    monkeypatch.setattr(group_counts, "_FEW", 0)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table with about 2.5 million combinations of two keys."""
    rng = np.random.default_rng(1)
    keys = {name: rng.integers(0, 2500, 3_000_000).astype(np.int16) for name in "ab"}
    return written(tmp_path_factory.mktemp("many") / "keys.parquet", **keys)


CELLS = st.one_of(st.none(), st.sampled_from([0.0, -0.0, 1.5, 2.5, 1e300]))
LABELS = st.one_of(st.none(), st.sampled_from("abc"))


@given(st.lists(st.tuples(LABELS, CELLS), min_size=1, max_size=40))
@settings(deadline=None, max_examples=15)
def test_every_record_is_counted_once(
    tmp_path_factory: pytest.TempPathFactory, records: list[tuple[str | None, float | None]]
) -> None:
    path = tmp_path_factory.mktemp("counts") / "a.parquet"
    labels, numbers = (pa.array(part) for part in zip(*records, strict=True))
    columns = {"label": labels.cast(pa.string()), "number": numbers.cast(pa.float64())}
    pq.write_table(pa.table(columns), path, row_group_size=7)
    table = sudare.open(path)
    counted = table.counted(("label", "number"))
    assert counted.copies is not None
    expected = Counter(records)  # 0.0 and -0.0 are equal
    assert sorted(counted.copies.tolist()) == sorted(expected.values())
    sizes, groups = table.group_sizes([("label", "number")])[0]
    assert dict(zip(sizes.tolist(), groups.tolist(), strict=True)) == Counter(expected.values())


TEXTS = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "NA", "", "007"]))


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=40))
@settings(deadline=None, max_examples=15)
def test_texts_counted_while_they_are_surveyed_are_counted_alike_in_two_passes(
    tmp_path_factory: pytest.TempPathFactory, records: list[tuple[str | None, ...]]
) -> None:
    path = tmp_path_factory.mktemp("texts") / "a.parquet"
    parts = [pa.array(part).cast(pa.string()) for part in zip(*records, strict=True)]
    pq.write_table(pa.table(parts, ["x", "y", "z"]), path, row_group_size=7)
    together, apart = (sudare.open(path, missing=["NA"]) for _ in range(2))
    together.counted("xyz")  # surveys, and answers every question below
    for name in "xyz":
        np.testing.assert_array_equal(together.outlined(name).copies, apart.outlined(name).copies)
    assert isinstance(together, FileTable)
    assert isinstance(apart, FileTable)
    assert (len(together.combined), len(apart.combined)) == (1, 0)
    for names in ("xyz", "zx", "y"):
        ours, theirs = (table.group_sizes([names])[0] for table in (together, apart))
        np.testing.assert_array_equal(ours, theirs)
        tables = [table.counted(names) for table in (together, apart)]
        frames: list[Any] = [sudare.to_frame(counted, "polars") for counted in tables]
        assert frames[0].equals(frames[1])
        np.testing.assert_array_equal(tables[0].copies, tables[1].copies)


def test_texts_of_many_columns_are_counted_apart(tmp_path: Path) -> None:
    """Arrays have 64 dimensions at most, and counters would be too many long before."""
    path = tmp_path / "wide.csv"
    names = [f"x{number}" for number in range(70)]
    rows = [names, ["a"] * 70, ["b", *["a"] * 69], ["a"] * 70]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    table = sudare.open(path)
    assert len(table.head.columns) == 70
    sizes, groups = table.group_sizes([names])[0]
    assert (sizes.tolist(), groups.tolist()) == ([1, 2], [1, 1])


def test_weights_are_means_of_the_group(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    keys, weights = rng.integers(0, 50, 1000), rng.random(1000)
    path = written(tmp_path / "a.parquet", key=keys, weight=weights)
    counted = sudare.open(path, roles={"weight": "weight"}).counted(("key",))
    means = np.bincount(keys, weights) / np.bincount(keys)
    assert counted.weights is not None
    np.testing.assert_allclose(counted.weights, means[np.unique(keys)])


COUNTING = """
import pathlib, re, sys, sudare
from sudare.engine.large import FileTable, group_counts
group_counts._FEW = int(sys.argv[2])
from sudare.engine.large import MemoryBudget
table = sudare.open(sys.argv[1], memory="1GB")
sizes, groups = table.group_sizes([("a", "b")])[0]
assert (sizes * groups).sum() == table.records
assert table.counted(("a", "b")).rows == groups.sum() > 2_300_000
print(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("few", [group_counts._FEW, 0])
def test_combinations_are_counted_within_the_memory_stated(many: Path, few: int) -> None:
    words = [sys.executable, "-c", COUNTING, str(many), str(few)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert int(done.stdout) * 1024 < LIMIT


def test_counters_count_what_duckdb_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    labels = np.array(["x", "y", "z", None])[rng.integers(0, 4, 5000)]
    path = written(tmp_path / "a.parquet", label=labels, number=rng.integers(-3, 9, 5000))
    counted, sizes = [], []
    for few in (group_counts._FEW, 0):
        monkeypatch.setattr(group_counts, "_FEW", few)
        table = sudare.open(path)
        counted.append(table.counted(("label", "number")))
        sizes.append(table.group_sizes([("label", "number")])[0])
    assert counted[0].equals(counted[1])
    np.testing.assert_array_equal(counted[0].copies, counted[1].copies)
    np.testing.assert_array_equal(sizes[0], sizes[1])


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.usefixtures("no_counters")
def test_what_does_not_fit_goes_to_a_private_folder_and_is_gone_after(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    seen: list[tuple[int, int]] = []  # modes of folders, and bytes in them
    noted = group_counts._noted

    def watched(
        batches: Iterator[pa.RecordBatch], failures: list[BaseException]
    ) -> Iterator[object]:
        for batch in noted(batches, failures):
            folders = list(tmp_path.iterdir())
            seen.extend((f.stat().st_mode & 0o777, size_of(f)) for f in folders)
            yield batch

    monkeypatch.setattr(group_counts, "_noted", watched)
    monkeypatch.setattr(MemoryBudget, "counting", 24 << 20)
    table = sudare.open(many)
    sizes, groups = table.group_sizes([("a", "b")])[0]
    assert (sizes * groups).sum() == table.records
    assert {mode for mode, _ in seen} == {0o700}
    assert max(size for _, size in seen) > 1 << 20
    assert not list(tmp_path.iterdir())


class Tiny(MemoryBudget):
    """Room for a million combinations."""

    def entries(self, columns: int) -> int:
        return 1_000_000


def test_too_many_combinations_are_refused_by_name_but_their_sizes_are_not(many: Path) -> None:
    table = replace(sudare.open(many), budget=Tiny())
    with pytest.raises(TooLargeError, match="columns 'a', 'b' have more than 1000000"):
        table.counted(("a", "b"))
    assert table.group_sizes([("a", "b")])[0][1].sum() > 2_300_000
    assert sudare.risk.KAnonymity(columns=("a", "b"))(table).value == 1


def test_records_without_a_weight_are_named_by_their_number_in_the_file(tmp_path: Path) -> None:
    weights = np.ones(1000)
    weights[700] = np.nan
    path = written(tmp_path / "a.parquet", key=np.arange(1000) % 7, weight=weights)
    table = sudare.open(path, roles={"weight": "weight"})
    with pytest.raises(ColumnError, match=r"no weight \(record 701\)"):
        table.counted(("key",))


def test_errors_of_blocks_come_through_as_they_are(tmp_path: Path) -> None:
    weights = np.ones(1000)
    weights[700] = -1
    path = written(tmp_path / "a.parquet", key=np.arange(1000) % 7, weight=weights)
    table = sudare.open(path, roles={"weight": "weight"})
    with pytest.raises(ColumnError, match="'weight' has 1 that is not"):
        table.counted(("key",))


@pytest.mark.usefixtures("no_counters")
def test_a_disk_that_is_full_is_told(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemoryBudget, "counting", 24 << 20)
    connection = group_counts._connection

    @contextmanager
    def full(folder: Path, budget: MemoryBudget) -> Iterator[Any]:
        with connection(folder, budget) as own:
            own.execute("SET max_temp_directory_size = '1MB'")
            yield own

    monkeypatch.setattr(group_counts, "_connection", full)
    with pytest.raises(TooLargeError, match="more disk than there is"):
        sudare.open(many).group_sizes([("a", "b")])
