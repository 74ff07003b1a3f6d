"""Tables in memory: read from a path or a frame, and written to a file, whole or not at all."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack, cast

import numpy as np
import pyarrow as pa

from sudare.core import (
    Draws,
    InputError,
    Integers,
    LargeTable,
    Microdata,
    Role,
    Scale,
    SettingError,
    by_column,
    check_table,
)
from sudare.engine.formats import (
    READERS,
    WRITERS,
    ReleasedForm,
    check_there,
    layout_of,
    read_delimited,
    read_excel,
    read_parquet,
    read_statfile,
    released_form,
    restored,
    undated,
    write_delimited,
    write_excel,
    write_parquet,
    write_statfile,
    writing,
)
from sudare.engine.frames import (
    SUPPRESSED,
    ColumnType,
    FileOptions,
    FrameOrigin,
    Marks,
    ReadOptions,
    Words,
    from_arrow,
    is_text,
    read_frame,
    stated,
    suspected_totals,
    totals_noted,
)
from sudare.engine.large import BlockTable, OnRecords, OutputForm, write_large

TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": ","}
PARQUET = {".parquet", ".pq"}
EXCEL = {".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"}
FORMATS = (*TEXT, *sorted(PARQUET), *sorted(EXCEL), *READERS)


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
        (1,234, △5, 令和6年4月1日), and a cell that is not such a value is refused.
    file
        For files: ``encoding`` and ``separator`` (else detected), ``skip_rows`` (lines above the
        header, else found), ``header_rows`` (lines of names, which are joined; else found),
        ``totals`` (rows of totals: around the records they are left out unless "keep" is stated;
        with "skip", records among others that may be totals are left out too),
        ``sheet`` (name or number, else the first), ``find_types`` (whether
        text that holds numbers or dates becomes such: by default in CSV and TSV only),
        ``released`` (whether text that a release escapes for spreadsheets is restored). A ledger
        or recipe beside a released file tells that, and the word for suppressed values.

    Examples
    --------
    >>> import polars as pl, sudare
    >>> frame = pl.DataFrame({"age": [31, 40], "city": ["Kyoto", "Nara"]})
    >>> sudare.read(frame, roles={"age": "key"})
    <Microdata 2 rows × 2 columns: 1 key, 1 other>
    """
    options, file = stated(
        {
            "roles": by_column("roles", roles),
            "scales": by_column("scales", scales),
            "orders": by_column("orders", orders),
            "weights": weights,
            "household": household,
            "missing": missing,
            "not_applicable": not_applicable,
            "types": by_column("types", types),
            **file,
        }
    )
    if not isinstance(source, str | os.PathLike):
        data = read_frame(source, options)
        about: Any = data.origin
        data = replace(data, origin=replace(about, reading=options.as_dict()))
        return _totals_told(data, data.take, file)
    path = Path(source)
    with readable(path):
        check_there(path)
        form = released_form(path)
        table, own, origin = _loaded(path, *as_released(options, file, form))
        data = from_arrow(table, own, origin)
        data = _totals_told(data, lambda rows: from_arrow(table.take(rows), own, origin), file)
        about = data.origin
        said = {**options.as_dict(), **file, **about.reading}
        shuffled = form is not None and form.shuffled
        about = replace(about, reading=said, is_shuffled=shuffled, path=str(path.resolve()))
        return replace(data, origin=about)


def _totals_told(
    data: Microdata, read_only: Callable[[Integers], Microdata], file: FileOptions
) -> Microdata:
    """Return the table with a note on records that may be totals, and without them if stated.

    Where they are the reason that a column is not of numbers, no other note asks for words there.
    """
    rows = np.array([], np.int64) if file.get("totals") == "keep" else suspected_totals(data)
    if not len(rows):
        return data
    others = read_only(np.delete(np.arange(data.rows), rows))
    left_out = file.get("totals") == "skip"
    pairs = zip(data.columns, others.columns, strict=True)
    retyped = [column.name for column, other in pairs if type(column) is not type(other)]
    chosen = others if left_out else data
    origin: Any = chosen.origin
    notes = [n for n in origin.notes if left_out or not any(name in n for name in retyped)]
    noted = (*notes, *totals_noted(rows, left_out=left_out))
    return replace(chosen, origin=replace(origin, notes=noted))


def write(
    data: Microdata | LargeTable,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    encoding: str = "utf-8",
    private: bool = False,
    marked: Marks = MappingProxyType({}),
    on_records: OnRecords | None = None,
) -> Path:
    """Write a table to a file whose name says the format; it appears whole or not at all.

    A plain writer: it looks at nothing, keeps the order of the records and writes every column.
    What is to be released goes through :func:`sudare.publish`, ``sudare mask`` or ``sudare
    report``, which pass the gate.

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
    private
        Whether only the owner may read the file.
    marked
        As for :func:`write_released`.
    on_records
        Of a large table, called now and then with (records written, records in all).
    """
    target = Path(path)
    if not isinstance(data, BlockTable):
        check_table("write", data)
    check_format(target, large=isinstance(data, LargeTable))
    with writing(target, overwrite=overwrite, private=private) as draft:
        _write(data, draft, target.suffix.lower(), encoding, on_records, marked=marked)
    return target


