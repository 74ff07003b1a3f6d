"""Tables on disk and in frame libraries, and a look at what was read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sudare

Save = Callable[..., Path]
MakeFrame = Callable[[dict[str, Any]], Any]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write text or bytes to a file and return its path."""

    def write(content: str | bytes, name: str = "table.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


@pytest.fixture
def read_text(save: Save) -> Callable[..., sudare.Microdata]:
    """Read a text as a CSV file."""

    def read(content: str | bytes, **options: Any) -> sudare.Microdata:
        return sudare.read(save(content), **options)

    return read


def _duckdb(columns: dict[str, Any]) -> Any:
    return duckdb.from_arrow(pa.table(columns))


FRAMES: dict[str, MakeFrame] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars-lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": _duckdb,
}


@pytest.fixture(params=FRAMES)
def make_frame(request: pytest.FixtureRequest) -> MakeFrame:
    """Make a frame of each library from lists."""
    return FRAMES[request.param]
