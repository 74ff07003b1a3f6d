"""A large table is described by counts of all its records, as if it were in memory."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudare
from sudare.describe import large_profile, profile, variables


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    income = np.where(rng.random(3000) < 0.1, np.nan, rng.normal(50, 10, 3000))
    table = pa.table(
        {
            "region": pa.array(["a", "b", "c", None, "x"]).take(pa.array(rng.integers(0, 5, 3000))),
            "income": pa.array(income, from_pandas=True),
            "person": pa.array([f"p{number}" for number in range(3000)]),
            "flat": rng.integers(1, 5, 3000),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=700)
    return tmp_path / "a.parquet"


def test_the_counts_are_those_of_the_table_in_memory(path: Path) -> None:
    table = sudare.open(path, not_applicable={"region": ["x"]})
    data = sudare.read(path, not_applicable={"region": ["x"]})
    described = large_profile(table, data)
    assert described.rows == 3000
    assert described.columns == profile(data).columns
    assert "sample of 3000 records" in described.notes[-1]


def test_values_too_many_for_memory_are_counted_or_said_to_be_too_many(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudare.engine.large.MemoryBudget.values", lambda _budget, _columns: 50)
    table, data = sudare.open(path), sudare.read(path)
    described = {column.name: column for column in large_profile(table, data).columns}
    whole = {column.name: column for column in profile(data).columns}
    assert described["income"] == whole["income"]
    assert described["region"] == whole["region"]
    assert (described["person"].distinct, described["person"].rarest) == (None, None)


def test_keys_are_compared_first_where_columns_are_many() -> None:
    columns = {f"c{number}": np.arange(3) for number in range(8)}
    data = sudare.read(pa.table(columns), roles={"c6": "key", "c5": "sensitive", "c0": "weight"})
    assert variables(data, 3) == ["c1", "c5", "c6"]
    assert variables(data) == [f"c{number}" for number in range(1, 8)]
