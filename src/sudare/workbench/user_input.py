"""What users write into fields: paths and numbers, or neither."""

import math
from pathlib import Path
from typing import TypeVar

from sudare.core import InputError, SettingError

_SHOWN = 200  # characters of a path that a message repeats
_LARGEST = 10**9
_LARGEST_SEED = 2**128 - 1
Number = TypeVar("Number", int, float)


def user_path(text: str) -> Path:
    """Return the path that a user wrote; whether something is there is not asked.

    Raises
    ------
    InputError
        When it begins with a user who is not known, or the system does not look there.
    """
    try:
        path = Path(text.strip()).expanduser()
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return path
    except (OSError, RuntimeError, ValueError):
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise InputError("the path '{path}' cannot be opened.", path=shown) from None
    return path


def whole_number(text: str, *, largest: int = _LARGEST) -> int | None:
    """Return a whole number that is not negative; None for another text, or a larger number.

    Examples
    --------
    >>> whole_number(" 12 "), whole_number("-1"), whole_number("9" * 5000)
    (12, None, None)
    """
    digits = text.strip()
    if not digits.isdecimal() or len(digits) > len(str(largest)):
        return None
    number = int(digits)
    return number if number <= largest else None


def required(number: Number | None, refusal: SettingError) -> Number:
    """Return the number that a user wrote; refuse what is none."""
    if number is None:
        raise refusal
    return number


def seed_number(text: str) -> int | None:
    """Return the seed that a user wrote, if any."""
    seed = whole_number(text, largest=_LARGEST_SEED)
    if text.strip() and seed is None:
        raise SettingError("a seed is a whole number of at most 38 digits.")
    return seed


def finite_number(text: str) -> float | None:
    """Return a number, whole where it is; None for another text, or one without end.

    Examples
    --------
    >>> finite_number("5"), finite_number("0.5"), finite_number("1e400"), finite_number("nan")
    (5, 0.5, None, None)
    """
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number
