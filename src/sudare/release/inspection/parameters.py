"""What the published account of steps tells: digits that give a record away, rare labels."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from sudare.core import Column, Message, Microdata, Numeric, Step
from sudare.describe import EditRule, Hierarchy, Tree
from sudare.describe.proposing import plain_text
from sudare.describe.proposing.values import words
from sudare.engine.frames import dates_of, is_dated
from sudare.mask import RemoveRecords
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair

_DIGITS = 4  # an analyst needs fewer
_FEW = 10  # records, below which a label is rare
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_CODE = re.compile(r"\W*.?|-\d+|(\d)\1*")  # words for no value that are no value of anybody
_JOINED = re.compile("[・–]")  # between labels that were merged, or ends of a range
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# Settings with numbers of a column, and words of hierarchies.
_BOUNDING = ("top", "bottom", "bounds", "breaks", "where", "cuts", "start")
_STEPS = ("base", "widths")  # from one class to the next: nothing ends there
_FOLLOWING = {"retain", "epsilon", "scale"}  # from settings, published ranges and counts


def find_precise_parameters(steps: Iterable[Step]) -> Iterator[Finding]:
    """Yield the columns of which steps publish numbers of more digits than an analyst needs.

    Settings may have any digits: a person chose them, and they tell nothing of the data. Neither
    do the entries of matrices, which follow from settings and rounded shares.
    """
    for step in steps:
        stated = set(_numbers(step.settings))
        for name, public in step.public.items():
            precise = [
                parameter
                for parameter, value in public.items()
                if isinstance(value, float) and parameter not in _FOLLOWING
                if _is_precise(value) and value not in stated
            ]
            if precise:
                yield _finding(step.method, name, precise)


def _numbers(settings: Any) -> Iterator[float]:
    """Yield all numbers in settings, however deep."""
    if isinstance(settings, Mapping):
        settings = list(settings.values())
    if isinstance(settings, list | tuple):
        for part in settings:
            yield from _numbers(part)
    elif isinstance(settings, int | float):
        yield float(settings)


def _is_precise(number: float) -> bool:
    """Return whether a number has more than a few significant digits."""
    return float(f"{number:.{_DIGITS}g}") != number


def _finding(method: str, column: str, parameters: list[str]) -> Finding:
    facts = {"method": method, "column": column, "parameters": ", ".join(parameters)}
    detail = Message(
        "{method} publishes {parameters} of '{column}' with so many digits that anyone who knows "
        "all records but one can compute the last.",
        **facts,
    )
    remedy = Message("State the parameter, or have the method round it before it draws.")
    return Finding("precise-parameters", (column,), 0, "stop", detail, remedy)


def find_told_labels(before: Microdata, pair: MaskedPair) -> Iterator[Finding]:
    """Yield the columns of which the recipe names values or bounds of few, or what was taken out.

    A recipe is released so that it can be replayed: what a person wrote into it is public. That
    is every text of its settings, the numbers of its rules, stated orders, and the words that were
    read as no value.

    Parameters
    ----------
    before
        The original, with the records that were left out.
    pair
        Records of the original and of the masked table, and what was done.
    """
    settings = [step.settings for step in pair.steps]
    for column in before.columns:
        if column.name not in pair.after:
            continue
        removing = [_part(stated, "where", column.name) for stated in settings]
        mapped = [_part(stated, "maps", column.name) for stated in settings]
        told = partial(_records_told, pair, column)
        count = max(
            told(_labels(removing), removed=True),
            told(_labels(mapped) | _compared(column, settings), removed=False),
            *(_few_meeting(column, condition) for condition in removing),
            _records_named(pair, column, settings, before.names),
            told(_labels([_part(before.reading, "orders", column.name)]), drawn_too=True),
            _few_absent(column, before.reading),
        )
        if count:
            yield _told(column.name, count)
        elif beyond := max(_few_at_bounds(column, pair.steps), default=0):
            yield _bounding(column.name, beyond)
        if joined := _rare_joined(column, pair):
            yield _joining(column.name, joined)


def _rare_joined(column: Column, pair: MaskedPair) -> int:
    """Return how many rare labels are named by those that recoding or Mondrian has joined."""
    masking = [step for step in pair.steps if column.name in step.columns]
    separators = [
        step.settings.get("separator", " | ")
        for step in masking
        if step.method in {"GlobalRecode", "Mondrian"}
        if step.settings.get("merged_label") is None
    ]
    if isinstance(column, Numeric) or not separators:
        return 0
    before = _occurring(column, numbers=False)
    made = set(_occurring(pair.after[column.name], numbers=False)) - set(before)
    named = {part for label in made for between in separators for part in label.split(str(between))}
    return sum(0 < before.get(part, 0) < _FEW for part in named)


def _part(settings: Mapping[str, Any], name: str, column: str) -> Any:
    """Return what a setting by column says of one column."""
    stated = settings.get(name)
    return stated.get(column, ()) if isinstance(stated, Mapping) else ()


def _labels(stated: Iterable[Any]) -> set[str]:
    """Return the labels of lists and maps; a text is a condition."""
    return {str(label) for labels in stated if not isinstance(labels, str) for label in labels}


def _few_meeting(column: Column, condition: Any) -> int:
    """Return how many records a comparison takes out, where they are few."""
    if not isinstance(condition, str) or not isinstance(column, Numeric):
        return 0
    count = int(RemoveRecords.meeting(column, condition).sum())
    return count if count < _FEW else 0


def _few_at_bounds(column: Column, steps: Iterable[Step]) -> Iterator[int]:
    """Yield how many records are given away by each number that steps state of a column."""
    for step in steps:
        for number in (*_stated(column.name, step, _BOUNDING), *_ruled(column.name, step)):
            yield _few_at(column, number)
        for number in _stated(column.name, step, _STEPS):
            yield _few_at(column, number, ends=False)


def _stated(name: str, step: Step, keys: Iterable[str]) -> Iterator[float]:
    """Yield the numbers that settings and the hierarchy of a column state of it."""
    hierarchy = _part(step.settings, "hierarchies", name)
    words = hierarchy.items() if isinstance(hierarchy, Mapping) else ()
    settings = {**step.settings, **{word: {name: value} for word, value in words}}
    for key in keys:
        stated: Any = settings.get(key)
        if isinstance(stated, Mapping):
            stated = stated.get(name)
        elif name not in step.columns:
            continue
        is_condition = key == "where" and isinstance(stated, str)
        yield from map(float, _NUMBER.findall(stated)) if is_condition else _numbers(stated)


def _ruled(name: str, step: Step) -> Iterator[float]:
    """Yield the numbers of a column in edit rules."""
    for rule in map(EditRule.parse, _rules(step.settings)):
        for part in (*rule.conditions, *rule.consequences):
            if part.column == name and isinstance(part.value, float):
                yield part.value


def _few_at(column: Column, bound: float, *, ends: bool = True) -> int:
    """Return how many records a bound gives away: those at and beyond it, or those right at it.

    A round figure is nobody's, and neither is one that nobody reaches or that many share. Nobody
    is beyond a number where nothing ``ends``.
    """
    if not isinstance(column, Numeric) or _is_round(bound) or _begins_month(column, bound):
        return 0
    values = column.values[column.known]
    tail = int(min((values >= bound).sum(), (values <= bound).sum())) if ends else 0
    exact = int((values == bound).sum()) if _is_precise(bound) else 0
    return next((count for count in (tail, exact) if 0 < count < _FEW), 0)


def _is_round(number: float) -> bool:
    """Return whether anybody would name a number: 0, 1, 2, 5, 40, 65, 300, 1500.

    Examples
    --------
    >>> [number for number in (0, 5, 7, 65, 80, 97, 110, 1500, 987654) if _is_round(number)]
    [0, 5, 65, 80, 1500]
    """
    digits = f"{abs(number):.15e}".split("e")[0].replace(".", "").rstrip("0")
    if len(digits) == 1:
        return digits in "125" or abs(number) >= 10
    return not digits or (len(digits) == 2 and digits[1] == "5")


def _begins_month(column: Column, number: float) -> bool:
    """Return whether a number is the first day of a month, as anybody would name one."""
    if not is_dated(column):
        return False
    (date,) = dates_of(column, np.array([number]))
    return bool(date == date.astype("datetime64[M]"))


def _rules(settings: Mapping[str, Any]) -> Iterable[str]:
    """Return the edit rules of a step as they were written."""
    return settings.get("rules") or ()


def _compared(column: Column, settings: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the values of a column that edit rules name, as labels.

    A bound counts where few are beyond it: of others, it is the bound that is meant.
    """
    rules = [EditRule.parse(text) for stated in settings for text in _rules(stated)]
    parts = [part for rule in rules for part in rule.conditions if part.word != "whole"]
    parts += [part for rule in rules for part in rule.consequences if part.word == "!="]
    named: set[str] = set()
    for part in parts:
        value = part.value
        if part.column != column.name or not isinstance(value, float | str):
            continue
        if not isinstance(column, Numeric):
            named.add(f"{value:g}" if isinstance(value, float) else value)
        elif isinstance(value, float) and (
            part.word in {"==", "!="} or _few_meeting(column, f"{part.word} {value:f}")
        ):
            named.add(str(value))
    return named


