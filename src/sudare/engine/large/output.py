"""Large tables written block by block; the file is the one that the table in memory would give."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sudare.core import Microdata
from sudare.engine.counting import in_turn
from sudare.engine.formats import Folder, unencodable, write_rows
from sudare.engine.frames import to_arrow, to_plain, widened, wider
from sudare.engine.large.block_table import BlockTable

_BATCH = 1 << 16

# Called with (records written, records in all).
OnRecords = Callable[[int, int], None]


def write_large(
    data: BlockTable,
    draft: Path,
    *,
    text: str | None,
    encoding: str,
    on_records: OnRecords | None = None,
) -> None:
    """Write a large table as Parquet or, with a separator, as delimited text."""
    with Folder(draft.parent) as folder:
        tables = _arrow_blocks(data, to_plain if text else to_arrow)
        parts = _Parts(folder)
        for table in tables:
            parts.add(table)
            if on_records:
                on_records(parts.rows, data.records)
        parts.close()
        if text is None:
            parts.join(draft)
            return
        try:
            write_rows(parts.schema, parts.batches(), draft, encoding, text)
        except UnicodeEncodeError:
            raise unencodable(encoding, [column.name for column in parts.schema]) from None


def collected(data: BlockTable) -> pa.Table:
    """Return a large table as one Arrow table, in memory."""
    tables = list(_arrow_blocks(data, to_arrow))
    schema = tables[0].schema
    for table in tables[1:]:
        schema = _wider(schema, table.schema)
    return pa.concat_tables([_as(table, schema) for table in tables])


def _wider(first: pa.Schema, second: pa.Schema) -> pa.Schema:
    pairs = zip(first, second, strict=True)
    return pa.schema([column.with_type(wider(column.type, other.type)) for column, other in pairs])


def _arrow_blocks(data: BlockTable, out: Callable[[Microdata], pa.Table]) -> Iterator[pa.Table]:
    chain = data.chain(data.kept)
    return in_turn(
        lambda part: out(chain.block(part[0], part[1])), data.source.blocks(chain.needed)
    )


class _Parts:
    """Parquet files with the same columns: a new one begins where a type has to be wider."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.paths, self.rows = folder, list[Path](), 0
        self.schema = pa.schema([])
        self.writer: pq.ParquetWriter | None = None

    def add(self, table: pa.Table) -> None:
        """Write a block."""
        schema = table.schema
        if self.writer is not None and schema != self.schema:
            schema = _wider(self.schema, schema)
        if self.writer is None or schema != self.schema:
            self.close()
            self.schema = schema
            self.paths.append(self.folder / f"{len(self.paths)}.parquet")
            self.writer = _writer(self.paths[-1], schema)
        self.writer.write_table(_as(table, self.schema))
        self.rows += table.num_rows

    def close(self) -> None:
        """End the last file."""
        if self.writer is not None:
            self.writer.close()
            self.writer = None

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all records in the types of the last file."""
        for path in self.paths:
            with pq.ParquetFile(path, pre_buffer=False) as file:
                for batch in file.iter_batches(_BATCH):
                    table = _as(pa.Table.from_batches([batch]), self.schema)
                    yield from table.combine_chunks().to_batches()

    def join(self, target: Path) -> None:
        """Make one file of all."""
        if len(self.paths) == 1:
            self.paths[0].chmod(target.stat().st_mode)
            self.paths[0].replace(target)
            return
        with _writer(target, self.schema) as writer:
            for batch in self.batches():
                writer.write_batch(batch)


def _as(table: pa.Table, schema: pa.Schema) -> pa.Table:
    columns = [widened(c, column.type) for c, column in zip(table.columns, schema, strict=True)]
    return pa.table(columns, schema=schema)


def _writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    # Masked numbers are all different: looking for equal ones would take most of the time.
    coded = [column.name for column in schema if not pa.types.is_floating(column.type)]
    return pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=coded)
