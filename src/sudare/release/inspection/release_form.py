"""The form in which a table leaves the house: what the file would say beyond its values."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sudare.core import Categorical, Codes, Column, Draws, Message, Microdata
from sudare.engine.formats import is_formula
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair
from sudare.release.inspection.order import shuffled_rows

SUPPRESSED = "*"  # written in place of a suppressed value where a blank means not applicable


def in_release_form(table: Microdata, before: Microdata, order: Draws | None) -> Microdata:
    """Return a masked table as it is released: no label that does not occur, and shuffled.

    Suppressed values get a word where a blank would mean that the question was not asked.
    """
    columns = tuple(
        _only_what_occurs(_telling_suppressed(column, before)) for column in table.columns
    )
    released = replace(table, columns=columns, record_numbers=None)
    return released if order is None else released.take(shuffled_rows(order, released.rows))


def find_form(pair: MaskedPair) -> Iterator[Finding]:
    """Yield what a file would do to who opens it, and which blanks could not be told apart."""
    yield from _formulas(pair)
    for column in pair.after.columns:
        if column.name in pair.before:
            yield from _ambiguous_blanks(column, pair.before[column.name])


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
            remedy = Message("They are written with an apostrophe in front.")
            yield Finding("formulas", (column.name,), count, "repaired", detail, remedy)


def _ambiguous_blanks(after: Column, before: Column) -> Iterator[Finding]:
    suppressed = int(after.suppressed_since(before).sum())
    if not suppressed or not after.not_applicable.any() or after.absent_label:
        return
    detail = Message(
        "{count} suppressed {count:value|values} of '{column}' and those that are not applicable "
        "would both be blank.",
        count=suppressed,
        column=after.name,
    )
    if isinstance(after, Categorical):
        remedy = Message("A suppressed value is written as {word}.", word=SUPPRESSED)
        yield Finding("suppressed-blanks", (after.name,), suppressed, "repaired", detail, remedy)
    else:
        remedy = Message(
            "Give not applicable a number of its own when reading (--not-applicable "
            "'{column}=-8'), so that blanks are suppressed values only.",
            column=after.name,
        )
        yield Finding("suppressed-blanks", (after.name,), suppressed, "note", detail, remedy)


def _telling_suppressed(after: Column, before: Microdata) -> Column:
    if after.name not in before or not isinstance(after, Categorical) or after.absent_label:
        return after
    suppressed = after.suppressed_since(before[after.name])
    if not suppressed.any() or not after.not_applicable.any():
        return after
    codes = np.where(suppressed, len(after.labels), after.codes)
    return replace(after, codes=codes, labels=(*after.labels, SUPPRESSED), written=None)


def _has_unused(column: Column) -> bool:
    return isinstance(column, Categorical) and len(_occurring(column)) < len(column.labels)


def _occurring(column: Categorical) -> Codes:
    occurring: Codes = np.unique(column.codes[column.codes >= 0])
    return occurring


def _only_what_occurs(column: Column) -> Column:
    if not _has_unused(column):
        return column
    coded = column.coded
    occurring = _occurring(coded)
    moved = np.full(len(coded.labels) + 2, -1, np.int32)
    moved[occurring] = np.arange(len(occurring))
    moved[-2:] = (-2, -1)
    labels = tuple(coded.labels[code] for code in occurring.tolist())
    return replace(coded, codes=moved[coded.codes], labels=labels)
