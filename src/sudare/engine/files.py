"""The door: ``read`` takes a path or a frame, ``write`` makes a file, whole or not at all."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack, cast, overload

from sudare.core import InputError, LargeTable, Microdata, Role, Scale, SettingError, unknown_name
from sudare.engine.formats import (
    READERS,
    WRITERS,
    read_delimited,
    read_excel,
    read_parquet,
    read_statfile,
    write_delimited,
    write_excel,
    write_parquet,
    write_statfile,
    writing,
)
from sudare.engine.frames import (
    AbsentWords,
    ColumnType,
    FrameOrigin,
    ReadOptions,
    Words,
    from_arrow,
    is_spark,
    is_text,
    read_frame,
)
from sudare.engine.large import (
    BlockTable,
    FileTable,
    MemoryBudget,
    OnRecords,
    delimited_table,
    parquet_table,
    write_large,
)

_TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": ","}
_PARQUET = {".parquet", ".pq"}
_EXCEL = {".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"}
_MEMORY = "4GB"  # that work on a large table may take
FORMATS = (*_TEXT, *sorted(_PARQUET), *sorted(_EXCEL), *READERS)


class FileOptions(TypedDict, total=False):
    """What may be said about a file; what is not said is found out."""

    encoding: str
    separator: str
    skip_rows: int
    sheet: str | int
    find_types: bool


class Reading(FileOptions, total=False):
    """What may be said about a table; see :func:`read`."""

    roles: Mapping[str, Role]
    scales: Mapping[str, Scale]
    orders: Mapping[str, Iterable[str]]
    weights: str | None
    household: str | None
    missing: Words
    not_applicable: Words
    types: Mapping[str, ColumnType]


_ABOUT = tuple(name for name in Reading.__annotations__ if name not in FileOptions.__annotations__)


def read(
    source: object,
    *,
    roles: Mapping[str, Role] | None = None,
    scales: Mapping[str, Scale] | None = None,
    orders: Mapping[str, Iterable[str]] | None = None,
    weights: str | None = None,
    household: str | None = None,
    missing: Words = (),
    not_applicable: Words = (),
    types: Mapping[str, ColumnType] | None = None,
    **file: Unpack[FileOptions],
) -> Microdata:
    """Read a table from a file or a frame.

    Parameters
    ----------
    source
        A path (CSV, TSV, Parquet, Excel, SPSS, Stata, SAS) or a pandas, Polars, PyArrow or DuckDB
        frame.
    roles
        By column: "identifier", "key", "sensitive", "weight", "household" or "other" (default).
    scales
        By column: "nominal", "ordinal", "interval" or "ratio"; by default labels are nominal,
        numbers ratio and dates interval. Numbers on a nominal or ordinal scale become categories.
    orders
        By column, the labels of an ordinal variable from lowest to highest.
    weights, household
        Names of the columns with sampling weights and household numbers.
    missing, not_applicable
        Words that mean "no answer" and "cannot have one": for all columns, or by column ("*" for
        all). An empty cell is missing, unless ``not_applicable`` has the empty word.
    types
        By column: "number", "integer", "text" or "date". Cells are read as people write them
        (1,234, △5, 令和6年4月1日), and a cell that is no such value is refused.
    file
        For files: ``encoding`` and ``separator`` (else detected), ``skip_rows`` (lines above the
        header, else found), ``sheet`` (name or number, else the first), ``find_types`` (whether
        text that holds numbers or dates becomes such: by default in CSV and TSV only).

    Examples
    --------
    >>> import polars as pl, sudare
    >>> frame = pl.DataFrame({"age": [31, 40], "city": ["Kyoto", "Nara"]})
    >>> sudare.read(frame, roles={"age": "key"})
    <Microdata 2 rows × 2 columns: 1 key, 1 other>
    """
    options = _read_options(
        roles, scales, orders, weights, household, missing, not_applicable, types
    )
    _check_options(file)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        with _readable(path):
            return _read_file(path, options, file)
    return read_frame(source, options)


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
        A Parquet, CSV or TSV file, or a Spark frame. Text files are converted once, in a temporary
        folder that takes about a third of their size. A Spark frame is masked and counted by the
        executors, and ``to_frame`` of the masked table gives a Spark frame again.
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
    remaining: dict[str, Any] = dict(reading)
    about = {name: remaining.pop(name) for name in _ABOUT if name in remaining}
    file = cast("FileOptions", remaining)
    _check_options(file)
    options = _read_options(**about)
    if not isinstance(source, str | os.PathLike):
        return _open_frame(source, options, row_number)
    path = Path(source)
    with _readable(path):
        return _open_file(path, options, file, MemoryBudget(byte_count(memory)))


def byte_count(size: int | str) -> int:
    """Return a size such as "8GB" in bytes.

    Examples
    --------
    >>> byte_count("1.5 GB"), byte_count(1000)
    (1610612736, 1000)
    """
    found = re.fullmatch(r"([0-9.]+) *([kmgt]?)i?b?", str(size).strip().lower())
    try:
        number = float(found[1]) if found else 0.0
    except ValueError:
        number = 0.0
    if found is None or number <= 0:
        raise SettingError("memory must be a size such as 8GB or 500MB.")
    return int(number * 1024 ** " kmgt".index(found[2] or " "))


def write(
    data: Microdata | LargeTable,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    encoding: str = "utf-8",
    on_records: OnRecords | None = None,
) -> Path:
    """Write a table to a file whose name says the format; it appears whole or not at all.

    Parameters
    ----------
    data
        The table; a large one goes out block by block, as Parquet or text.
    path
        Where to; the ending says the format (.csv, .tsv, .parquet, .xlsx, .sav, .dta, .xpt).
    overwrite
        Whether a file of that name may be replaced.
    encoding
        For text files; "utf-8", "utf-8-sig" (for Excel) or "cp932" for example.
    on_records
        Of a large table, called now and then with (records written, records in all).
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in {*_TEXT, *_PARQUET, ".xlsx", *READERS}:
        raise SettingError(
            "cannot write '{suffix}' files; use one of {known}.",
            suffix=suffix,
            known=", ".join([*_TEXT, ".parquet", ".xlsx", *WRITERS]),
        )
    if isinstance(data, LargeTable) and suffix not in {*_TEXT, *_PARQUET}:
        raise SettingError("large tables are written as Parquet or text; use .parquet or .csv.")
    with writing(target, overwrite=overwrite) as draft:
        if isinstance(data, BlockTable):
            separator = _TEXT.get(suffix)
            write_large(data, draft, text=separator, encoding=encoding, on_records=on_records)
        elif not isinstance(data, Microdata):
            raise TypeError(type(data).__name__)
        elif suffix in _TEXT:
            write_delimited(data, draft, encoding=encoding, separator=_TEXT[suffix])
        elif suffix in _PARQUET:
            write_parquet(data, draft)
        elif suffix in _EXCEL:
            write_excel(data, draft)
        else:
            write_statfile(data, draft, suffix)
    return target


