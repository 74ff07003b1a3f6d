"""What may be said about a table: roles, scales, types, words for absent values, and its file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, cast, get_args

from sudare.core import (
    ROLES,
    SCALES,
    Role,
    Scale,
    SettingError,
    by_column,
    check_known,
    check_words,
)

ColumnType = Literal["number", "integer", "text", "date"]
Words = Iterable[str] | Mapping[str, Iterable[str]]  # for all columns, or by column
Totals = Literal["skip", "keep"]

TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
EVERY_COLUMN = "*"


class FileOptions(TypedDict, total=False):
    """What may be said about a file; what is not said is found out."""

    encoding: str
    separator: str
    skip_rows: int
    header_rows: int
    totals: Totals
    sheet: str | int
    find_types: bool
    released: bool


LAYOUT = ("encoding", "separator", "skip_rows", "header_rows", "totals", "sheet")  # what people say


class Reading(FileOptions, total=False):
    """What may be said about a table; see :func:`read`."""

    roles: Mapping[str, Role]
    scales: Mapping[str, Scale]
    orders: Mapping[str, Iterable[str]]
    weights: str | None
    household: str | None
    missing: Words
    not_applicable: Words
    types: Mapping[str, ColumnType]


_ABOUT = tuple(name for name in Reading.__annotations__ if name not in FileOptions.__annotations__)


@dataclass(frozen=True)
class AbsentWords:
    """Words that mean that a cell has no value.

    Attributes
    ----------
    everywhere
        Words for all columns; the empty word is a blank cell.
    by_column
        More words for some columns.
    """

    everywhere: tuple[str, ...] = ()
    by_column: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, setting: str, given: Words) -> "AbsentWords":
        """Return the words for all columns or, from a mapping, by column ("*" for all).

        Examples
        --------
        >>> AbsentWords.of("missing", {"*": ["NA"], "income": ["999"]}).words("income")
        ('NA', '999')
        """
        lists = given if isinstance(given, Mapping) else {EVERY_COLUMN: given}
        if any(isinstance(w, str) or not isinstance(w, Iterable) for w in lists.values()):
            raise SettingError("{setting} must be a list of words.", setting=setting)
        listed = {name: tuple(map(str, words)) for name, words in lists.items()}
        return cls(listed.pop(EVERY_COLUMN, ()), listed)

    def and_in(self, columns: Iterable[str], word: str) -> "AbsentWords":
        """Return the words with one more for some columns."""
        more = {name: (*self.by_column.get(name, ()), word) for name in columns}
        return AbsentWords(self.everywhere, {**self.by_column, **more})

    def as_dict(self) -> dict[str, list[str]]:
        """Return the words by column, "*" for all, as ``of`` takes them."""
        stated = {EVERY_COLUMN: self.everywhere, **self.by_column}
        return {name: list(words) for name, words in stated.items() if words}

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words that count in a column."""
        return (*self.everywhere, *self.by_column.get(name, ()))

    def __bool__(self) -> bool:
        return bool(self.everywhere) or any(self.by_column.values())


@dataclass(frozen=True)
class ReadOptions:
    """How to read the columns of a table.

    Attributes
    ----------
    orders
        By column, the labels of an ordinal variable from lowest to highest.
    missing, not_applicable
        Words that mean "no answer" and "cannot have one".
    types
        By column, what its cells are, where that was stated.
    text
        Columns of plain text; if they were read as codes, their labels have no order of their own.
    untyped
        Whether the type of the text is still to be found (CSV).
    numbered
        Whether entries are records, so that their numbers can be named.
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    scales: Mapping[str, Scale] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: AbsentWords = AbsentWords()
    not_applicable: AbsentWords = AbsentWords()
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    text: frozenset[str] = frozenset()
    untyped: bool = False
    numbered: bool = True

    def __post_init__(self) -> None:
        check_words("role", self.roles, ROLES)
        check_words("scale", self.scales, SCALES)
        check_words("type", self.types, TYPES)

    def check(self, names: list[str]) -> None:
        """Refuse columns that do not exist."""
        worded = (*self.missing.by_column, *self.not_applicable.by_column)
        check_known(
            "column", [*self.roles, *self.scales, *self.orders, *self.types, *worded], names
        )

    def as_labels(self, name: str) -> bool:
        """Return whether the values of a column become labels, whatever their type."""
        return name in self.orders or self.scales.get(name) in {"nominal", "ordinal"}

    def type_of(self, name: str) -> ColumnType | None:
        """Return the type that a column must have: as stated, and weights are numbers."""
        return self.types.get(name, "number" if self.roles.get(name) == "weight" else None)

    def takes_numbers(self, name: str) -> bool:
        """Return whether numbers of a column are taken as they are, whatever their texts."""
        words = (*self.missing.words(name), *self.not_applicable.words(name))
        return not words and not self.as_labels(name) and self.type_of(name) in {None, "number"}

    def reads_text(self, name: str) -> bool:
        """Return whether text is read as something else: as stated, or as found by its cells."""
        stated = self.type_of(name)
        if stated is not None:
            return stated != "text"
        return self.untyped and name in self.text and name not in self.orders

    def as_dict(self) -> dict[str, Any]:
        """Return what was said about the columns, but not their roles, as keywords of ``read``."""
        said: dict[str, Any] = {
            "scales": dict(self.scales),
            "orders": {name: list(order) for name, order in self.orders.items()},
            "missing": self.missing.as_dict(),
            "not_applicable": self.not_applicable.as_dict(),
            "types": dict(self.types),
        }
        return {name: told for name, told in said.items() if told}

    @property
    def has_words(self) -> bool:
        """Whether any word is one for absent values."""
        return bool(self.missing) or bool(self.not_applicable)


def stated(reading: Reading) -> tuple[ReadOptions, FileOptions]:
    """Return what is said about the columns of a table, and what about its file."""
    file: dict[str, Any] = dict(reading)
    about: dict[str, Any] = {name: file.pop(name) for name in _ABOUT if name in file}
    check_known("option", file, FileOptions.__annotations__)
    for name, least in (("skip_rows", 0), ("header_rows", 0)):
        if file.get(name, least) < least:
            raise SettingError(
                "{name} must be {least} or more, got {value}.",
                name=name,
                least=least,
                value=file[name],
            )
    if file.get("totals", "skip") not in get_args(Totals):
        raise SettingError("totals must be one of {known}.", known=", ".join(get_args(Totals)))
    kinds: tuple[tuple[str, Role], ...] = (("weights", "weight"), ("household", "household"))
    named = {_column(about, word): role for word, role in kinds if about.get(word) is not None}
    orders = by_column("orders", about.get("orders"))
    if not all(isinstance(order, Iterable) for order in orders.values()):
        raise SettingError("{setting} must be a list of words.", setting="orders")
    options = ReadOptions(
        roles={**by_column("roles", about.get("roles")), **named},
        scales=by_column("scales", about.get("scales")),
        orders={name: tuple(map(str, order)) for name, order in orders.items()},
        missing=AbsentWords.of("missing", about.get("missing", ())),
        not_applicable=AbsentWords.of("not_applicable", about.get("not_applicable", ())),
        types=by_column("types", about.get("types")),
    )
    return options, cast("FileOptions", file)


def _column(about: Mapping[str, Any], setting: str) -> str:
    if not isinstance(about[setting], str):
        raise SettingError("{setting} must be the name of a column.", setting=setting)
    return str(about[setting])
