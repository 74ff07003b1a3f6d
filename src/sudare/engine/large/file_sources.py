"""Records in files that are read piece by piece: Parquet, text that was read once, or two files."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sudare.engine.counting import Threads, in_turn, products_on_one_thread
from sudare.engine.formats import UnnamedFile, sound_parquet
from sudare.engine.frames import is_text
from sudare.engine.large.block_source import BESIDE, Source
from sudare.engine.large.survey import Blocks, joined

_BLOCK_ROWS = 1 << 17
_LOOKED_AT = 1 << 12  # texts of a column that tell whether most of them differ


@dataclass(frozen=True, eq=False, kw_only=True)
class FileSource(Source):
    """Records in a file, in pieces that can be read by themselves.

    Attributes
    ----------
    remarks
        What the border had to guess or skip.
    block_rows
        How many records a block has at most.
    """

    remarks: tuple[str, ...] = ()
    block_rows: int = _BLOCK_ROWS

    @property
    @abstractmethod
    def text_bytes(self) -> int:
        """Bytes of text that is not kept as codes."""

    @property
    @abstractmethod
    def piece_rows(self) -> list[int]:
        """Number of records of each piece."""

    @abstractmethod
    def _open(self) -> Any:
        """Give what pieces are read from, as long as a context lasts."""

    @abstractmethod
    def _batches(self, file: Any, names: Sequence[str], piece: int | None) -> Iterable[Any]:
        """Return the record batches of some columns of a piece, or of all pieces."""

    @cached_property
    def records(self) -> int:
        """Number of records."""
        return sum(self.piece_rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the border had to guess or skip, in sentences."""
        return self.remarks

    def gathered(self, work: Callable[[Blocks], Any], names: Sequence[str]) -> list[Any]:
        """Run work over the pieces, one thread per core."""
        rows = self.piece_rows
        starts = (end - size for end, size in zip(accumulate(rows), rows, strict=True))
        pieces, lock = enumerate(starts), Lock()

        def taken() -> tuple[int, int] | None:
            with lock:
                return next(pieces, None)

        def part(_: int) -> Any:
            return work(self._blocks_of(taken, names))

        threads = min(os.cpu_count() or 1, max(len(rows), 1))
        with products_on_one_thread, Threads(threads) as pool:
            return list(pool.map(part, range(threads)))

    def _blocks_of(
        self, taken: Callable[[], tuple[int, int] | None], names: Sequence[str]
    ) -> Blocks:
        """Yield the blocks of the pieces that no other thread has taken."""
        with self._open() as file:
            for piece, first_row in iter(taken, None):
                yield from _numbered(self._batches(file, names, piece), first_row)

    def blocks(self, names: Sequence[str]) -> Blocks:
        """Yield all blocks in their order, each with the number of its first record."""
        with self._open() as file:
            yield from _numbered(self._batches(file, names, None), 0)

    def beside(self, other: Source) -> Source:
        """Return both files as one source."""
        return PairedSource(self, other) if isinstance(other, FileSource) else super().beside(other)


def _numbered(batches: Iterable[pa.RecordBatch], first_row: int) -> Blocks:
    for batch in batches:
        yield first_row, pa.Table.from_batches([batch])
        first_row += batch.num_rows


@dataclass(frozen=True, eq=False)
class ParquetSource(FileSource):
    """A Parquet file, whose pieces are its row groups."""

    path: Path

    @cached_property
    def _facts(self) -> pq.FileMetaData:
        with sound_parquet(self.path):
            return pq.read_metadata(self.path)

    @cached_property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self._facts.schema.to_arrow_schema()

    @cached_property
    def text_bytes(self) -> int:
        """Bytes of text that is not kept as codes."""
        groups = [self._facts.row_group(number) for number in range(self._facts.num_row_groups)]
        chunks = (group.column(number) for group in groups for number in range(group.num_columns))
        return sum(c.total_uncompressed_size for c in chunks if c.physical_type == "BYTE_ARRAY")

    @cached_property
    def piece_rows(self) -> list[int]:
        """Number of records of each row group."""
        return [self._facts.row_group(i).num_rows for i in range(self._facts.num_row_groups)]

    @contextmanager
    def _open(self) -> Iterator[pq.ParquetFile]:
        texts = [column.name for column in self.schema if is_text(column.type)]
        # Without buffering ahead: else a row group, and then the file, would stay in memory.
        with (
            sound_parquet(self.path),
            pq.ParquetFile(self.path, read_dictionary=texts, pre_buffer=False) as file,
        ):
            yield file

    def _batches(self, file: Any, names: Sequence[str], piece: int | None) -> Iterable[Any]:
        groups = None if piece is None else [piece]
        return file.iter_batches(
            self.block_rows, row_groups=groups, columns=list(names), use_threads=piece is None
        )


