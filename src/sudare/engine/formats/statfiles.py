"""SPSS, Stata and SAS files: value labels become categories and go back to their numbers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Categorical, Column, InputError, Microdata, OutputError
from sudare.engine.frames import FrameOrigin, exact_or_text, part, seconds, to_arrow, with_absent

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
WRITERS = {".sav": "write_sav", ".zsav": "write_sav", ".dta": "write_dta", ".xpt": "write_xport"}
_EXACT = 2**53  # all numbers in these files are floats
_NOT_IN_NAMES = {
    ".dta": r"^\d|[^\w\x80-\U0010ffff]",
    ".sav": r"^[\d._$#@]|[^\w.$#@\x80-\U0010ffff]",
}

ValueLabels = Mapping[float, str]


@dataclass(frozen=True)
class StatOrigin(FrameOrigin):
    """What a statistics package knows of the columns beyond their values."""

    value_labels: Mapping[str, ValueLabels] = field(default_factory=dict, repr=False)
    descriptions: Mapping[str, str] = field(default_factory=dict, repr=False)


def read_statfile(path: Path, encoding: str | None) -> tuple[pa.Table, StatOrigin]:
    """Return a statistics package's file as an Arrow table with value labels as categories."""
    part("polars")
    pyreadstat = part("pyreadstat", "statfiles")
    reader = getattr(pyreadstat, READERS[path.suffix.lower()])
    try:
        frame, meta = reader(str(path), output_format="polars", encoding=encoding)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError):
        raise InputError(
            "'{path}' could not be read as a {suffix} file: it is damaged, or needs another "
            "encoding.",
            path=str(path),
            suffix=path.suffix,
        ) from None
    table = frame.to_arrow()
    labels = {
        name: {float(code): str(text) for code, text in named.items()}
        for name, named in meta.variable_value_labels.items()
        if named and not any(isinstance(code, str) for code in named)
    }
    arrays = [
        _labelled(table.column(name), labels.get(name, {}), meta.original_variable_types.get(name))
        for name in table.column_names
    ]
    described = {name: text for name, text in meta.column_names_to_labels.items() if text}
    origin = StatOrigin("polars", value_labels=labels, descriptions=described)
    return pa.table(arrays, names=table.column_names), origin


def write_statfile(data: Microdata, draft: Path, suffix: str) -> None:
    """Write microdata for a statistics package; categories with known numbers get them back."""
    if suffix not in WRITERS:
        raise OutputError("{suffix} files can be read but not written; write .xpt.", suffix=suffix)
    pyreadstat = part("pyreadstat", "statfiles")
    _check_names(data.names, suffix)
    origin = data.origin if isinstance(data.origin, StatOrigin) else StatOrigin("polars")
    table = to_arrow(data)
    arrays = {name: _cells(table.column(name).combine_chunks()) for name in data.names}
    options: dict[str, Any] = {
        "column_labels": {n: text for n, text in origin.descriptions.items() if n in data}
    }
    if suffix != ".xpt":  # which has no value labels
        labels = {name: known for name, known in origin.value_labels.items() if name in data}
        for name, known in labels.items():
            column = data[name]
            if isinstance(column, Categorical):
                arrays[name], labels[name] = _numbered(column, known)
            else:  # a label of a number that masking took away tells that it was there
                labels[name] = _named_values(column, known)
        options["variable_value_labels"] = labels
    if suffix in {".sav", ".zsav"}:
        options["compress"] = suffix == ".zsav"
        options["variable_format"] = {
            name: "F16.0" for name, array in arrays.items() if pa.types.is_integer(array.type)
        }
    try:
        getattr(pyreadstat, WRITERS[suffix])(_frame(arrays), str(draft), **options)
        _check_whole(pyreadstat, draft, suffix, data.rows)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        raise OutputError("{suffix}: {reason}.", suffix=suffix, reason=str(error)) from None


def _check_names(names: Sequence[str], suffix: str) -> None:
    """Refuse names that the format does not allow; its library does not say which."""
    forbidden = _NOT_IN_NAMES.get(suffix)
    if forbidden and (named := [name for name in names if re.search(forbidden, name)]):
        raise OutputError(
            "{suffix} files allow no such names of columns: {columns}; rename them, or write "
            "another format.",
            suffix=suffix,
            columns=", ".join(named),
        )