def _records_named(
    pair: MaskedPair, before: Column, settings: Iterable[Any], names: Iterable[str]
) -> int:
    """Return how many records had rare labels that are named anywhere in settings.

    Numbers are left out: hierarchies list them whether or not somebody has them.
    """
    if isinstance(before, Numeric):
        return 0
    named = {text for stated in settings for text in _texts(stated, before.name, set(names))}
    return _records_told(pair, before, named - set(names), drawn_too=True)


def _texts(stated: Any, column: str, names: set[str]) -> Iterator[str]:
    """Yield all texts in settings, however deep, and what they quote; not of other columns."""
    if isinstance(stated, Hierarchy):
        stated = stated.ways()
    elif isinstance(stated, Tree):
        stated = stated.parents
    if isinstance(stated, str):
        yield stated
        yield from (text for pair in _QUOTED.findall(stated) for text in pair if text)
    elif isinstance(stated, Mapping):
        for name, part in stated.items():
            if name == column or name not in names:
                yield str(name)
                yield from _texts(part, column, names)
    elif isinstance(stated, Iterable):
        for part in stated:
            yield from _texts(part, column, names)


def _few_absent(column: Column, reading: Mapping[str, Any]) -> int:
    """Return how many records have no value by a word that looks like one, where they are few."""
    for setting, absent in (
        ("missing", column.missing),
        ("not_applicable", column.not_applicable),
    ):
        stated = reading.get(setting)
        by_column = stated if isinstance(stated, Mapping) else {"*": stated or ()}
        stands_for_none = [*by_column.get("*", ()), *by_column.get(column.name, ())]
        count = int(absent.sum())
        if count < _FEW and not all(_says_nothing(str(word)) for word in stands_for_none):
            return count
    return 0


