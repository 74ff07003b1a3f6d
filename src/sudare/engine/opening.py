"""Tables in blocks, and the choice between memory and blocks: it is made here and nowhere else."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Unpack, overload

from sudare.core import InputError, Microdata, say
from sudare.engine.files import PARQUET, TEXT, as_released, read, readable
from sudare.engine.formats import check_there, released_form
from sudare.engine.frames import FileOptions, Reading, ReadOptions, is_spark, stated
from sudare.engine.large import (
    BlockTable,
    FileTable,
    MemoryBudget,
    byte_count,
    delimited_table,
    half_of_memory,
    parquet_table,
    size_in_memory,
)

_MEMORY = "4GB"  # that work on a large table may take

_SMALL = 1 << 20  # bytes


@overload
def open_table(
    source: str | os.PathLike[str], *, memory: int | str = ..., **reading: Unpack[Reading]
) -> FileTable: ...


@overload
def open_table(
    source: object, *, row_number: str | None = None, **reading: Unpack[Reading]
) -> BlockTable: ...


def open_table(
    source: object,
    *,
    memory: int | str = _MEMORY,
    row_number: str | None = None,
    **reading: Unpack[Reading],
) -> BlockTable:
    """Open a table that need not fit in memory; it is read in blocks, whenever that is needed.

    Row-wise methods, counts and everything made of counts work on it as on a table in memory, and
    the same seed gives the same file. What needs all records side by side says so;
    ``table.sample(rows)`` then gives a table in memory.

    Parameters
    ----------
    source
        A Parquet, CSV or TSV file, or a Spark frame. Text files are converted once, into a
        temporary file without a name that takes about a third of their size. A Spark frame is
        masked and counted by the executors, and ``to_frame`` of the masked table gives a Spark
        frame again.
    memory
        Bytes that the process may take while it works on the table, as a number or "4GB", at least
        "1GB": libraries, blocks of records, distinct values and counts, but not what you keep
        besides. What would need more is refused. Not for Spark, which has settings of its own.
    row_number
        Of a Spark frame, a column that numbers the rows 0, 1, 2 and so on. Without it they are
        numbered as they stand, which needs a frame that comes out the same each time, as one read
        from files does.
    reading
        What may be said about the table: as in :func:`read`.

    Examples
    --------
    >>> import tempfile, sudare
    >>> path = Path(tempfile.mkdtemp()) / "toy.parquet"
    >>> path = sudare.write(sudare.datasets.toy(), path)
    >>> table = sudare.open(path, roles={"region": "key", "sex": "key"})
    >>> masked = sudare.apply(table, sudare.mask.Pram(retain=0.9), seed=7)
    >>> sudare.write(masked.data, path.with_name("masked.parquet")).name
    'masked.parquet'
    """
    options, file = stated(reading)
    if is_spark(source):
        from sudare.engine.spark import read_spark

        return replace(read_spark(source, options, row_number), reading=options.as_dict())
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            "cannot open a {type}; open a path or a Spark frame, and read other frames.",
            type=type(source).__name__,
        )
    path = Path(source)
    with readable(path):
        check_there(path)
        form = released_form(path)
        own, about_file = as_released(options, file, form)
        table = _open_file(path, own, about_file, MemoryBudget(byte_count(memory)))
        said = {**options.as_dict(), **file, **table.reading}
        return replace(table, reading=said, is_shuffled=form is not None and form.shuffled)


def read_or_open(
    source: object,
    *,
    memory: int | str | None = None,
    beside: str | os.PathLike[str] | None = None,
    **reading: Unpack[Reading],
) -> Microdata | BlockTable:
    """Read a table into memory if it fits there, else open it in blocks.

    Parameters
    ----------
    source
        A path or a frame. Frames in memory are read, Spark frames opened, and files that cannot be
        read in blocks are read.
    memory
        Bytes that the process may take, as a number or "4GB", at least "1GB"; by default half of
        what the machine has.
    beside
        A file that this table is to be compared with: both are read or both are opened.
    reading
        What may be said about the table: as in :func:`read`.

    Examples
    --------
    >>> import tempfile, sudare
    >>> path = Path(tempfile.mkdtemp()) / "toy.csv"
    >>> path = sudare.write(sudare.datasets.toy(), path)
    >>> sudare.read_or_open(path, memory="2GB")
    <Microdata 400 rows × 10 columns: 10 other>
    """
    if not isinstance(source, str | os.PathLike):
        return open_table(source, **reading) if is_spark(source) else read(source, **reading)
    files = [Path(path) for path in (source, beside) if path is not None]
    texts = [path for path in files if path.suffix.lower() in TEXT and path.is_file()]
    small = texts == files and all(path.stat().st_size <= _SMALL for path in files)
    if memory is None and small:  # every machine has the memory for it
        return read(source, **reading)
    limit = half_of_memory() if memory is None else byte_count(memory)
    most = MemoryBudget(limit).free
    if all(size_in_memory(path) <= most for path in files):
        return read(source, **reading)
    table = open_table(source, memory=limit, **reading)
    notes = (*table.notes, say("read in blocks, as it would not fit in memory"))
    return replace(table, source=replace(table.source, remarks=notes))


def _open_file(
    path: Path, options: ReadOptions, file: FileOptions, budget: MemoryBudget
) -> FileTable:
    suffix = path.suffix.lower()
    if suffix in PARQUET:
        return parquet_table(path, options, find_types=file.get("find_types", False), budget=budget)
    if suffix in TEXT:
        return delimited_table(
            path,
            options,
            find_types=file.get("find_types", True),
            budget=budget,
            is_escaped=file.get("released", False),
            file=file,
        )
    raise InputError(
        "only Parquet and text files can be read in blocks, and '{path}' is neither; convert it, "
        "or read it whole.",
        path=str(path),
    )


open = open_table  # what ``sudare.open`` is
