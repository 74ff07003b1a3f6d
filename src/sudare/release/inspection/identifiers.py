"""Columns that point at persons, or at records of other files, and are about to be released."""

import re
from collections.abc import Iterator
from itertools import pairwise

from sudare.core import Column, Message, Microdata, Names, Numeric, Role
from sudare.describe import Suspicion, suspicions
from sudare.release.inspection.derivable_values import leads_back
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair, stated_number

# A person who gave a column one of these roles has looked at it.
_LOOKED_AT: tuple[Role, ...] = ("key", "sensitive", "weight", "household")

_DIGITS = re.compile(r"\d+")
_DATE = re.compile(r"\D{0,2}\d{1,4}[-/.年]\d{1,2}[-/.月]\d")
_MOST = 0.5  # share of the values that lead back, from which a masked identifier is still one


def find_identifiers(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the released columns that seem to point at persons and are no identifiers by role."""
    shown = suspicions(pair.after)
    keys = [each for each in shown if each.ground == "key" and _is_overlooked(pair, each.column)]
    if keys:
        yield _undeclared_keys(keys)
    for suspicion in (*shown, *_only_before(pair, {each.column for each in shown})):
        role = pair.after[suspicion.column].role
        if suspicion.ground == "text" and not _was_text(pair, suspicion.column):
            continue  # ranges and sets of labels that masking wrote
        if suspicion.ground in {"text", "mentions"}:
            yield _text(suspicion)
        elif suspicion.ground == "values":
            yield _identifier(suspicion)  # whatever role was given to it
        elif role in _LOOKED_AT or suspicion.ground == "key":
            continue
        elif suspicion.ground == "household":
            yield _household(suspicion)
        elif suspicion.ground == "weight":
            yield _weight(suspicion)
        elif suspicion.ground == "number":
            yield _outside_key(suspicion)
        else:
            yield _identifier(suspicion)


def find_headings(pair: MaskedPair) -> Iterator[Finding]:
    """Yield that headings may be a record: numbers above numbers, or values of their columns.

    Numbers that count on by a fixed step, as years do, are names, and so is one label that its
    column has, as that of a box that was ticked. None is named here: it may be somebody's value.
    """
    columns = [pair.before[name] for name in pair.after.names]
    labelled = [column for column in columns if not isinstance(column, Numeric)]
    formed = sum(_has_form_of_values(column) for column in labelled)
    stated = [stated_number(c.name) for c in columns if isinstance(c, Numeric)]
    readings = [number for number in stated if number is not None]
    steps = {second - first for first, second in pairwise(readings)}
    are_years = steps == {1} and all(1800 <= number <= 2200 for number in readings)
    if are_years or (len(steps) == 1 and len(readings) > 2):
        readings = []
    dates = sum(_DATE.match(c.name) is not None for c in columns if isinstance(c, Numeric))
    values = sum(c.name in c.coded.labels and len(c.coded.labels) > 1 for c in labelled)
    count = formed + len(readings) + dates
    count += values if count or 2 * values > len(labelled) else 0
    if count:
        detail = Message(
            "{count} {count:heading is a number or a value|headings are numbers or values} of "
            "{count:its|their} column: the first line of the file may be a record, and headings "
            "are released as they are.",
            count=count,
        )
        remedy = Message(
            "Read the file with --header-rows 0 if it has no line of names. Accept it if these are "
            "names."
        )
        yield Finding("headings", (), 1, "stop", detail, remedy)


def _has_form_of_values(column: Column) -> bool:
    """Return whether a heading has digits where values of its column have them: 67歳, 85-89."""
    form = _DIGITS.sub("0", column.name)
    labels = (str(label) for label in column.coded.labels)
    return form != column.name and any(_DIGITS.sub("0", label) == form for label in labels)


def _is_overlooked(pair: MaskedPair, name: str) -> bool:
    """Return whether a column has no role, and is released as it was."""
    return pair.after[name].role == "other" and name not in pair.masked


def _undeclared_keys(keys: list[Suspicion]) -> Finding:
    names = tuple(suspicion.column for suspicion in keys)
    facts = {
        "columns": Names.of(names),
        "options": " ".join(f"--key '{name}'" for name in names),
    }
    detail = Message(
        "'{columns}': what others often know about a person is released as it was and is no key, "
        "so that no measure of risk counts it.",
        **facts,
    )
    remedy = Message("Declare it ({options}) and mask what makes records stand out.", **facts)
    count = max(suspicion.count for suspicion in keys)
    return Finding("undeclared-key", names, count, "stop", detail, remedy)


def _only_before(pair: MaskedPair, seen: set[str]) -> Iterator[Suspicion]:
    """Yield what the original says of columns whose masked values still lead back to its own."""
    for name in pair.masked:
        before = pair.before[name]
        if name in seen or leads_back(before, pair.after[name]).sum() <= _MOST * before.known.sum():
            continue
        yield from suspicions(Microdata((before,)))


def _was_text(pair: MaskedPair, name: str) -> bool:
    """Return whether the original column holds texts in people's own words, too."""
    if name not in pair.before:
        return True
    return any(
        suspicion.ground == "text" for suspicion in suspicions(Microdata((pair.before[name],)))
    )


def find_old_numbers(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the household numbers of the original, where they would be released."""
    for name in pair.after.with_role("household"):
        if not pair.changed(name).any():
            detail = Message("The household numbers are those of the original.")
            remedy = Message("Give households new numbers: --step household-numbers.")
            yield Finding("household-numbers", (name,), pair.after.rows, "stop", detail, remedy)


def note_new_numbers(pair: MaskedPair) -> Iterator[Finding]:
    """Yield that households have other numbers than in the original."""
    for name in pair.after.with_role("household"):
        if pair.is_renumbered and pair.changed(name).any():
            detail = Message("Households have new numbers, drawn with the secret seed.")
            remedy = Message("Leave the column out if nobody needs to know who lives together.")
            yield Finding("household-numbers", (name,), pair.after.rows, "repaired", detail, remedy)


def _identifier(suspicion: Suspicion) -> Finding:
    facts = {"column": suspicion.column, "meaning": _Meaning(*suspicion.meaning)}
    if suspicion.ground == "values":
        detail = Message("The values of '{column}' have the form of {meaning}.", **facts)
    elif suspicion.ground == "heading":
        detail = Message("By its heading, '{column}' holds {meaning}.", **facts)
    else:
        detail = Message("No two records share a value of '{column}'.", **facts)
    remedy = Message("Declare it: --identifier '{column}'. It is then left out.", **facts)
    name, count = suspicion.column, suspicion.count
    return Finding("undeclared-identifier", (name,), count, "stop", detail, remedy)


def _text(suspicion: Suspicion) -> Finding:
    name, count = suspicion.column, suspicion.count
    if suspicion.ground == "mentions":
        detail = Message(
            "{count} {count:record has|records have} a text in '{column}' that is a name or holds "
            "a phone number, an e-mail address or an individual number.",
            count=count,
            column=name,
        )
    else:
        detail = Message("'{column}' holds texts in people's own words.", column=name)
    remedy = Message(
        "Leave it out (--identifier '{column}'), or replace the texts by categories.", column=name
    )
    return Finding("free-text", (name,), count, "stop", detail, remedy)


def _household(suspicion: Suspicion) -> Finding:
    name, count = suspicion.column, suspicion.count
    detail = Message("'{column}' holds household numbers and is not declared.", column=name)
    remedy = Message("Declare it: --household '{column}'. It then gets new numbers.", column=name)
    return Finding("household-numbers", (name,), count, "stop", detail, remedy)


def _weight(suspicion: Suspicion) -> Finding:
    name, count = suspicion.column, suspicion.count
    detail = Message("'{column}' holds sampling weights and is not declared.", column=name)
    remedy = Message(
        "Declare it: --weights '{column}'. It is then rounded if single records stand out by it.",
        column=name,
    )
    return Finding("weights", (name,), count, "stop", detail, remedy)


def _outside_key(suspicion: Suspicion) -> Finding:
    name, count = suspicion.column, suspicion.count
    detail = Message(
        "'{column}' holds numbers or codes by which records can be linked to other files.",
        column=name,
    )
    remedy = Message(
        "Leave it out (--identifier '{column}'), mask it, or declare what it is (--key).",
        column=name,
    )
    return Finding("outside-keys", (name,), count, "stop", detail, remedy)


class _Meaning:
    """What a column speaks of, in the language of the moment in which it is read."""

    def __init__(self, english: str, japanese: str) -> None:
        self.in_languages = english, japanese

    def __str__(self) -> str:
        from sudare.core import language

        return self.in_languages[language() == "ja"]