def write_released(
    data: Microdata | LargeTable,
    path: str | os.PathLike[str],
    *,
    order: Draws | None,
    marked: Marks = MappingProxyType({}),
    overwrite: bool = False,
    encoding: str = "utf-8",
    on_records: OnRecords | None = None,
) -> Path:
    """Write a table for release: nothing in the file but its values.

    Text that spreadsheets would run is escaped in CSV and Excel files; Parquet files have no
    statistics, and no file has the time of its writing or categories that do not occur.

    Parameters
    ----------
    data, path, overwrite, encoding, on_records
        As for :func:`write`.
    order
        The draws by which a large table is put in another order while it is written; None for
        tables that are written as they are.
    marked
        By column of numbers, which blanks are suppressed values; they get a word in files that
        hold text.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    check_format(target, large=isinstance(data, LargeTable))
    with writing(target, overwrite=overwrite) as draft:
        _write(data, draft, suffix, encoding, on_records, released=True, order=order, marked=marked)
        if suffix in WRITERS:
            undated(draft, suffix)
    return target


def check_format(target: Path, *, large: bool = False) -> None:
    """Refuse a file whose ending names no format that tables are written in."""
    suffix = target.suffix.lower()
    if suffix not in {*TEXT, *PARQUET, ".xlsx", *READERS}:
        raise SettingError(
            "cannot write '{suffix}' files; use one of {known}.",
            suffix=suffix,
            known=", ".join([*TEXT, ".parquet", ".xlsx", *WRITERS]),
        )
    if large and suffix not in {*TEXT, *PARQUET}:
        raise SettingError("large tables are written as Parquet or text; use .parquet or .csv.")


def _write(
    data: Microdata | LargeTable,
    draft: Path,
    suffix: str,
    encoding: str,
    on_records: OnRecords | None,
    *,
    released: bool = False,
    order: Draws | None = None,
    marked: Marks = MappingProxyType({}),
) -> None:
    if isinstance(data, BlockTable):
        form = OutputForm(TEXT.get(suffix), encoding, released=released, order=order)
        write_large(data, draft, form, on_records)
    elif not isinstance(data, Microdata):
        raise TypeError(type(data).__name__)
    elif suffix in TEXT:
        how = {"encoding": encoding, "separator": TEXT[suffix]}
        write_delimited(data, draft, **how, escape=released, marked=marked)
    elif suffix in PARQUET:
        write_parquet(data, draft, statistics=not released)
    elif suffix in EXCEL:
        write_excel(data, draft, escape=released, marked=marked)
    else:
        write_statfile(data, draft, suffix)


def as_released(
    options: ReadOptions, file: FileOptions, form: ReleasedForm | None
) -> tuple[ReadOptions, FileOptions]:
    """Return how a file is read: what is beside a released one tells encoding and suppressed."""
    if form is None:
        return options, file
    missing = options.missing.and_in(form.suppressed, SUPPRESSED)
    told = cast("FileOptions", {"released": True, "encoding": form.encoding, **file})
    return replace(options, missing=missing), told


def _loaded(
    path: Path, options: ReadOptions, file: FileOptions
) -> tuple[pa.Table, ReadOptions, FrameOrigin]:
    """Return what a file holds, how its columns are read, and where they are from."""
    suffix = path.suffix.lower()
    is_escaped = file.get("released", False)
    if suffix in TEXT:
        find_types = file.get("find_types", True)
        as_numbers = options.takes_numbers if find_types else lambda _: False
        table, layout = read_delimited(path, as_numbers=as_numbers, **file)
        table = restored(table) if is_escaped else table
        options = replace(options, text=frozenset(table.column_names), untyped=find_types)
        reading = {**layout.as_read(), "find_types": find_types}
        origin = FrameOrigin("polars", notes=layout.notes, reading=reading)
        return table, options, origin
    if suffix in PARQUET:
        table, text = read_parquet(path)
        options = replace(options, text=text, untyped=file.get("find_types", False))
        return table, options, FrameOrigin("polars")
    if suffix in EXCEL:
        table, notes, layout_read = read_excel(path, **file)
        table = restored(table) if is_escaped else table
        text = frozenset(field.name for field in table.schema if is_text(field.type))
        options = replace(options, text=text, untyped=file.get("find_types", False))
        origin = FrameOrigin("polars", notes=notes, reading=layout_read)
        return table, options, origin
    if suffix in READERS:
        table, about = read_statfile(path, file.get("encoding"))
        return table, options, about
    raise InputError(
        "cannot tell the format of '{path}' from its ending; use one of {known}.",
        path=str(path),
        known=", ".join(FORMATS),
    )


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Say in a sentence why a file cannot be read."""
    try:
        yield
    except OSError as error:
        raise InputError(
            "'{path}' could not be read: {reason}.",
            path=str(path),
            reason=error.strerror or type(error).__name__,
        ) from error


def found_options(path: Path, **file: Unpack[FileOptions]) -> FileOptions:
    """Return how a text file is laid out, where that is not given; what is given stays."""
    if path.suffix.lower() not in TEXT:
        return file
    options = layout_of(path, **file).as_read()
    options.update(file)
    return options
