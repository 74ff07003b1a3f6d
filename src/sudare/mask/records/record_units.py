"""What is kept or left out as a whole: records, or households with all their members."""

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from sudare.core import ColumnError, Flags, Floats, Integers, Microdata, MismatchError
from sudare.engine.counting import Groups, groups

Unit = Annotated[
    Literal["record", "household"],
    "what is kept or left out as a whole: each record, or households with all their members",
]


def units_of(method: str, data: Microdata, unit: str) -> Groups:
    """Return the units of a table: each record by itself, or its households.

    Records without a household number are units by themselves.
    """
    alone = np.arange(data.rows)
    if unit == "record":
        return Groups(np.ones(data.rows, np.int64), alone)
    named = data.with_role("household")
    if not named:
        raise ColumnError(
            "{method}: no column has the role 'household'; give one that role, or keep records one "
            "by one (unit = 'record').",
            method=method,
        )
    household = data[named[0]]
    index = groups([household]).index
    index = np.where(household.known, index, index.max(initial=0) + 1 + alone)
    _, index, sizes = np.unique(index, return_inverse=True, return_counts=True)
    return Groups(sizes, index)


def first_records(units: Groups) -> Integers:
    """Return the first record of each unit, shape (units,)."""
    first = np.full(len(units.sizes), len(units.index), np.int64)
    np.minimum.at(first, units.index, np.arange(len(units.index)))
    return first


def with_kept(data: Microdata, kept: Flags, factors: Floats | None) -> Microdata:
    """Return a table with some records only, their weights times a factor.

    Parameters
    ----------
    data
        The table.
    kept
        Which records stay, shape (n,).
    factors
        By which the weight of each record is multiplied, shape (n,); None leaves weights as they
        are, as does a table without weights.
    """
    weight = data.with_role("weight")
    if weight and factors is not None:
        column = data[weight[0]].numeric
        data = data.replacing([replace(column, values=column.values * factors)])
    return data.keeping(np.flatnonzero(kept))


def check_rows(method: str, data: Microdata, rows: int) -> None:
    """Refuse data that the plan was not learned from."""
    if data.rows != rows:
        raise MismatchError(
            "{method}: the plan was learned from {rows} records, these data have {other}; fit it "
            "again on these data.",
            method=method,
            rows=rows,
            other=data.rows,
        )
