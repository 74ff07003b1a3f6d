from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sudare


@pytest.fixture
def beyond(tmp_path: Path) -> Path:
    """A small table with long texts, so that it is beyond the least memory that can be stated."""
    table = sudare.datasets.toy(200).to_frame("pyarrow")
    texts = [f"{number:03d}" * 200_000 for number in range(200)]
    pq.write_table(table.append_column("text", [texts]), tmp_path / "beyond.parquet")  # type: ignore[attr-defined]
    return tmp_path / "beyond.parquet"
