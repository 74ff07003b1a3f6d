"""How the columns of a table are to be read: roles, scales, types, and words for absent values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from sudare.core import ROLES, SCALES, Role, Scale, SettingError, check_words, unknown_name

ColumnType = Literal["number", "integer", "text", "date"]
Words = Iterable[str] | Mapping[str, Iterable[str]]  # for all columns, or by column

TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
EVERY_COLUMN = "*"


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

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words that count in a column."""
        return (*self.everywhere, *self.by_column.get(name, ()))

    def __bool__(self) -> bool:
        return bool(self.everywhere) or any(self.by_column.values())


@dataclass(frozen=True)
class ReadOptions:
    """How the columns of a table are to be read.

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

    def check(self, names: list[str]) -> None:
        """Refuse columns that do not exist and words that mean nothing."""
        worded = (*self.missing.by_column, *self.not_applicable.by_column)
        for name in (*self.roles, *self.scales, *self.orders, *self.types, *worded):
            if name not in names:
                raise unknown_name("column", name, names)
        check_words("role", self.roles, ROLES)
        check_words("scale", self.scales, SCALES)
        check_words("type", self.types, TYPES)

    def as_labels(self, name: str) -> bool:
        """Return whether the values of a column are to be labels, whatever their type."""
        return name in self.orders or self.scales.get(name) in {"nominal", "ordinal"}

    def type_of(self, name: str) -> ColumnType | None:
        """Return the type that a column must have: as stated, and weights are numbers."""
        return self.types.get(name, "number" if self.roles.get(name) == "weight" else None)

    def finds_type(self, name: str) -> bool:
        """Return whether the type of a column of text is found by its cells."""
        return self.untyped and name in self.text and name not in self.orders

    def reads_text(self, name: str) -> bool:
        """Return whether the text of a column is to be read as something else."""
        stated = self.type_of(name)
        return self.finds_type(name) if stated is None else stated != "text"

    @property
    def has_words(self) -> bool:
        """Whether any word is one for absent values."""
        return bool(self.missing) or bool(self.not_applicable)
