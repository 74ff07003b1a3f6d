"""Large tables written block by block; the file is the one that the table in memory would give."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sudare.core import Categorical, Draws, Microdata, without_lost_labels
from sudare.engine.counting import in_turn
from sudare.engine.formats import Folder, escaped, unencodable, write_rows
from sudare.engine.frames import (
    MOST_SHORT,
    SHORT,
    in_one_spelling,
    to_arrow,
    to_plain,
    widened,
    wider,
)
from sudare.engine.large.block_table import BlockTable
from sudare.engine.large.survey import joined

_BATCH = 1 << 16
_MOST_TOGETHER = 4_000_000  # records that are sorted in memory at a time
_DRAWN = "\ue001drawn"  # beside the columns of the table while its records are shuffled

# Called with (records written, records in all).
OnRecords = Callable[[int, int], None]


@dataclass(frozen=True)
class OutputForm:
    """How a large table is written.

    Attributes
    ----------
    separator
        Of the columns of delimited text; None for Parquet.
    encoding
        Of text.
    released
        Whether the file is released, and has nothing in it but values.
    order
        The draws by which the records are put in another order; None where they keep theirs.
    """

    separator: str | None
    encoding: str = "utf-8"
    released: bool = False
    order: Draws | None = None

    def of_block(self, block: Microdata) -> pa.Table:
        """Return a block as it is written, or waits to be written in another order."""
        block = in_one_spelling(block) if self.released else block
        if self.separator is None:
            return to_arrow(block, short=self.order is not None)
        return escaped(to_plain(block)) if self.released else to_plain(block)


def write_large(
    data: BlockTable, draft: Path, form: OutputForm, on_records: OnRecords | None = None
) -> None:
    """Write a large table as Parquet or, with a separator, as delimited text."""
    with Folder(draft.parent) as folder:
        data = _listing_what_occurs(data, is_released=form.released)
        parts = _Parts(folder, statistics=not form.released)
        blocks = _arrow_blocks(data, form.of_block)
        for table in blocks if form.order is None else _shuffled(data, form, form.order, folder):
            parts.add(table)
            if on_records:
                on_records(parts.rows, data.records)
        parts.close()
        if form.separator is None:
            parts.join(draft)
            return
        try:
            write_rows(parts.schema, parts.batches(), draft, form.encoding, form.separator)
        except UnicodeEncodeError:
            names = [column.name for column in parts.schema]
            raise unencodable(form.encoding, names) from None


def _shuffled(data: BlockTable, form: OutputForm, order: Draws, folder: Path) -> Iterator[pa.Table]:
    """Yield records in the order of their draws: dealt out to files, each of which is sorted.

    A file holds the records of a range of draws, and no more of them than fit into memory.
    """
    most = min(max(data.budget.records(len(data.kept) + 1), 1), _MOST_TOGETHER)
    numbers = range(-(-2 * data.records // most) or 1)
    piles = [_Pile(folder / f"pile-{number}") for number in numbers]
    chain, few = data.chain(data.kept), {*data.kept}

    def dealt(part: tuple[int, pa.Table]) -> tuple[pa.Table, list[int]]:
        """Return a block with its draws in the order of the piles, and where each of them ends."""
        drawn = order.starting_at(part[0]).uniform("", part[1].num_rows)
        pile_of = np.minimum((drawn * len(piles)).astype(np.uint16), len(piles) - 1)
        coded = _coded(form.of_block(chain.block(*part)), few)
        ends = np.cumsum(np.bincount(pile_of, minlength=len(piles))).tolist()
        rows = pa.array(np.argsort(pile_of, kind="stable"))
        return coded.append_column(_DRAWN, pa.array(drawn)).take(rows), ends

    schema = None
    for table, ends in in_turn(dealt, data.source.blocks(chain.needed)):
        schema = table.schema if schema is None else _wider(schema, table.schema)
        records = _as(table, schema)
        for pile, start, end in zip(piles, [0, *ends], ends, strict=False):
            pile.add(records.slice(start, end - start))
    yield from (records for records in in_turn(_in_order, piles) if records.num_rows)


def _in_order(pile: "_Pile") -> pa.Table:
    """Return the records of a pile in the order of their draws, with texts as texts."""
    records = pile.taken()
    drawn = records.column(_DRAWN).to_numpy()
    low, high = (drawn.min(), drawn.max()) if len(drawn) else (0.0, 0.0)
    # By the upper bits first, which is counting, then the rest is nearly in order.
    upper = ((drawn - low) * (65_535 / ((high - low) or 1.0))).astype(np.uint16)
    order = np.argsort(upper, kind="stable")
    rows = order[np.argsort(drawn[order], kind="stable")]
    shown = records.drop_columns([_DRAWN])
    plain = [c.with_type(pa.string()) if c.type == SHORT else c for c in shown.schema]
    return _as(shown.take(pa.array(rows)), pa.schema(plain))


def _coded(table: pa.Table, few: set[str]) -> pa.Table:
    """Return texts as codes of a byte where a column has few; others leave the list for good."""
    for at, column in enumerate(table.schema):
        if column.name in few and column.type == pa.string():
            codes = joined(table.column(at)).dictionary_encode()
            if len(codes.dictionary) <= MOST_SHORT:
                table = table.set_column(at, column.name, codes.cast(SHORT))
            else:
                few.discard(column.name)
    return table


class _Pile:
    """Records that wait on disk, in files that each have the same columns."""

    def __init__(self, path: Path) -> None:
        self.path, self.paths = path, list[Path]()
        self.writer: pa.ipc.RecordBatchStreamWriter | None = None
        self.schema = pa.schema([])

    def add(self, table: pa.Table) -> None:
        """Write some records."""
        if self.writer is None or table.schema != self.schema:
            self._close()
            self.schema = table.schema
            self.paths.append(self.path.with_suffix(f".{len(self.paths)}"))
            self.writer = pa.ipc.new_stream(self.paths[-1], self.schema)
        self.writer.write_table(table)

    def _close(self) -> None:
        if self.writer is not None:
            self.writer.close()
            self.writer = None

    def taken(self) -> pa.Table:
        """Return all records, and take the files away."""
        self._close()
        tables = []
        for path in self.paths:
            with pa.OSFile(str(path)) as file:
                tables.append(_as(pa.ipc.open_stream(file).read_all(), self.schema))
            path.unlink()
        return pa.concat_tables(tables).unify_dictionaries()


def collected(data: BlockTable) -> pa.Table:
    """Return a large table as one Arrow table, in memory."""
    data = _listing_what_occurs(data, is_released=False)
    tables = list(_arrow_blocks(data, to_arrow))
    schema = tables[0].schema
    for table in tables[1:]:
        schema = _wider(schema, table.schema)
    return pa.concat_tables([_as(table, schema) for table in tables])


def _listing_what_occurs(data: BlockTable, *, is_released: bool) -> BlockTable:
    """Return a table of which types of categories list no label that lost its last record.

    In a release, they list no label that does not occur.
    """
    names = [
        column.name
        for column in data.head.columns
        if isinstance(column, Categorical)
        and isinstance(column.storage, pa.DataType)
        and pa.types.is_dictionary(column.storage)
    ]
    emptied = dict.fromkeys(names) if is_released else data.relabelled
    return without_lost_labels(data, names, emptied)


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

    def __init__(self, folder: Path, *, statistics: bool) -> None:
        self.folder, self.paths, self.rows = folder, list[Path](), 0
        self.statistics = statistics
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
            self.writer = _writer(self.paths[-1], schema, statistics=self.statistics)
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
        with _writer(target, self.schema, statistics=self.statistics) as writer:
            for batch in self.batches():
                writer.write_batch(batch)


def _as(table: pa.Table, schema: pa.Schema) -> pa.Table:
    columns = [widened(c, column.type) for c, column in zip(table.columns, schema, strict=True)]
    return pa.table(columns, schema=schema)


def _writer(path: Path, schema: pa.Schema, *, statistics: bool) -> pq.ParquetWriter:
    # Masked numbers are all different: looking for equal ones would take most of the time.
    coded = [column.name for column in schema if not pa.types.is_floating(column.type)]
    return pq.ParquetWriter(
        path, schema, compression="zstd", use_dictionary=coded, write_statistics=statistics
    )
