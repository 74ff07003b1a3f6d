"""Errors that users meet. Each names what is wrong and the way out, and no cell value.

::

    SudareError
    ├── InputError          a file or frame that cannot be taken as it is
    ├── ColumnError         a column that is absent or does not suit the method
    ├── SettingError        a setting outside its limits
    ├── MismatchError       a before and an after that do not belong together
    ├── OutputError         a file that cannot be written, or exists
    ├── TooLargeError       a table too large for what a method needs
    └── MissingPartError    an optional library that is not installed
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial

from sudare.core.messages import say


class SudareError(Exception):
    """A problem that the user can fix; renders itself in the current language."""

    def __init__(self, template: str, /, **facts: object) -> None:
        super().__init__(template)
        self.template = template
        self.facts = facts

    def __str__(self) -> str:
        return say(self.template, **self.facts)

    def __reduce__(self) -> tuple[object, ...]:
        return (partial(type(self), self.template, **self.facts), ())


class InputError(SudareError):
    """A file or frame that cannot be taken as it is."""


class ColumnError(SudareError):
    """A column that is absent or does not suit the method."""


class SettingError(SudareError):
    """A setting outside its limits."""


class MismatchError(SudareError):
    """A before and an after that do not belong together."""


class OutputError(SudareError):
    """A file that cannot be written, or exists already."""


class TooLargeError(SudareError):
    """A table that is not in memory, and a method that needs it to be."""


class MissingPartError(SudareError):
    """An optional library that is not installed."""


@contextmanager
def naming_column(name: str) -> Iterator[None]:
    """Say of which column an input is that is refused inside."""
    try:
        yield
    except InputError as error:
        raise ColumnError("column '{column}': {reason}", column=name, reason=str(error)) from None


def unknown_name(what: str, name: str, known: Iterable[str]) -> SudareError:
    """Return the error for a name that does not exist, with the nearest one that does.

    It is a :class:`ColumnError` for a column and a :class:`SettingError` for anything else.

    Examples
    --------
    >>> str(unknown_name("column", "ages", ["age", "sex"]))
    "there is no column 'ages'; did you mean 'age'?"
    """
    known = list(known)
    near = get_close_matches(str(name), known, n=1, cutoff=0.5)
    if near:
        error = ColumnError(
            "there is no {what} '{name}'; did you mean '{near}'?",
            what=say(what),
            name=name,
            near=near[0],
        )
    else:
        shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
        error = ColumnError(
            "there is no {what} '{name}'; available: {known}.",
            what=say(what),
            name=name,
            known=shown,
        )
    return error if what == "column" else SettingError(error.template, **error.facts)
