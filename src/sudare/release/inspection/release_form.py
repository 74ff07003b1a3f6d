"""The form in which a table is released: what the file would say beyond its values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from sudare.core import (
    MISSING,
    Categorical,
    Column,
    Draws,
    Flags,
    Message,
    Microdata,
    Numeric,
    Written,
    WrittenLabels,
)
from sudare.engine.formats import is_formula
from sudare.engine.frames import SUPPRESSED, in_one_spelling, is_number_word
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import MaskedPair
from sudare.release.inspection.order import shuffled_rows

_OF_TEXT = {"csv", "tsv", "tab", "txt", "xlsx"}  # formats in which a number can be a word


@dataclass(frozen=True)
class ReleasedTable:
    """A masked table in the form in which it is released.

    Attributes
    ----------
    table
        No label that does not occur, and one spelling of each value; suppressed labels have a word
        where a blank would mean that the question was not asked; in another order than the
        original.
    marked
        By column of numbers, the blanks that get that word in files that hold text.
    worded
        The columns in which a word stands for suppressed values, in such a file.
    """

    table: Microdata
    marked: Mapping[str, Flags] = field(default_factory=dict, repr=False)
    worded: tuple[str, ...] = ()

    def worded_in(self, file_format: str) -> tuple[str, ...]:
        """Return the columns in which a word marks suppressed values, in some format."""
        spared = () if file_format in _OF_TEXT else self.marked
        return tuple(name for name in self.worded if name not in spared)

    @classmethod
    def of(cls, masked: Microdata, before: Microdata, order: Draws | None) -> "ReleasedTable":
        """Return a masked table as it is released; both with the same records."""
        suppressed = {
            column.name: column.missing  # those of the original are no less ambiguous
            for column in masked.columns
            if _ambiguous(column, before).any() and _takes_word(column)
        }
        columns = tuple(
            _only_what_occurs(_worded(column, suppressed.get(column.name)))
            for column in masked.columns
        )
        table = in_one_spelling(replace(masked, columns=columns, record_numbers=None))
        numbers = {
            name: flags for name, flags in suppressed.items() if isinstance(masked[name], Numeric)
        }
        if order is not None:
            rows = shuffled_rows(order, table.rows)
            table = table.take(rows)
            numbers = {name: flags[rows] for name, flags in numbers.items()}
        return cls(table, numbers, tuple(suppressed))


def find_form(pair: MaskedPair, file_format: str) -> Iterator[Finding]:
    """Yield what a file would do to its reader, and which blanks could not be told apart."""
    if file_format in _OF_TEXT:
        yield from _formulas(pair)
    for column in pair.after.columns:
        yield from _ambiguous_blanks(pair, column, file_format)


def metadata_of(file_format: str) -> Iterator[Finding]:
    """Yield what a file of some format says beyond its values, and no longer does."""
    if file_format == "parquet":
        detail = Message(
            "Parquet files hold the lowest and highest value and the number of blanks of every "
            "column, and categories that no longer occur."
        )
    elif file_format == "xlsx":
        detail = Message("Excel files hold an author and the time of writing.")
    elif file_format in {"sav", "dta"}:
        detail = Message(
            "Files of statistics packages hold the time of writing and categories that no longer "
            "occur."
        )
    else:
        return
    remedy = Message("The release is written without it.")
    yield Finding("metadata", (), 0, "repaired", detail, remedy)


def _formulas(pair: MaskedPair) -> Iterator[Finding]:
    for column in pair.after.columns:
        if not isinstance(column, Categorical):
            continue
        codes = [code for code, label in enumerate(column.labels) if is_formula(label)]
        count = int(np.isin(column.codes, codes).sum()) if codes else 0
        if count:
            detail = Message(
                "{count} {count:text|texts} of '{column}' {count:begins|begin} with a sign that "
                "spreadsheets take for a formula.",
                count=count,
                column=column.name,
            )
            remedy = Message("In CSV and Excel files they are written with an apostrophe in front.")
            yield Finding("formulas", (column.name,), count, "repaired", detail, remedy)


def _ambiguous_blanks(pair: MaskedPair, column: Column, file_format: str) -> Iterator[Finding]:
    count = int(_ambiguous(column, pair.before, file_format).sum())
    if not count:
        return
    facts = {"count": count, "column": column.name}
    detail = Message(
        "{count} missing {count:value|values} of '{column}' and those that are not applicable "
        "would both be blank.",
        **facts,
    )
    severity: Severity = "repaired"
    remedy = Message("Every missing value of it is written as {word}.", word=SUPPRESSED)
    if pair.is_large or not _takes_word(column, file_format):
        severity = "stop"
        remedy = Message(
            "Give not applicable a word or number of its own when reading (--not-applicable "
            "'{column}=-8'), so that blanks are suppressed values only.",
            **facts,
        )
        if column.absent_label:
            remedy = Message("Release a CSV or Excel file, in which not applicable keeps its word.")
    yield Finding("suppressed-blanks", (column.name,), count, severity, detail, remedy)


def _ambiguous(after: Column, before: Microdata, file_format: str = "csv") -> Flags:
    """Return which values would be blank, being suppressed or words, like the not applicable."""
    original = dict(zip(before.names, before.columns, strict=True)).get(after.name, after)
    if (
        _keeps_word(after, file_format)
        or not (original.not_applicable | after.not_applicable).any()
    ):
        return np.zeros(after.rows, np.bool_)
    return after.missing if _has_words(after) else after.suppressed_since(original)


def _keeps_word(column: Column, file_format: str) -> bool:
    """Return whether not applicable has its own word or number in a file."""
    holds_words = file_format in _OF_TEXT or not isinstance(column, Numeric)
    return column.absent_label is not None and (holds_words or is_number_word(column.absent_label))


def _has_words(column: Column) -> bool:
    """Return whether missing values of a column were words, which a release has no longer."""
    written = column.written
    if isinstance(written, WrittenLabels):
        return bool((written.special == MISSING).any())
    return isinstance(written, Written) and bool(
        (np.isnan(written.numbers) & ~written.absent).any()
    )


def worded_columns(before: Microdata) -> tuple[str, ...]:
    """Return the columns of a table in which a file of it masked has a word for suppressed."""
    return tuple(
        column.name
        for column in before.columns
        if column.not_applicable.any() and not column.absent_label and _takes_word(column)
    )


def _takes_word(column: Column, file_format: str = "csv") -> bool:
    """Return whether suppressed values of a column can have a word in a file."""
    if isinstance(column, Numeric):
        return file_format in _OF_TEXT
    return SUPPRESSED not in map(str, column.coded.labels)


def _worded(column: Column, suppressed: Flags | None) -> Column:
    if suppressed is None or not isinstance(column, Categorical):
        return column
    codes = np.where(suppressed, len(column.labels), column.codes)
    return replace(column, codes=codes, labels=(*column.labels, SUPPRESSED), written=None)


def _only_what_occurs(column: Column) -> Column:
    return column.on_list(column.labels_that_occur()) if isinstance(column, Categorical) else column
