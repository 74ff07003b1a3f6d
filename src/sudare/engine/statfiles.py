"""SPSS, Stata and SAS files: value labels become categories and go back to their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sudare.core.columns import Categorical
from sudare.core.errors import InputError, OutputError
from sudare.core.microdata import Microdata
from sudare.engine.frames import FrameOrigin, part
from sudare.engine.outgoing import to_arrow

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
WRITERS = {".sav": "write_sav", ".zsav": "write_sav", ".dta": "write_dta", ".xpt": "write_xport"}


@dataclass(frozen=True)
class StatOrigin(FrameOrigin):
    """What a statistics package knows of the columns beyond their values."""

    value_codes: Mapping[str, Mapping[str, float]] | None = None
    descriptions: Mapping[str, str] | None = None


def read_statfile(path: Path, encoding: str | None) -> tuple[pa.Table, StatOrigin]:
    """Return a statistics package's file as an Arrow table with value labels as categories."""
    pyreadstat = part("pyreadstat", "statfiles")
    reader = getattr(pyreadstat, READERS[path.suffix.lower()])
    try:
        frame, meta = reader(str(path), output_format="polars", encoding=encoding)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError):
        raise InputError(
            "'{path}' could not be read as a {suffix} file.", path=str(path), suffix=path.suffix
        ) from None
    table = frame.to_arrow()
    labels = {name: labels for name, labels in meta.variable_value_labels.items() if labels}
    arrays = [
        _labelled(table.column(name), labels.get(name, {}), meta.original_variable_types.get(name))
        for name in table.column_names
    ]
    codes = {
        name: {str(text): float(code) for code, text in labels[name].items()}
        for name, array in zip(table.column_names, arrays, strict=True)
        if pa.types.is_dictionary(array.type)
    }
    described = {n: d for n, d in meta.column_names_to_labels.items() if d}
    origin = StatOrigin("polars", value_codes=codes, descriptions=described)
    return pa.table(arrays, names=table.column_names), origin


def write_statfile(data: Microdata, draft: Path, suffix: str) -> None:
    """Write microdata for a statistics package; categories with known numbers get them back."""
    if suffix not in WRITERS:
        raise OutputError("{suffix} files can be read but not written; write .xpt.", suffix=suffix)
    pyreadstat = part("pyreadstat", "statfiles")
    import polars as pl

    origin = data.origin if isinstance(data.origin, StatOrigin) else StatOrigin("polars")
    table, labels = to_arrow(data), {}
    if suffix != ".xpt":
        for column in data.columns:
            known = (origin.value_codes or {}).get(column.name)
            if isinstance(column, Categorical) and known is not None:
                numbers, labels[column.name] = _numbered(column, known)
                place = table.schema.get_field_index(column.name)
                table = table.set_column(place, column.name, numbers)
    options: dict[str, Any] = {"column_labels": dict(origin.descriptions or {})}
    if suffix != ".xpt":
        options["variable_value_labels"] = labels
    try:
        getattr(pyreadstat, WRITERS[suffix])(_plain(pl.DataFrame(table)), str(draft), **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        raise OutputError("{suffix}: {reason}.", suffix=suffix, reason=str(error)) from None


def _labelled(values: pa.ChunkedArray, labels: Mapping[Any, str], form: str | None) -> pa.Array:
    """Return labels where every value has one; whole numbers where the file says so."""
    array = values.combine_chunks()
    if pa.types.is_large_string(array.type):
        return pa.compute.if_else(pa.compute.equal(array, ""), None, array)
    if not pa.types.is_floating(array.type):
        return array
    numbers = array.to_numpy(zero_copy_only=False)
    known = ~np.isnan(numbers)
    codes = np.array(sorted(float(code) for code in labels))
    if len(codes) and np.isin(numbers[known], codes).all():
        places = np.searchsorted(codes, np.where(known, numbers, codes[0])).astype(np.int32)
        texts = [str({float(c): t for c, t in labels.items()}[code]) for code in codes]
        return pa.DictionaryArray.from_arrays(pa.array(places, mask=~known), texts)
    if _is_whole(form) and (numbers[known] == np.rint(numbers[known])).all():
        return array.cast(pa.int64())
    return array


def _is_whole(form: str | None) -> bool:
    """Return whether a display format shows no decimals: SPSS F8.0, Stata %8.0f."""
    return form is not None and form.rstrip("gf").endswith(".0")


def _numbered(column: Categorical, known: Mapping[str, float]) -> tuple[pa.Array, dict[float, str]]:
    """Return a column as the numbers its labels had; labels that masking made get new ones."""
    free = max(known.values(), default=0) + 1
    codes = []
    for label in column.labels:
        code = known.get(str(label))
        if code is None:
            code, free = free, free + 1
        codes.append(code)
    lookup = np.array([*codes, np.nan, np.nan])
    numbers = lookup[column.codes]
    labels = {code: str(label) for code, label in zip(codes, column.labels, strict=True)}
    return pa.array(numbers, mask=np.isnan(numbers)), labels


def _plain(frame: Any) -> Any:
    """Return the frame without category types, which these files do not have."""
    import polars as pl

    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
