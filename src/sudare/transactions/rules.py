"""The rules of a contest of purchase histories: what a file may hold, and what counts as a hit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class HistoryRules:
    """What a masked file may hold, and when an attack on it is effective.

    The defaults are those of PWSCUP 2018.

    Attributes
    ----------
    first_date, last_date
        Dates of a file lie between these.
    max_price_cents, max_quantity
        Largest price, in hundredths, and largest quantity; the smallest of both is 1.
    item_length
        Most characters of an item.
    set_size
        Most items that one cell may name.
    line_length
        Most characters of a line.
    chance
        The paper's p: a customer of a safe file is named rightly with at most this probability.
    level
        The paper's α: how often a safe file may be called unsafe.
    weights
        What each column counts in the error of a file; by default 1.
    """

    first_date: date = date(2010, 1, 1)
    last_date: date = date(2011, 12, 31)
    max_price_cents: int = 9_999_999
    max_quantity: int = 999_999
    item_length: int = 9
    set_size: int = 100
    line_length: int = 8000
    chance: Fraction = Fraction(1, 3)
    level: Fraction = Fraction(1, 2000)
    weights: Mapping[str, float] = field(default_factory=dict)


PWSCUP_2018 = HistoryRules()
ANY_YEAR = HistoryRules(
    first_date=date.min,
    last_date=date.max,
    item_length=1000,
    max_price_cents=2**31 - 1,
    max_quantity=2**31 - 1,
)
