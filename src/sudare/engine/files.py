"""The door: ``read`` takes a path or a frame, ``write`` makes a file, whole or not at all."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

from sudare.core.errors import InputError, SettingError, unknown_name
from sudare.core.microdata import Microdata
from sudare.core.types import Role, Scale
from sudare.engine.atomic import writing
from sudare.engine.delimited import read_delimited, write_delimited
from sudare.engine.excel import read_excel, write_excel
from sudare.engine.frames import FrameOrigin, read_frame
from sudare.engine.incoming import Asked, from_arrow
from sudare.engine.kinds import is_text
from sudare.engine.parquet import read_parquet, write_parquet
from sudare.engine.statfiles import READERS, WRITERS, read_statfile, write_statfile

_TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": ","}
_PARQUET = {".parquet", ".pq"}
_EXCEL = {".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"}
FORMATS = (*_TEXT, *sorted(_PARQUET), *sorted(_EXCEL), *READERS)


class FileOptions(TypedDict, total=False):
    """What may be said about a file; what is not said is found out."""

    encoding: str
    separator: str
    skip_rows: int
    sheet: str | int
    find_types: bool


def read(
    source: object,
    *,
    roles: Mapping[str, Role] | None = None,
    scales: Mapping[str, Scale] | None = None,
    orders: Mapping[str, Iterable[str]] | None = None,
    weights: str | None = None,
    household: str | None = None,
    missing: Iterable[str] = (),
    not_applicable: Iterable[str] = (),
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
        Words that stand for "no answer" and "cannot have one"; an empty cell is always missing.
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
    asked = Asked(
        roles=_all_roles(roles, weights, household),
        scales=scales or {},
        orders={name: tuple(map(str, order)) for name, order in (orders or {}).items()},
        missing=_words("missing", missing),
        not_applicable=_words("not_applicable", not_applicable),
    )
    _check_options(file)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        try:
            return _read_file(path, asked, file)
        except OSError as error:
            raise InputError(
                "'{path}' could not be read: {reason}.",
                path=str(path),
                reason=error.strerror or type(error).__name__,
            ) from error
    return read_frame(source, asked)


def write(
    data: Microdata,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    encoding: str = "utf-8",
) -> Path:
    """Write a table to a file whose name says the format; it appears whole or not at all.

    Parameters
    ----------
    data
        The table.
    path
        Where to; the ending says the format (.csv, .tsv, .parquet, .xlsx, .sav, .dta, .xpt).
    overwrite
        Whether a file of that name may be replaced.
    encoding
        For text files; "utf-8", "utf-8-sig" (for Excel) or "cp932" for example.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in {*_TEXT, *_PARQUET, ".xlsx", *READERS}:
        raise SettingError(
            "cannot write '{suffix}' files; use one of {known}.",
            suffix=suffix,
            known=", ".join([*_TEXT, ".parquet", ".xlsx", *WRITERS]),
        )
    with writing(target, overwrite=overwrite) as draft:
        if suffix in _TEXT:
            write_delimited(data, draft, encoding=encoding, separator=_TEXT[suffix])
        elif suffix in _PARQUET:
            write_parquet(data, draft)
        elif suffix in _EXCEL:
            write_excel(data, draft)
        else:
            write_statfile(data, draft, suffix)
    return target


def _read_file(path: Path, asked: Asked, file: FileOptions) -> Microdata:
    if path.is_dir():
        raise InputError("'{path}' is a directory; give a file.", path=str(path))
    if not path.exists():
        raise InputError("there is no file '{path}'.", path=str(path))
    suffix = path.suffix.lower()
    if suffix in _TEXT:
        table, layout = read_delimited(
            path,
            encoding=file.get("encoding"),
            separator=file.get("separator"),
            skip_rows=file.get("skip_rows"),
        )
        asked = replace(asked, text=frozenset(layout.names), untyped=file.get("find_types", True))
        return from_arrow(table, asked, FrameOrigin("polars", notes=layout.notes))
    if suffix in _PARQUET:
        table, text = read_parquet(path)
        asked = replace(asked, text=text, untyped=file.get("find_types", False))
        return from_arrow(table, asked, FrameOrigin("polars"))
    if suffix in _EXCEL:
        table = read_excel(path, sheet=file.get("sheet"), skip_rows=file.get("skip_rows"))
        text = frozenset(field.name for field in table.schema if is_text(field.type))
        asked = replace(asked, text=text, untyped=file.get("find_types", False))
        return from_arrow(table, asked, FrameOrigin("polars"))
    if suffix in READERS:
        table, origin = read_statfile(path, file.get("encoding"))
        return from_arrow(table, asked, origin)
    raise InputError(
        "cannot tell the format of '{path}' from its ending; use one of {known}.",
        path=str(path),
        known=", ".join(FORMATS),
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


def _words(setting: str, given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise SettingError("{setting} must be a list of words.", setting=setting)
    return tuple(map(str, given))
