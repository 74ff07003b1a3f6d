"""What maskers and measures share: settings, and which columns they are for."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from sudare.core.errors import ColumnError, InputError
from sudare.core.messages import say
from sudare.core.settings import Declared
from sudare.core.table import Categorical, Column, Microdata, Numeric
from sudare.core.types import Role

Takes = Literal["categories", "numbers", "ordered", "any"]
_IN_WORDS = {"ordered": "numbers or ordered categories"}


class Method(Declared):
    """A method with settings that works on columns.

    Class facts
    -----------
    takes
        What the columns must hold: "categories", "numbers", "ordered" (numbers or ordinal
        categories) or "any".
    roles
        The roles it is for when no columns are named.
    """

    takes: ClassVar[Takes] = "any"
    roles: ClassVar[tuple[Role, ...]]

    columns: Annotated[
        tuple[str, ...] | None, "columns to work on; by default those whose role calls for it"
    ] = None

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, or those whose role fits; refuse what does not suit."""
        named = self.columns
        if named is None:
            named = tuple(c.name for c in data.columns if c.role in self.roles and self._suits(c))
        if not named and self.takes == "any":
            raise ColumnError(
                "{method}: no column has the role {roles}; name the columns, or give one that "
                "role.",
                method=type(self).__name__,
                roles=f" {say(' or ').strip()} ".join(self.roles),
            )
        if not named:
            raise ColumnError(
                "{method}: no column with the role {roles} holds {takes}; name the columns, or "
                "give them that role.",
                method=type(self).__name__,
                roles=f" {say(' or ').strip()} ".join(self.roles),
                takes=say(_IN_WORDS.get(self.takes, self.takes)),
            )
        held = {column.name: column for column in data.columns}  # nothing is counted for it
        for name in named:
            if not self._suits(held.get(name) or data[name]):
                raise ColumnError(
                    "{method}: column '{column}' does not hold {takes}.",
                    method=type(self).__name__,
                    column=name,
                    takes=say(_IN_WORDS.get(self.takes, self.takes)),
                )
        return named

    def refuse_empty(self, data: Microdata, names: Iterable[str]) -> None:
        """Refuse columns without values."""
        for name in names:
            if not data.has_values(name):
                raise ColumnError(
                    "{method}: column '{column}' has no values; leave it out, or give it another "
                    "role.",
                    method=type(self).__name__,
                    column=name,
                )

    def _suits(self, column: Column) -> bool:
        if self.takes == "ordered":
            return isinstance(column, Numeric) or column.scale == "ordinal"
        wanted = {"categories": Categorical, "numbers": Numeric, "any": Column}[self.takes]
        return isinstance(column, wanted)


def check_table(method: str, data: object) -> None:
    """Refuse what is no table: a purchase history, what masking returned, a frame not yet read."""
    if isinstance(data, Microdata):
        return
    kind = type(data)
    if isinstance(getattr(data, "data", None), Microdata):
        raise InputError(
            "{method} is for tables; give the table of this {type}, which is its .data.",
            method=method,
            type=kind.__name__,
        )
    if kind.__module__.startswith("sudare.transactions."):
        raise InputError("{method} is for tables, not for purchase histories.", method=method)
    raise InputError(
        "{method} is for tables that were read, not for a {type}; use sudare.read(…) first.",
        method=method,
        type=kind.__name__,
    )
