"""Files that do not fit in memory, read in blocks of records. CSV becomes Parquet once."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sudare.core import InputError, Parting, Plan, check_names
from sudare.engine.counting import Threads, products_on_one_thread
from sudare.engine.formats import UnnamedFile, restored, scan_delimited, sound_parquet
from sudare.engine.frames import FileOptions, ReadOptions, frame_of, is_text
from sudare.engine.large.block_source import BESIDE, Source
from sudare.engine.large.block_table import BlockTable
from sudare.engine.large.coding import Coding, LookedUp
from sudare.engine.large.combined_texts import CombinedTexts, combined_texts
from sudare.engine.large.masked_blocks import Chain
from sudare.engine.large.memory_budget import MemoryBudget
from sudare.engine.large.output import collected
from sudare.engine.large.parts import masked_in_parts
from sudare.engine.large.survey import Blocks, codings_of

_BLOCK_ROWS = 1 << 17
_CELL_IN_MEMORY = 24  # bytes of a cell of a table in memory: raw, coded and masked
_TEXT_IN_MEMORY = 6  # times the size of text


@dataclass(frozen=True, eq=False)
class ParquetSource(Source):
    """A Parquet file.

    Attributes
    ----------
    path
        The file.
    remarks
        What the border had to guess or skip.
    unnamed
        What holds the file, if it was made for this source and has no name.
    """

    path: Path
    remarks: tuple[str, ...] = ()
    unnamed: UnnamedFile | None = field(default=None, repr=False)
    block_rows: int = _BLOCK_ROWS

    @cached_property
    def _facts(self) -> pq.FileMetaData:
        with sound_parquet(self.path):
            return pq.read_metadata(self.path)

    @cached_property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self._facts.schema.to_arrow_schema()

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self._facts.num_rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the border had to guess or skip, in sentences."""
        return self.remarks

    @cached_property
    def text_bytes(self) -> int:
        """Bytes of text that is not kept as codes."""
        groups = [self._facts.row_group(number) for number in range(self._facts.num_row_groups)]
        chunks = (group.column(number) for group in groups for number in range(group.num_columns))
        return sum(c.total_uncompressed_size for c in chunks if c.physical_type == "BYTE_ARRAY")

    @cached_property
    def starts(self) -> list[int]:
        """Number of the first record of each row group."""
        sizes = [self._facts.row_group(i).num_rows for i in range(self._facts.num_row_groups)]
        return [sum(sizes[:number]) for number in range(len(sizes))]

    def gathered(self, work: Callable[[Blocks], Any], names: Sequence[str]) -> list[Any]:
        """Run work over the row groups, one thread per core."""
        groups = iter(enumerate(self.starts))
        lock = Lock()

        def part(_: int) -> Any:
            return work(self._blocks_of(groups, lock, names))

        threads = min(os.cpu_count() or 1, max(len(self.starts), 1))
        with products_on_one_thread, Threads(threads) as pool:
            return list(pool.map(part, range(threads)))

    def _blocks_of(
        self, groups: Iterator[tuple[int, int]], lock: Lock, names: Sequence[str]
    ) -> Blocks:
        """Yield the blocks of the row groups that no other thread has taken."""
        with self._open() as file:
            while (taken := _taken(groups, lock)) is not None:
                yield from self._read(file, names, taken[1], [taken[0]])

    def blocks(self, names: Sequence[str]) -> Blocks:
        """Yield all blocks in their order, each with the number of its first record."""
        with self._open() as file:
            yield from self._read(file, names, 0, None)

    @contextmanager
    def _open(self) -> Iterator[pq.ParquetFile]:
        texts = [column.name for column in self.schema if is_text(column.type)]
        # Without buffering ahead: else a row group, and then the file, would stay in memory.
        with (
            sound_parquet(self.path),
            pq.ParquetFile(self.path, read_dictionary=texts, pre_buffer=False) as file,
        ):
            yield file

    def _read(
        self, file: pq.ParquetFile, names: Sequence[str], first_row: int, groups: list[int] | None
    ) -> Blocks:
        for batch in file.iter_batches(
            self.block_rows, row_groups=groups, columns=list(names), use_threads=groups is None
        ):
            yield first_row, pa.Table.from_batches([batch])
            first_row += batch.num_rows

    def beside(self, other: Source) -> Source:
        """Return both files as one source."""
        if not isinstance(other, ParquetSource):
            return super().beside(other)
        return PairedSource(self, other)