class StoredBatch(NamedTuple):
    """Records in a file of pieces: where they begin, their bytes, their number, and of texts."""

    start: int
    size: int
    rows: int
    text_bytes: int


@dataclass(frozen=True, eq=False)
class TextSource(FileSource):
    """Texts that were read once, as codes where they repeat: each piece has its own texts.

    Attributes
    ----------
    file
        Where they are, as long as somebody needs them.
    names, pieces
        Of the columns, and of the file.
    """

    file: UnnamedFile
    names: tuple[str, ...]
    pieces: tuple[StoredBatch, ...]

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return pa.schema([(name, pa.string()) for name in self.names])

    @property
    def text_bytes(self) -> int:
        """Bytes of codes and texts."""
        return sum(piece.text_bytes for piece in self.pieces)

    @property
    def piece_rows(self) -> list[int]:
        """Number of records of each piece."""
        return [piece.rows for piece in self.pieces]

    def _open(self) -> Any:
        return pa.OSFile(str(self.file.path))

    def _batches(self, file: Any, names: Sequence[str], piece: int | None) -> Iterable[Any]:
        fields = [self.names.index(name) for name in names]
        options = pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        for read in self.pieces if piece is None else [self.pieces[piece]]:
            stored = pa.ipc.open_stream(file.read_at(read.size, read.start), options=options)
            yield from stored.read_all().select(list(names)).to_batches(self.block_rows)


def stored_texts(blocks: Iterator[pa.Table]) -> TextSource:
    """Return texts as a source; they go to a file without a name, block by block."""
    file, pieces, names = UnnamedFile(), list[StoredBatch](), tuple[str, ...]()
    with file.path.open("wb") as target, closing(in_turn(_stored, blocks)) as stored:
        for content, batch in stored:
            pieces.append(StoredBatch(target.tell(), content.size, batch.num_rows, batch.nbytes))
            names = tuple(batch.schema.names)
            target.write(content)
    return TextSource(file, names, tuple(pieces))


def _stored(block: pa.Table) -> tuple[pa.Buffer, pa.RecordBatch]:
    """Return a block of texts as a stream, of codes where they repeat, and as it is then."""
    columns = [_coded(joined(column)) for column in block.columns]
    batch = pa.record_batch(columns, block.column_names)
    content = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=False)
    with pa.ipc.new_stream(content, batch.schema, options=options) as stream:
        stream.write_batch(batch)
    return content.getvalue(), batch


def _coded(texts: pa.Array) -> pa.Array:
    """Return texts as codes in the fewest bytes that also have room for the code after the last.

    Texts stay as they are where most of the first differ: looking for equal ones would take most of
    the time.
    """
    first = texts.slice(0, _LOOKED_AT)
    if 2 * len(first.unique()) > len(first) == _LOOKED_AT:
        return texts
    coded = texts.dictionary_encode()
    kind = pa.from_numpy_dtype(np.min_scalar_type(-1 - len(coded.dictionary)))
    return pa.DictionaryArray.from_arrays(coded.indices.cast(kind, safe=False), coded.dictionary)


@dataclass(frozen=True, eq=False)
class PairedSource(Source):
    """Two files with corresponding records, read side by side."""

    before: FileSource
    after: FileSource

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
