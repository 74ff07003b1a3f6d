"""Tables that need not fit in memory: Parquet files read and written in blocks of records."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sudare.core.errors import InputError, OutputError
from sudare.core.microdata import Microdata
from sudare.engine.atomic import writing
from sudare.engine.files import read
from sudare.engine.outgoing import to_arrow

BLOCK_ROWS = 100_000


def read_blocks(
    source: str | os.PathLike[str], *, block_rows: int = BLOCK_ROWS, **reading: Any
) -> Iterator[Microdata]:
    """Yield a Parquet file as tables of at most so many records, in their order.

    What may be said about the columns (``roles``, ``scales`` and so on) is as in :func:`read`.
    """
    try:
        with pq.ParquetFile(source, pre_buffer=False) as file:  # else it all stays in memory
            for batch in file.iter_batches(block_rows):
                yield read(pa.Table.from_batches([batch]), **reading)
    except (pa.ArrowException, OSError):
        raise InputError(
            "'{path}' cannot be read in blocks: it is not there, not a Parquet file, or damaged.",
            path=str(source),
        ) from None


def write_blocks(
    blocks: Iterable[Microdata], path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write tables one below the other to a Parquet file; it appears whole or not at all.

    The first table says the type of each column.
    """
    with writing(path, overwrite=overwrite) as draft:
        writer: pq.ParquetWriter | None = None
        try:
            for block in blocks:
                table = to_arrow(block)
                writer = writer or _writer(draft, table.schema)
                writer.write_table(table.cast(writer.schema))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
            raise OutputError(
                "'{path}': the blocks do not have the same columns of the same types.",
                path=str(path),
            ) from None
        finally:
            if writer is not None:
                writer.close()
    return Path(path)


def _writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    # Masked numbers are all different: looking for equal ones would take most of the time.
    coded = [field.name for field in schema if not pa.types.is_floating(field.type)]
    return pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=coded)