def _read_file(path: Path, options: ReadOptions, file: FileOptions) -> Microdata:
    _check_there(path)
    suffix = path.suffix.lower()
    if suffix in _TEXT:
        table, layout = read_delimited(
            path,
            encoding=file.get("encoding"),
            separator=file.get("separator"),
            skip_rows=file.get("skip_rows"),
        )
        options = replace(
            options, text=frozenset(layout.names), untyped=file.get("find_types", True)
        )
        return from_arrow(table, options, FrameOrigin("polars", notes=layout.notes))
    if suffix in _PARQUET:
        table, text = read_parquet(path)
        options = replace(options, text=text, untyped=file.get("find_types", False))
        return from_arrow(table, options, FrameOrigin("polars"))
    if suffix in _EXCEL:
        table = read_excel(path, sheet=file.get("sheet"), skip_rows=file.get("skip_rows"))
        text = frozenset(field.name for field in table.schema if is_text(field.type))
        options = replace(options, text=text, untyped=file.get("find_types", False))
        return from_arrow(table, options, FrameOrigin("polars"))
    if suffix in READERS:
        table, origin = read_statfile(path, file.get("encoding"))
        return from_arrow(table, options, origin)
    raise InputError(
        "cannot tell the format of '{path}' from its ending; use one of {known}.",
        path=str(path),
        known=", ".join(FORMATS),
    )


def _open_file(
    path: Path, options: ReadOptions, file: FileOptions, budget: MemoryBudget
) -> FileTable:
    _check_there(path)
    suffix = path.suffix.lower()
    if suffix in _PARQUET:
        return parquet_table(path, options, find_types=file.get("find_types", False), budget=budget)
    if suffix in _TEXT:
        return delimited_table(
            path,
            options,
            find_types=file.get("find_types", True),
            budget=budget,
            encoding=file.get("encoding"),
            separator=file.get("separator"),
            skip_rows=file.get("skip_rows"),
        )
    raise InputError(
        "only Parquet and text files can be read in blocks, and '{path}' is neither; convert it, "
        "or read it whole.",
        path=str(path),
    )


def _open_frame(frame: object, options: ReadOptions, row_number: str | None) -> BlockTable:
    if not is_spark(frame):
        raise InputError(
            "cannot open a {type}; open a path or a Spark frame, and read other frames.",
            type=type(frame).__name__,
        )
    from sudare.engine.spark import read_spark

    return read_spark(frame, options, row_number)


def _check_there(path: Path) -> None:
    if path.is_dir():
        raise InputError("'{path}' is a directory; give a file.", path=str(path))
    if not path.exists():
        raise InputError("there is no file '{path}'.", path=str(path))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            "'{path}' could not be read: {reason}.",
            path=str(path),
            reason=error.strerror or type(error).__name__,
        ) from error


def _read_options(
    roles: Mapping[str, Role] | None = None,
    scales: Mapping[str, Scale] | None = None,
    orders: Mapping[str, Iterable[str]] | None = None,
    weights: str | None = None,
    household: str | None = None,
    missing: Words = (),
    not_applicable: Words = (),
    types: Mapping[str, ColumnType] | None = None,
) -> ReadOptions:
    return ReadOptions(
        roles=_all_roles(roles, weights, household),
        scales=scales or {},
        orders={name: tuple(map(str, order)) for name, order in (orders or {}).items()},
        missing=AbsentWords.of("missing", missing),
        not_applicable=AbsentWords.of("not_applicable", not_applicable),
        types=types or {},
    )


def _check_options(file: FileOptions) -> None:
    for name in file:
        if name not in FileOptions.__annotations__:
            raise unknown_name("option", name, FileOptions.__annotations__)
    if file.get("skip_rows", 0) < 0:
        raise SettingError("skip_rows must be 0 or more, got {value}.", value=file["skip_rows"])


def _all_roles(
    roles: Mapping[str, Role] | None, weights: str | None, household: str | None
) -> dict[str, Role]:
    named: dict[str, Role] = dict(roles or {})
    if weights is not None:
        named[weights] = "weight"
    if household is not None:
        named[household] = "household"
    return named


open = open_table  # what ``sudare.open`` is
