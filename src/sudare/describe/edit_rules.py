"""Edit rules: what every record must satisfy, written as a sentence, parsed and never executed.

::

    age is whole
    age from 16 to 90
    start <= end
    state == "none" implies time == 10
    sex == "male" and age < 15 implies `marital status` == "single"
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sudare.core import (
    Categorical,
    Column,
    ColumnError,
    Flags,
    Microdata,
    Numeric,
    SettingError,
    check_known,
    not_counted,
)
from sudare.describe.hierarchies import ALL

_TOKEN = re.compile(r'"[^"]*"|`[^`]*`|==|!=|<=|>=|<|>|[^\s<>=!"`]+')
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_PASSES = 4  # a repair may break a rule before it


@dataclass(frozen=True)
class Name:
    """The name of a column that another is compared with."""

    column: str


@dataclass(frozen=True)
class Part:
    """One comparison: of a column with a number, a label, another column, or being whole."""

    column: str
    word: str
    value: float | str | Name = 0.0

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at."""
        return (self.column, self.value.column) if isinstance(self.value, Name) else (self.column,)

    @property
    def takes_numbers(self) -> bool:
        """Whether it asks for the numbers of its columns, not for a label."""
        return self.word not in {"==", "!="} or not isinstance(self.value, str)

    def answers(self, data: Microdata) -> tuple[Flags, Flags]:
        """Return where it holds and where it does not; where a value is absent, neither."""
        column = data[self.column]
        known = column.known
        if isinstance(self.value, Name):
            other = _numbers(data[self.value.column])
            known = known & other.known
            holds = _COMPARED[self.word](_numbers(column).values, other.values)
        elif self.word == "whole":
            values = _numbers(column).values
            holds = values == np.rint(values)
        elif isinstance(column, Numeric):
            holds = _COMPARED[self.word](column.values, _number(self))
        else:
            equal = np.array([*(_same(label, self.value) for label in column.coded.labels), False])
            holds = equal[np.maximum(column.coded.codes, -1)]
            holds = _COMPARED[self.word](holds, _one_of_two(self))
        return known & holds, known & ~holds

    def repaired(self, data: Microdata, where: Flags) -> Column | None:
        """Return the column with the nearest values that satisfy it; None where none is nearest."""
        column = data[self.column]
        if isinstance(column, Categorical):
            labels = [
                number for number, label in enumerate(column.labels) if _same(label, self.value)
            ]
            if self.word != "==" or not labels:
                return None
            return replace(column, codes=np.where(where, labels[0], column.codes))
        if self.word in {"!=", "<", ">"} or not isinstance(column, Numeric):
            return None
        if self.word == "whole":
            values = np.rint(column.values)
        elif isinstance(self.value, Name):
            values = _numbers(data[self.value.column]).values
        else:
            values = np.full(column.rows, _number(self))
        return replace(column, values=np.where(where, values, column.values))


