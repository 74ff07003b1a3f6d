"""Contests of microdata: the check of a masked table, its score, and what is published of it."""

import csv
import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from sudare.contest.rulebooks.rule_book import refused
from sudare.contest.rules import ContestRules
from sudare.core import (
    MISSING,
    Categorical,
    Column,
    Floats,
    Integers,
    Microdata,
    Numeric,
    Role,
    Scale,
)
from sudare.engine import read
from sudare.engine.formats import Folder
from sudare.engine.frames import is_dated, moments_of
from sudare.release import Limit, parse_measure
from sudare.transactions import write_guess
from sudare.transactions.files import Problems, RefusedError, lines_of

_LARGEST_ERROR = 1e12
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def evaluate_table(
    rules: ContestRules,
    original: Microdata,
    path: Path,
    published: Path,
    pseudonyms: Path,
    secret: bytes,
) -> dict[str, Any]:
    """Check a masked table, measure it, and write what is published of it.

    The table has the rows of T in their order. Published are its lines sorted, equal ones by a lot
    that the secret and the file decide, so that order tells nothing and is the same again after a
    restart; the table of pseudonyms says which row of T each published line is.
    """
    lines = read_lines(rules.history.line_length, original, path)
    if lines.problems.count:
        return refused(lines.problems)
    masked = lines.read(read_table(path, rules), original)
    values = [parse_measure(text)(original, masked).value for text in rules.table.score]
    limits = {text: Limit.parse(text) for text in rules.table.limits}
    missed = [
        text for text, limit in limits.items() if not limit.met_by(limit.measure(original, masked))
    ]
    _publish(lines, published, pseudonyms, _tie_breakers(len(lines.rows), path, secret))
    bounded = [float(np.clip(value, -_LARGEST_ERROR, _LARGEST_ERROR)) for value in values]
    parts = dict(zip(rules.table.score, bounded, strict=True))
    return {"result": {"score": float(np.mean(bounded)), "parts": parts, "missed": missed}}


def read_table(path: Path, rules: ContestRules) -> Microdata:
    """Read T as it is stored, or a masked table, with the roles and scales of the rules.

    Identifiers are not in it any more. A file without an ending is CSV.
    """
    roles = {name: role for name, role in rules.table.roles.items() if role != "identifier"}
    gone = set(rules.table.roles) - set(roles)
    scales = {name: scale for name, scale in rules.table.scales.items() if name not in gone}
    return read_csv(path, roles, scales)


def read_csv(
    path: Path, roles: Mapping[str, Role], scales: Mapping[str, Scale] | None = None
) -> Microdata:
    """Read a table from a file in the store, whose name has no ending."""
    with Folder() as folder:
        named = path
        if not path.suffix:
            named = folder / "T.csv"
            named.symlink_to(path.resolve())
        return read(named, roles=roles, scales=scales)


@dataclass(frozen=True)
class TableLines:
    """The cells of a masked table as they are written, and what is wrong with its lines."""

    header: list[str]
    rows: list[list[str]]
    problems: Problems

    def read(self, masked: Microdata, original: Microdata) -> Microdata:
        """Return a masked table with columns of the kinds of the original, whatever is left.

        A reader who sees the masked cells alone takes a column without any as text, and labels of
        which only numbers remain as numbers.
        """
        changed: list[Column] = []
        for position, column in enumerate(original.columns):
            cells = [row[position].strip() for row in self.rows]
            if isinstance(column, Categorical):
                if _label_types(masked[column.name]) != _label_types(column):
                    changed.append(_with_labels(column, cells))
            elif isinstance(column, Numeric):
                changed.append(replace(column, values=_values(column, cells), absent=None))
        return masked.replacing(changed)


def read_lines(longest: int, original: Microdata, path: Path) -> TableLines:
    """Read a table line by line, as many rows as the original has."""
    problems, cells, names = Problems(), [], list(original.names)
    for number, line in lines_of(path, longest=longest, problems=problems, encoding="utf-8"):
        if number > original.rows + 1:
            problems.add(number, "", RefusedError("more than {limit} rows.", limit=original.rows))
            break
        row = _cells(line)
        if number == 1 and row != names:
            reason = RefusedError("the header must be: {names}", names=",".join(names))
            problems.add(number, "", reason)
        elif len(row) != len(names):
            reason = RefusedError(
                "{found} cells instead of {wanted}.", found=len(row), wanted=len(names)
            )
            problems.add(number, "", reason)
        cells.append(row)
    if not problems.count and len(cells) != original.rows + 1:
        reason = RefusedError(
            "the file has {found} rows; the table has {wanted}.",
            found=max(len(cells) - 1, 0),
            wanted=original.rows,
        )
        problems.add(len(cells) + 1, "", reason)
    lines = TableLines(cells[0] if cells else [], cells[1:], problems)
    if not problems.count:
        _note_invalid_cells(lines, original)
    return lines


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line], strict=True), [])
    except csv.Error:  # a quote that is not closed: the line has no cells
        return []


def _note_invalid_cells(lines: TableLines, original: Microdata) -> None:
    """Note cells that hold anything else where the original has numbers or dates."""
    for position, column in enumerate(original.columns):
        if isinstance(column, Numeric):
            reason = _NO_DATE if is_dated(column) else _NO_NUMBER
            cells = [line[position].strip() for line in lines.rows]
            values = _values(column, cells)
            for row, cell in enumerate(cells):
                if cell and not isfinite(values[row]):
                    lines.problems.add(row + 2, column.name, reason)


def _values(column: Numeric, cells: list[str]) -> Floats:
    """Return cells as numbers of a column of the original; NaN where there is nothing to read."""
    if is_dated(column):
        return moments_of(column, cells)
    return np.array([float(cell) if _NUMBER.fullmatch(cell) else np.nan for cell in cells])


_NO_NUMBER = RefusedError("the cell does not hold a number.")
_NO_DATE = RefusedError("the cell does not hold a date, such as 2011-03-05.")


def _label_types(column: Column) -> set[type]:
    return set(map(type, column.labels)) if isinstance(column, Categorical) else {float}


def _with_labels(column: Categorical, cells: list[str]) -> Categorical:
    """Return a column with the labels that the cells hold, as the original has them."""
    known = {str(label): label for label in column.labels}
    codes_of = {name: code for code, name in enumerate(sorted({cell for cell in cells if cell}))}
    codes = np.array([codes_of.get(cell, MISSING) for cell in cells], dtype=np.int32)
    return replace(column, codes=codes, labels=tuple(known.get(name, name) for name in codes_of))


def _tie_breakers(rows: int, path: Path, secret: bytes) -> Integers:
    """Draw a lot for each row, which nobody can repeat without the secret."""
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").digest()
    seed = int.from_bytes(hmac.digest(secret, content, "sha256"))
    return np.random.default_rng(seed).permutation(rows)


def publish_sorted(lines: TableLines, published: Path) -> None:
    """Write the rows sorted: their order tells nothing."""
    with published.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([lines.header, *sorted(lines.rows)])


def _publish(lines: TableLines, published: Path, pseudonyms: Path, tie_breakers: Integers) -> None:
    """Write the rows sorted, and which row of the original each of them is."""
    order = sorted(range(len(lines.rows)), key=lambda row: (lines.rows[row], tie_breakers[row]))
    with published.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [lines.header, *(lines.rows[row] for row in order)]
        )
    truth = {position: str(row + 1) for position, row in enumerate(order, 1)}
    write_guess(truth, pseudonyms, overwrite=True)
