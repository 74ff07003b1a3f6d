"""Parquet: text columns are read as the codes they are stored in."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sudare.core import InputError, Microdata
from sudare.engine.frames import is_text, to_arrow


def read_parquet(path: Path) -> tuple[pa.Table, frozenset[str]]:
    """Return a Parquet file as an Arrow table, and which of its columns are plain text."""
    with sound_parquet(path):
        schema = pq.read_schema(path)
        texts = [field.name for field in schema if is_text(field.type)]
        with pq.ParquetFile(path, read_dictionary=texts, memory_map=True) as file:
            return file.read(), frozenset(texts)


@contextmanager
def sound_parquet(path: Path) -> Iterator[None]:
    """Say in a sentence that a file is not a Parquet file, or is damaged."""
    try:
        yield
    except PermissionError:
        raise
    except (pa.ArrowException, OSError):
        raise InputError(
            "'{path}' is not a Parquet file, or is damaged; get it again, or correct its ending.",
            path=str(path),
        ) from None


def write_parquet(data: Microdata, draft: Path, *, statistics: bool = True) -> None:
    """Write microdata as Parquet, with or without the lowest and highest value of each column."""
    pq.write_table(to_arrow(data), draft, compression="zstd", write_statistics=statistics)
