"""Purchase histories like those of an online wholesaler, for machines without the real ones."""

import numpy as np

from sudare.core import Floats, Integers, Seed, SettingError, draws_from
from sudare.transactions import History

_FIRST_DAY, _DAYS = 14944, 365  # from 2010-12-01 to 2011-11-30
_ITEMS = 3246
_PACKS = np.array([1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 25, 36, 48, 96])
_PACK_SHARE = np.array([16, 11, 5, 6, 11, 4, 6, 17, 2, 2, 11, 2, 2, 3, 2]) / 100


def purchases_like(customers: int = 1000, seed: Seed = 0) -> History:
    """Return a purchase history in the manner of the 2018 contest's.

    Customers buy on a few days, many items a day; how many rows a customer has is skewed (median
    about 40, mean about 90), some items sell far better than others, each customer has a taste,
    each item a price that seldom changes, and quantities come in packs.

    Parameters
    ----------
    customers
        How many customers; each has at least one purchase.
    seed
        Same seed, same history.

    Examples
    --------
    >>> purchases_like(100, seed=1)
    <History 9387 rows: 100 customers, 2699 items>
    """
    if customers < 1:
        raise SettingError("purchases_like: customers must be at least 1, got {n}.", n=customers)
    random = np.random.Generator(np.random.Philox(draws_from(seed).seed % 2**64))
    rows = np.maximum(random.lognormal(3.7, 1.2, customers), 1).astype(np.int64)
    rows = np.minimum(rows, 2500)
    who = np.repeat(np.arange(customers), rows)
    items = _items(random, who, customers)
    usual = np.round(np.exp(random.normal(0.75, 0.85, _ITEMS)) * 20) * 5 - 1
    prices = np.maximum(usual, 4)[items] * np.where(random.random(len(who)) < 0.08, 0.85, 1.0)
    quantities = _PACKS[random.choice(len(_PACKS), len(who), p=_PACK_SHARE)]
    bulk = random.random(len(who)) < 0.01
    quantities = quantities * np.where(bulk, random.integers(4, 30, len(who)), 1)
    return History.from_rows(
        (12346 + who * 6).astype(str).tolist(),
        _FIRST_DAY + _days(random, who, rows),
        (20000 + items).astype(str).tolist(),
        np.round(prices).astype(np.int64),
        quantities.astype(np.int64),
    )


def _items(random: np.random.Generator, who: Integers, customers: int) -> Integers:
    """Return an item for every row: mostly of the customer's two families, by popularity."""
    popularity: Floats = np.arange(1.0, _ITEMS + 1) ** -0.6
    family = random.integers(30, size=_ITEMS)
    taste = random.integers(30, size=(customers, 2))[who, random.integers(2, size=len(who))]
    loyal = random.random(len(who)) < 0.4
    items: Integers = random.choice(_ITEMS, len(who), p=popularity / popularity.sum())
    for number in range(30):
        mine = np.flatnonzero(loyal & (taste == number))
        shelf = np.flatnonzero(family == number)
        share = popularity[shelf] / popularity[shelf].sum()
        items[mine] = random.choice(shelf, len(mine), p=share)
    return items


def _days(random: np.random.Generator, who: Integers, rows: Integers) -> Integers:
    """Return a day for every row: each customer comes once, and once more per 33 rows."""
    visits = 1 + random.poisson(rows / 33)
    starts = np.concatenate([[0], np.cumsum(visits)[:-1]])
    day = np.minimum(_DAYS * random.beta(1.3, 1.0, int(visits.sum())), _DAYS - 1).astype(np.int64)
    visit = (random.random(len(who)) * visits[who]).astype(np.int64)
    return day[starts[who] + visit]