def undated(draft: Path, suffix: str) -> None:
    """Take the time of writing out of a file of a statistics package."""
    with draft.open("rb+") as file:
        head = file.read(1 << 12)
        for start, text in _times(head, suffix):
            file.seek(start)
            file.write(text)


def _times(head: bytes, suffix: str) -> Iterator[tuple[int, bytes]]:
    """Yield where the head of a file has a time, and what stands there instead."""
    if suffix in {".sav", ".zsav"}:
        yield 92, b"01 Jan 8000:00:00"
    elif suffix == ".dta":
        start = head.find(b"<timestamp>")
        if start >= 0 and head[start + 11] == 17:
            yield start + 12, b"01 Jan 1980 00:00"
    else:
        for written in re.finditer(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d", head):
            yield written.start(), b"01JAN80:00:00:00"


def _labelled(values: pa.ChunkedArray, labels: ValueLabels, form: str | None) -> pa.Array:
    """Return labels where every value has its own; whole numbers where the file says so."""
    array = values.combine_chunks()
    if pa.types.is_large_string(array.type):
        return pc.if_else(pc.equal(array, ""), None, array)
    if not (pa.types.is_floating(array.type) or pa.types.is_integer(array.type)):
        return array
    numbers = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
    known = ~np.isnan(numbers)
    codes = np.array(sorted(labels))
    texts = [labels[code] for code in codes]
    if texts and len(set(texts)) == len(texts) and np.isin(numbers[known], codes).all():
        positions = np.searchsorted(codes, np.where(known, numbers, codes[0])).astype(np.int32)
        return pa.DictionaryArray.from_arrays(pa.array(positions, mask=~known), texts)
    if _is_whole(form) and (numbers[known] == np.rint(numbers[known])).all():
        return pa.array(numbers, mask=~known).cast(pa.int64())
    return array


def _is_whole(form: str | None) -> bool:
    """Return whether a display format shows no decimals: SPSS F8.0, Stata %8.0f, SAS none."""
    return form is None or form.startswith("BEST") or form.rstrip("gf").endswith(".0")


def _cells(array: pa.Array) -> pa.Array:
    """Return a column in types that these files have; what they would change becomes text."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_timestamp(array.type) and array.type.tz is not None:
        return array.cast(pa.string())
    if pa.types.is_decimal(array.type):
        return array.cast(pa.float64())
    return exact_or_text(seconds(array), _EXACT)


def _numbered(column: Categorical, known: ValueLabels) -> tuple[pa.Array, dict[float, str]]:
    """Return a column as the numbers its labels had; labels that masking made get new ones."""
    by_text = {text: code for code, text in known.items()}
    codes, labels = with_absent(column)
    numbers: list[float] = []
    for label in labels:
        if isinstance(label, int | float):  # it never had another name
            numbers.append(float(label))
        else:
            numbers.append(by_text.setdefault(str(label), max([*known, *numbers], default=0) + 1))
    named = {code: text for text, code in by_text.items()} | dict(known)
    array = pa.array(np.array([*numbers, np.nan])[codes], mask=codes < 0)
    is_whole = all(number.is_integer() for number in numbers)
    return array.cast(pa.int64()) if is_whole else array, {
        code: text for code, text in named.items() if code in numbers
    }


def _named_values(column: Column, known: ValueLabels) -> dict[float, str]:
    """Return the labels of the numbers that occur."""
    occurring = set(column.numeric.values[column.known].tolist())
    absent = column.absent_label
    return {code: text for code, text in known.items() if code in occurring or str(code) == absent}


def _frame(arrays: Mapping[str, pa.Array]) -> Any:
    return part("polars").DataFrame(pa.table(dict(arrays)))


def _check_whole(pyreadstat: Any, draft: Path, suffix: str, rows: int) -> None:
    """Read a transport file back: its writer keeps silent when the disk is full."""
    if suffix != ".xpt":
        return
    frame, _ = pyreadstat.read_xport(str(draft), output_format="polars")
    if frame.height != rows:
        raise OutputError(
            "{suffix}: not all records were written; the disk may be full.", suffix=suffix
        )