def _says_nothing(word: str) -> bool:
    """Return whether a word stands for no value in many files: "n/a", "999", "-1", "x"."""
    usual = words("missing") | words("not_applicable")
    return plain_text(word) in usual or _CODE.fullmatch(word.strip()) is not None


def _records_told(
    pair: MaskedPair,
    before: Column,
    labels: set[str],
    *,
    removed: bool = False,
    drawn_too: bool = False,
) -> int:
    """Return how many records had labels that are rare, or were taken out, and are named.

    What the release shows is no news; where it was drawn, somebody who is left must have had it,
    unless ``drawn_too``.
    """
    if not labels:
        return 0
    numbers = isinstance(before, Numeric)
    shown = set(_occurring(pair.after[before.name], numbers=numbers))
    shown |= {part for label in shown for part in _JOINED.split(label)}
    if before.name in pair.drawn and not drawn_too:
        shown &= _occurring(pair.before[before.name], numbers=numbers).keys()
    hidden = {_spelled(label, numbers=numbers) for label in labels} - shown
    return sum(
        count
        for label, count in _occurring(before, numbers=numbers).items()
        if label in hidden and (removed or count < _FEW)
    )


def _occurring(column: Column, *, numbers: bool) -> dict[str, int]:
    """Return the labels that records have, and how many have each."""
    coded = column.coded
    codes, counts = np.unique(coded.codes[coded.codes >= 0], return_counts=True)
    labels = (_spelled(coded.labels[code], numbers=numbers) for code in codes)
    return dict(zip(labels, counts.tolist(), strict=True))


def _spelled(label: object, *, numbers: bool) -> str:
    """Return a label as text; numbers in one spelling."""
    with suppress(ValueError):
        return str(float(str(label))) if numbers else str(label)
    return str(label)


def _bounding(column: str, count: int) -> Finding:
    detail = Message(
        "The recipe names a bound of '{column}' that only {count} {count:record reaches|records "
        "reach}; anyone who reads it learns about what they had.",
        column=column,
        count=count,
    )
    remedy = Message("State a round number, or one that nobody reaches or that many share.")
    return Finding("recipe-values", (column,), count, "stop", detail, remedy)


def _joining(column: str, count: int) -> Finding:
    detail = Message(
        "Joined labels of '{column}' name {count} {count:value|values} that few records had; "
        "anyone who reads them learns that {count:it|they} existed.",
        column=column,
        count=count,
    )
    remedy = Message(
        'Give rare values a neutral name first (--step "global-recode: min_share = 0.01, '
        "merged_label = 'other'\"), unless everybody knows the list, as that of a classification."
    )
    return Finding("recipe-values", (column,), count, "note", detail, remedy)


def _told(column: str, count: int) -> Finding:
    detail = Message(
        "The recipe names values of '{column}' that {count} {count:record|records} had but the "
        "release does not show; anyone who reads it learns that they existed.",
        column=column,
        count=count,
    )
    remedy = Message(
        "Merge rare values by their share (min_share) in place of naming them. Accept it if "
        "everybody knows the list, as that of a classification."
    )
    return Finding("recipe-values", (column,), count, "stop", detail, remedy)
