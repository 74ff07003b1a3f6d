"""From a path to a project: a project file as it is, a table with its project, or a new one."""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sudare.core import InputError, LargeTable, Message, Microdata, SettingError, SudareError, say
from sudare.datasets import adult_like, purchases_like, toy, write_survey_like
from sudare.describe import concept_of
from sudare.engine import TEXT, read_or_open, write
from sudare.engine.formats import Folder, Layout, layout_of
from sudare.release import Project
from sudare.release.project import default_path, only_one, projects_for, projects_in
from sudare.transactions import write_history
from sudare.web import ReportProgress
from sudare.workbench.user_input import required, whole_number

OPENING = "open"  # what jobs call the work
ENCODINGS = ("utf-8", "cp932", "euc-jp", "iso2022_jp", "utf-16", "cp1252")  # to choose from
_ENDING = ".toml"
_SAMPLE = 100_000  # records from which proposals are made where the table is not in memory
_SHOWN = 8  # records of a preview
_COMPARED = 20  # records from which names are recognized
_BEGINNING = 2**20  # bytes of a file that a preview looks at
_TWO_BYTES = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NUMBER = re.compile(r"[\d\s.,:/+-]*\d[\d\s.,:/+-]*")  # also a date


def known_project(path: Path) -> Path | None:
    """Return the project file that a path is, or that its folder has for it; None for neither."""
    if path.is_dir():
        return only_one(projects_in(path), path)
    if not path.exists():
        raise InputError("there is no file '{path}'.", path=str(path))
    if path.suffix == _ENDING:
        return path
    known = projects_for(path)
    return only_one(known, path.parent) if known else None


def create_project(report: ReportProgress, path: Path, reading: Mapping[str, Any]) -> str:
    """Make the project of a table, with proposals, and return where it is; a job."""
    report("Reading the table", 0.1)
    data: Microdata | LargeTable = read_or_open(path, **reading)
    if isinstance(data, LargeTable):
        report("Drawing a sample to describe the columns", 0.5)
        data = data.sample(min(_SAMPLE, data.records), seed=0)
    report("Looking at what each column probably is", 0.7)
    return str(Project.create(path, default_path(path), data=data, **reading).save().path)


@dataclass(frozen=True)
class Preview:
    """The beginning of a text file, as it would be read.

    Attributes
    ----------
    options
        How it is read: what was given, and what was found.
    names, safe_names
        The names of the columns; and without those that may be values of a record.
    is_doubtful
        Whether the line of the names may be a record.
    rows
        The first records, as text.
    notes
        What had to be guessed.
    """

    options: Mapping[str, Any]
    names: tuple[str, ...]
    safe_names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    is_doubtful: bool


def preview(path: Path, reading: Mapping[str, Any]) -> Preview | None:
    """Return the beginning of a file; None where it is not text, and says itself how it is read."""
    if not path.is_file():
        raise InputError("there is no file '{path}'.", path=str(path))
    if path.suffix.lower() not in TEXT:
        return None
    with _beginning(path) as file:
        layout = layout_of(file, **reading)
        is_automatic = _is_automatic(file, layout)
    doubtful = not _are_names(layout)
    safe = layout.names if is_automatic and not doubtful else _numbered(layout.names)
    return Preview(
        layout.as_read(), layout.names, safe, layout.first[:_SHOWN], layout.notes, doubtful
    )


@contextmanager
def _beginning(path: Path) -> Iterator[Path]:
    """Yield a file that begins like a large one, or a small one itself: a page waits for it."""
    if path.stat().st_size <= _BEGINNING:
        yield path
        return
    with path.open("rb") as file:
        content = file.read(_BEGINNING)
    if content[:2] not in _TWO_BYTES:
        content = content[: content.rfind(b"\n") + 1] or content
    with Folder() as folder:
        beginning = folder / path.name
        beginning.write_bytes(content)
        yield beginning


def has_doubtful_names(path: Path, reading: Mapping[str, Any]) -> bool:
    """Return whether the first line of a text file may be a record, so that a person must look."""
    try:
        shown = preview(path, reading)
    except SudareError:
        return False  # it is refused with its reasons where it is read
    return shown is not None and shown.is_doubtful


def _is_automatic(path: Path, layout: Layout) -> bool:
    """Return whether the line of names is the one that is found."""
    try:
        automatic = layout_of(path)
    except SudareError:
        return False
    return layout.names == automatic.names


def _are_names(layout: Layout) -> bool:
    """Return whether the line of names tells itself from a record.

    Names are no numbers and no values of their columns. They stand above numbers, or more of them
    are words that headings consist of than in any record.
    """
    columns = list(zip(layout.names, *layout.first, strict=True))
    if any(name in values or _NUMBER.fullmatch(name) for name, *values in columns):
        return False
    blank = _numbered(layout.names)
    above_numbers = any(
        name != number and any(values) and all(_NUMBER.fullmatch(v) for v in values if v)
        for (name, *values), number in zip(columns, blank, strict=True)
    )
    in_records = (_words_of(row) for row in layout.first[:_COMPARED])
    return above_numbers or _words_of(layout.names) > max(in_records, default=0)


def _words_of(names: Iterable[str]) -> int:
    """Return how many texts speak of something that headings speak of."""
    return sum(concept_of(name) is not None for name in names)


def _numbered(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(say("column {number}", number=number) for number in range(1, len(names) + 1))


def read_address(path: Path) -> str:
    """Return the address of the page that shows how a file is read."""
    return f"/read?{urlencode({'path': str(path)})}"


def reading_from(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return how a file is read from the fields of a form; what is left blank is found."""
    reading: dict[str, Any] = {}
    if fields.get("encoding", "").strip():
        reading["encoding"] = fields["encoding"].strip()
    if fields.get("separator"):
        reading["separator"] = {"tab": "\t", "space": " "}.get(
            fields["separator"], fields["separator"]
        )
    for name in ("skip_rows", "header_rows"):
        if fields.get(name, "").strip():
            refusal = SettingError("a number of lines must be a whole number.")
            reading[name] = required(whole_number(fields[name]), refusal)
    if fields.get("totals", "").strip():
        reading["totals"] = fields["totals"].strip()
    sheet = fields.get("sheet", "").strip()
    if sheet:
        number = whole_number(sheet)
        reading["sheet"] = sheet if number is None else number
    return reading


SAMPLES: Mapping[str, tuple[Message, str, Callable[[Path], object]]] = {
    "toy": (
        Message("A small made-up population: 400 people, every kind of column"),
        "toy.csv",
        lambda path: write(toy(), path),
    ),
    "census": (
        Message("A made-up census like Adult: 30,162 people, ten keys"),
        "adult_like.csv",
        lambda path: write(adult_like(), path),
    ),
    "purchases": (
        Message("A made-up purchase history: 60 customers, in the format of the contest"),
        "purchases_like.csv",
        lambda path: write_history(purchases_like(60, seed=1), path),
    ),
    "survey": (
        Message("A made-up Japanese survey with weights, in CP932, with notes above its header"),
        "survey_like.csv",
        lambda path: write_survey_like(path, 5_000),
    ),
}