@dataclass(frozen=True)
class EditRule:
    """Where all conditions hold, all consequences must.

    Attributes
    ----------
    text
        As it was written.
    conditions, consequences
        Without conditions, the consequences must hold everywhere.
    """

    text: str
    conditions: tuple[Part, ...]
    consequences: tuple[Part, ...]

    @classmethod
    def parse(cls, text: str) -> "EditRule":
        """Return a rule from its sentence.

        Examples
        --------
        >>> rule = EditRule.parse('state == "none" implies time == 10')
        >>> rule.conditions[0].column, rule.consequences[0].value
        ('state', 10.0)
        """
        tokens = _TOKEN.findall(text)
        if "".join(tokens) != re.sub(r'\s+(?=(?:[^"`]*["`][^"`]*["`])*[^"`]*$)', "", text):
            raise _unreadable(text)
        sides = _split(tokens, "implies")
        if not 1 <= len(sides) <= 2:
            raise _unreadable(text)
        parts = [
            tuple(part for tokens in _split(side, "and") for part in _parts(tokens, text))
            for side in sides
        ]
        return cls(text, *((), parts[0]) if len(parts) == 1 else parts)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at."""
        parts = (*self.conditions, *self.consequences)
        return tuple(dict.fromkeys(name for part in parts for name in part.columns))

    def about_classes(self, data: Microdata, original: Microdata | None = None) -> bool:
        """Return whether it asks for numbers of a column that masking put into classes.

        Of such a column it says nothing: 40–49 is neither whole nor at most 45. A column that has
        numbers in the original, if that is given, and none any more is such a one.
        """
        parts = (*self.conditions, *self.consequences)
        asked = {name for part in parts if part.takes_numbers for name in part.columns}
        for name in asked & set(data.names):
            kind = not_counted(data, name)
            column = kind if isinstance(kind, Numeric) else data[name]
            had = original is not None and name in original and isinstance(original[name], Numeric)
            if _holds_classes(column) or (had and not isinstance(column, Numeric)):
                return True
        return False

    def applies(self, data: Microdata) -> Flags:
        """Return where all conditions hold."""
        applies = np.ones(data.rows, np.bool_)
        for part in self.conditions:
            applies &= part.answers(data)[0]
        return applies

    def broken(self, data: Microdata) -> Flags:
        """Return which records break it; one without a value breaks nothing, shape (n,)."""
        broken = np.zeros(data.rows, np.bool_)
        for part in self.consequences:
            broken |= part.answers(data)[1]
        return broken & self.applies(data)

    def check(self, data: Microdata) -> None:
        """Refuse a rule for columns that are not there, or that cannot be compared so."""
        check_known("column", self.columns, data.names)
        asked = Microdata(tuple(not_counted(data, name) for name in self.columns))
        first = asked.take(np.arange(min(asked.rows, 1)))
        for part in (*self.conditions, *self.consequences):
            part.answers(first)


def applicable(
    texts: Sequence[str], data: Microdata, original: Microdata | None = None
) -> tuple[EditRule, ...]:
    """Return the rules, checked, without those that say nothing of classes of numbers."""
    rules = (EditRule.parse(text) for text in texts)
    judged = tuple(rule for rule in rules if not rule.about_classes(data, original))
    for rule in judged:
        rule.check(data)
    return judged


def _breaking(data: Microdata, rules: Sequence[EditRule]) -> Flags:
    """Return which records break any rule, shape (n,)."""
    flags = np.zeros(data.rows, np.bool_)
    for rule in rules:
        flags |= rule.broken(data)
    return flags


def edited(
    data: Microdata, rules: Sequence[EditRule], columns: Collection[str] | None = None
) -> Microdata:
    """Return the table with what breaks a rule put to the nearest value that does not.

    Rules are taken in their order, and again while one is broken, a few times. What has no nearest
    value (``!=``, ``<``, ``>``) stays, and so do other columns than those named.
    """
    for _ in range(_PASSES):
        if not _breaking(data, rules).any():
            break
        for rule in rules:
            for part in rule.consequences:
                if columns is not None and part.column not in columns:
                    continue
                where = part.answers(data)[1] & rule.applies(data)
                column = part.repaired(data, where) if where.any() else None
                data = data if column is None else data.replacing([column])
    return data


def _parts(tokens: Sequence[str], text: str) -> tuple[Part, ...]:
    match tokens:
        case (column, "is", "whole"):
            return (Part(_name(column), "whole"),)
        case (column, "from", low, "to", high) if _is_number(low) and _is_number(high):
            return Part(_name(column), ">=", float(low)), Part(_name(column), "<=", float(high))
        case (column, word, value) if word in _COMPARED:
            return (Part(_name(column), word, _value(value)),)
    raise _unreadable(text)


def _value(token: str) -> float | str | Name:
    if token.startswith('"'):
        return token[1:-1]
    return float(token) if _is_number(token) else Name(_name(token))


def _is_number(token: str) -> bool:
    return _NUMBER.fullmatch(token) is not None


def _name(token: str) -> str:
    return token[1:-1] if token.startswith("`") else token


def _split(tokens: Sequence[str], word: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == word:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _same(label: object, value: object) -> bool:
    """Return whether a label is what a rule says; numbers in any spelling."""
    if isinstance(label, int | float) and isinstance(value, float):
        return float(label) == value
    return str(label) == (f"{value:g}" if isinstance(value, float) else value)


def _holds_classes(column: Column) -> bool:
    """Return whether a column has classes of numbers in order, such as 40–49, [40, 50) or all."""
    if not isinstance(column, Categorical):
        return False
    labels = [str(label) for label in column.labels if label != ALL]
    if column.scale != "ordinal" or not labels:
        return not labels and ALL in column.labels
    classes = all(any(sign.isdigit() for sign in label) for label in labels)
    return classes and not all(map(_is_number, labels))


def _numbers(column: Column) -> Numeric:
    if isinstance(column, Numeric):
        return column
    raise ColumnError(
        "an edit rule takes the numbers of column '{column}', which holds categories.",
        column=column.name,
    )


def _number(part: Part) -> float:
    if isinstance(part.value, float):
        return part.value
    raise ColumnError(
        "an edit rule compares column '{column}', which holds numbers, with text; write the number "
        "without quotes.",
        column=part.column,
    )


def _one_of_two(part: Part) -> bool:
    if part.word in {"==", "!="}:
        return True
    raise ColumnError(
        "an edit rule takes the order of column '{column}', which holds categories; only == and != "
        "compare them.",
        column=part.column,
    )


def _unreadable(text: str) -> SettingError:
    return SettingError(
        "an edit rule cannot be read: {rule}. Write 'age is whole', 'age from 16 to 90', "
        "'start <= end' or 'state == \"none\" implies time == 10'.",
        rule=text,
    )
