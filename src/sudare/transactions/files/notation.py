"""How cells are written: ``2011/3/5``, ``3.75``, ``{21724;22728}``, ``[1;12]``, ``*``."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from sudare.core import Integers
from sudare.transactions.files.problems import RefusedError
from sudare.transactions.history import Amount
from sudare.transactions.rules import HistoryRules

EPOCH = date(1970, 1, 1)
STAR = "*"
_DATE = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})", re.ASCII)
_PRICE = re.compile(r"(\d{1,9})(?:\.(\d{1,2}))?", re.ASCII)
_QUANTITY = re.compile(r"[1-9]\d{0,8}", re.ASCII)
_ITEM = re.compile(r"[A-Z0-9]+")
_CUSTOMER = re.compile(r"[A-Za-z0-9]{1,20}")
_PSEUDONYM = re.compile(r"[1-9][0-9]{0,8}")
_RANGE = re.compile(r"\[([^;\[\]]*);([^;\[\]]*)\]")


@dataclass(frozen=True)
class Cell:
    """An amount as it was written: a value, a range, or (low > high) nothing."""

    low: int
    high: int
    plain: bool


NOTHING = Cell(1, 0, plain=False)


def parse_date(text: str, rules: HistoryRules) -> int:
    """Return the days since 1970 of a date written y/m/d."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise RefusedError("a date is written 2011/3/5.")
    try:
        day = date(*map(int, match.groups()))
    except ValueError:
        raise RefusedError("there is no such day.") from None
    if not rules.first_date <= day <= rules.last_date:
        raise RefusedError(
            "the date must lie between {first} and {last}.",
            first=f"{rules.first_date:%Y/%m/%d}",
            last=f"{rules.last_date:%Y/%m/%d}",
        )
    return (day - EPOCH).days


def parse_price(text: str, rules: HistoryRules) -> int:
    """Return a price in hundredths."""
    match = _PRICE.fullmatch(text)
    if match is None:
        raise RefusedError("a price is a number with at most two decimals.")
    cents = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
    if not 1 <= cents <= rules.max_price_cents:
        raise RefusedError(
            "the price must lie between 0.01 and {highest}.", highest=rules.max_price_cents / 100
        )
    return cents


def parse_quantity(text: str, rules: HistoryRules) -> int:
    """Return a quantity."""
    if not _QUANTITY.fullmatch(text):
        raise RefusedError("a quantity is a whole number of 1 or more.")
    if int(text) > rules.max_quantity:
        raise RefusedError("the quantity must be at most {highest}.", highest=rules.max_quantity)
    return int(text)


PARSERS: dict[Amount, Callable[[str, HistoryRules], int]] = {
    "date": parse_date,
    "price": parse_price,
    "quantity": parse_quantity,
}


def parse_amount(text: str, column: Amount, rules: HistoryRules) -> Cell:
    """Return a cell of dates, prices or quantities."""
    if text == STAR:
        return NOTHING
    parse = PARSERS[column]
    if not text.startswith("["):
        value = parse(text, rules)
        return Cell(value, value, plain=True)
    match = _RANGE.fullmatch(text)
    if match is None:
        raise RefusedError("a range is written [lowest;highest].")
    low, high = parse(match[1], rules), parse(match[2], rules)
    if low > high:
        raise RefusedError("the ends of the range are in the wrong order.")
    return Cell(low, high, plain=False)


def parse_item(text: str, rules: HistoryRules) -> str:
    """Return an item as it stands."""
    if not is_item(text, rules.item_length):
        raise RefusedError(
            "an item is 1 to {most} capital letters and digits.", most=rules.item_length
        )
    return text


def is_item(text: str, most: int) -> bool:
    """Return whether a text can be an item, given the most characters it may have."""
    return len(text) <= most and _ITEM.fullmatch(text) is not None


def parse_items(text: str, rules: HistoryRules) -> tuple[tuple[str, ...], bool] | None:
    """Return the items of a cell, and whether it is a plain item; None where it is deleted."""
    if text == STAR:
        return None
    if not text.startswith("{"):
        return (parse_item(text, rules),), True
    if not text.endswith("}"):
        raise RefusedError("a set is written {{a;b}}.")
    names = text[1:-1].split(";")
    if len(names) > rules.set_size:
        raise RefusedError("a set has at most {limit} items.", limit=rules.set_size)
    if len(set(names)) < len(names):
        raise RefusedError("the set names an item twice.")
    return tuple(parse_item(name, rules) for name in names), False


def parse_pseudonym(text: str) -> int:
    """Return a pseudonym."""
    if not _PSEUDONYM.fullmatch(text):
        raise RefusedError(
            "a pseudonym is a whole number of at most nine digits, not starting with 0."
        )
    return int(text)


def is_customer(text: str) -> bool:
    """Return whether a text can name a customer."""
    return _CUSTOMER.fullmatch(text) is not None


def parse_customer(text: str) -> str:
    """Return a customer as it stands: letters and digits."""
    if not is_customer(text):
        raise RefusedError("a customer is at most 20 letters and digits.")
    return text


def write_date(days: int) -> str:
    """Return a date as y/m/d, without leading zeros."""
    day = EPOCH + timedelta(days=days)
    return f"{day.year}/{day.month}/{day.day}"


def write_price(cents: int) -> str:
    """Return a price without trailing zeros: 3.75, 852.8, 10."""
    whole, part = divmod(cents, 100)
    return f"{whole}.{part:02d}".rstrip("0").rstrip(".") if part else str(whole)


WRITERS: dict[Amount, Callable[[int], str]] = {
    "date": write_date,
    "price": write_price,
    "quantity": str,
}


def write_amounts(
    low: Integers, high: Integers, plain: Iterable[bool], column: Amount
) -> list[str]:
    """Return the cells of a column of amounts as text."""
    distinct = np.unique(np.concatenate([low, high]))
    word = dict(zip(distinct.tolist(), map(WRITERS[column], distinct.tolist()), strict=True))
    return [
        STAR if a > b else word[a] if value else f"[{word[a]};{word[b]}]"
        for a, b, value in zip(low.tolist(), high.tolist(), plain, strict=True)
    ]