@dataclass(frozen=True, eq=False)
class PairedSource(Source):
    """Two files with corresponding records, read side by side."""

    before: ParquetSource
    after: ParquetSource

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns of both."""
        renamed = [column.with_name(BESIDE + column.name) for column in self.after.schema]
        return pa.schema([*self.before.schema, *renamed])

    @property
    def records(self) -> int:
        """Number of records."""
        return self.before.records

    def gathered(self, work: Callable[[Blocks], Any], names: Sequence[str]) -> list[Any]:
        """Run work over both files in their order."""
        return [work(self.blocks(names))]

    def blocks(self, names: Sequence[str]) -> Blocks:
        """Yield what both files have of the same records."""
        own = [name for name in names if not name.startswith(BESIDE)]
        others = [name.removeprefix(BESIDE) for name in names if name.startswith(BESIDE)]
        return _side_by_side(self.before.blocks(own), self.after.blocks(others))


def _side_by_side(ones: Blocks, others: Blocks) -> Blocks:
    """Yield what two series of blocks have of the same records."""
    first_row, mine, theirs = 0, None, None
    while True:
        mine = mine if mine is not None and mine.num_rows else _next(ones)
        theirs = theirs if theirs is not None and theirs.num_rows else _next(others)
        if mine is None or theirs is None:
            return
        rows = min(mine.num_rows, theirs.num_rows)
        columns: Mapping[str, Any] = {
            **dict(zip(mine.column_names, mine.slice(0, rows).columns, strict=True)),
            **{
                BESIDE + name: values
                for name, values in zip(
                    theirs.column_names, theirs.slice(0, rows).columns, strict=True
                )
            },
        }
        yield first_row, pa.table(columns)
        first_row += rows
        mine, theirs = mine.slice(rows), theirs.slice(rows)


def _next(blocks: Blocks) -> pa.Table | None:
    block = next(blocks, None)
    return None if block is None else block[1]


@dataclass(frozen=True, eq=False, repr=False)
class FileTable(BlockTable):
    """A table in a file, read in blocks whenever something is computed from it."""

    source: ParquetSource
    combined: list[CombinedTexts] = field(default_factory=list)

    def surveyed(self, fields: Sequence[pa.Field]) -> dict[str, Coding]:
        """Return how raw columns are read; of texts, the combinations are counted along."""
        unknown = [raw_field for raw_field in fields if raw_field.name not in self.codings]
        if len(unknown) > 1 and all(is_text(raw_field.type) for raw_field in unknown):
            combined = combined_texts(unknown, self.source.gathered)
            if combined is not None:
                counted = combined.distinct(self.budget.values(len(unknown)))
                codings = codings_of(unknown, self.options, self.source.gathered, counted)
                self.codings.update(codings)
                if all(isinstance(coding, LookedUp) for coding in codings.values()):
                    self.combined.append(combined)
        return super().surveyed(fields)

    def counting_source(self, chain: Chain) -> Source | CombinedTexts:
        """Return the combinations, where they were counted, for columns that nothing changes."""
        for combined in () if chain.steps else self.combined:
            if {*chain.needed} <= {*combined.names}:
                return combined
        return self.source

    def in_parts(self, parting: Parting, names: Sequence[str]) -> tuple[Plan, list[Any]]:
        """Mask every part by itself; records wait for it in a temporary folder."""
        return masked_in_parts(self.source, self.chain(names), parting)

    def to_frame(self, kind: str | None = None) -> object:
        """Return the whole table as a frame in memory, by default of Polars."""
        return frame_of(collected(self), kind or "polars")


def parquet_table(
    path: Path, options: ReadOptions, *, find_types: bool, budget: MemoryBudget
) -> FileTable:
    """Return a Parquet file as a large table."""
    return _table(ParquetSource(path), options, budget, untyped=find_types)


def delimited_table(
    path: Path,
    options: ReadOptions,
    *,
    find_types: bool,
    budget: MemoryBudget,
    is_escaped: bool = False,
    file: FileOptions,
) -> FileTable:
    """Return a delimited file as a large table; it becomes Parquet once, in a file without name."""
    target = UnnamedFile()

    def convert(blocks: Iterator[pa.Table]) -> None:
        writer: pq.ParquetWriter | None = None
        for raw in blocks:
            block = restored(raw) if is_escaped else raw
            writer = writer or pq.ParquetWriter(target.path, block.schema, write_statistics=False)
            writer.write_table(block)
        if writer is not None:
            writer.close()

    layout_used = scan_delimited(path, convert, **file)
    source = ParquetSource(target.path, layout_used.notes, target)
    reading = {**layout_used.as_read(), "find_types": find_types}
    return replace(_table(source, options, budget, untyped=find_types), reading=reading)


def _table(
    source: ParquetSource, options: ReadOptions, budget: MemoryBudget, *, untyped: bool
) -> FileTable:
    names = source.schema.names
    check_names(names)
    options.check(names)
    if not source.records:
        raise InputError("the table has column names but no rows.")
    texts = frozenset(column.name for column in source.schema if is_text(column.type))
    rows = budget.block_rows(len(names), source.text_bytes / source.records)
    source = replace(source, block_rows=rows)
    options = replace(options, text=texts, untyped=untyped)
    return FileTable(source, options, tuple(names), budget=budget)


def size_in_memory(path: Path) -> int:
    """Return about how many bytes a table in a file would take in memory while it is masked.

    Formats that cannot be read in blocks count as nothing.
    """
    suffix = path.suffix.lower()
    if suffix in {".parquet", ".pq"} and path.is_file():
        facts = ParquetSource(path)
        cells = facts.records * len(facts.schema.names) * _CELL_IN_MEMORY
        return cells + facts.text_bytes * _TEXT_IN_MEMORY
    if suffix in {".csv", ".tsv", ".tab", ".txt"} and path.is_file():
        return path.stat().st_size * _TEXT_IN_MEMORY
    return 0


def _taken(groups: Iterator[tuple[int, int]], lock: Lock) -> tuple[int, int] | None:
    with lock:
        return next(groups, None)
