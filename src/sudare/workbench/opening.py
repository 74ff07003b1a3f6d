"""From a path to a project: a project file as it is, a table with its project, or a new one."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudare.core import InputError, LargeTable, Message, Microdata, SettingError, SudareError, say
from sudare.datasets import adult_like, purchases_like, toy, write_survey_like
from sudare.engine import TEXT, read_or_open, write
from sudare.engine.formats import Layout, layout_of
from sudare.release import Project
from sudare.release.project import default_path, only_one, projects_for, projects_in
from sudare.transactions import write_history
from sudare.web import ReportProgress
from sudare.workbench.user_input import whole_number

OPENING = "open"  # what jobs call the work
ENCODINGS = ("utf-8", "cp932", "euc-jp", "iso2022_jp", "utf-16", "cp1252")  # to choose from
_ENDING = ".toml"
_SAMPLE = 100_000  # records from which proposals are made where the table is not in memory
_SHOWN = 8  # records of a preview
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
    """Make the project of a table, with proposals, and return where it is; a job.

    Parameters
    ----------
    report
        Told how far the work has come.
    path
        The table.
    reading
        How it is read: ``encoding``, ``separator`` and so on.
    """
    report("Reading the table", 0.1)
    data: Microdata | LargeTable = read_or_open(path, **reading)
    if isinstance(data, LargeTable):
        report("Drawing a sample to describe the columns", 0.5)
        data = data.sample(min(_SAMPLE, data.records), seed=0)
    report("Looking at what each column probably is", 0.7)
    project = Project.create(path, default_path(path), data=data, **reading)
    return str(project.save().path)


@dataclass(frozen=True)
class Preview:
    """The beginning of a text file, as it would be read.

    Attributes
    ----------
    options
        How it is read: what was given, and what was found.
    names, safe_names
        The names of the columns; and without those that may be values of a record.
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


def preview(path: Path, reading: Mapping[str, Any]) -> Preview | None:
    """Return the beginning of a file; None where it is not text, and says itself how it is read."""
    if not path.is_file():
        raise InputError("there is no file '{path}'.", path=str(path))
    if path.suffix.lower() not in TEXT:
        return None
    layout = layout_of(
        path,
        encoding=reading.get("encoding"),
        separator=reading.get("separator"),
        skip_rows=reading.get("skip_rows"),
    )
    options = {
        "encoding": layout.encoding,
        "separator": layout.separator,
        "skip_rows": layout.skip_rows,
    }
    safe = layout.names if _are_names(path, layout) else _numbered(layout.names)
    return Preview(options, layout.names, safe, layout.first[:_SHOWN], layout.notes)


def _are_names(path: Path, layout: Layout) -> bool:
    """Return whether the line of names is the one that is found, and does not look like a record.

    It does where a name is a number, or is also a value of its column.
    """
    try:
        automatic = layout_of(path, encoding=None, separator=None, skip_rows=None)
    except SudareError:
        return False
    return layout.names == automatic.names and not any(
        name in values or _NUMBER.fullmatch(name)
        for name, *values in zip(layout.names, *layout.first, strict=True)
    )


def _numbered(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(say("column {number}", number=number) for number in range(1, len(names) + 1))


def reading_from(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return how a file is read from the fields of a form; what is left blank is found."""
    reading: dict[str, Any] = {}
    if fields.get("encoding", "").strip():
        reading["encoding"] = fields["encoding"].strip()
    if fields.get("separator"):
        reading["separator"] = {"tab": "\t", "space": " "}.get(
            fields["separator"], fields["separator"]
        )
    if fields.get("skip_rows", "").strip():
        reading["skip_rows"] = _whole(fields["skip_rows"])
    sheet = fields.get("sheet", "").strip()
    if sheet:
        number = whole_number(sheet)
        reading["sheet"] = sheet if number is None else number
    return reading


def _whole(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise SettingError("the number of lines above the names must be a whole number.")
    return number


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
