"""Minimal sample uniques: the smallest sets of keys on which a record is alone.

Sets of columns are visited in the order of their bits, so that every part of a set comes before it.
The records with equal values on a set are split by one more column; who is alone is noted if it is
not on any part, and leaves, and so does a group in which nobody can become alone. The column with
most categories comes last: all sets with it are below it, and little is left of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import MISSING, Array, Codes, Column, Flags, Integers, SettingError
from sudare.engine.counting import Groups, check_column_count, groups

_MOST_PLACES = 2**27  # rows that match all times the values they match: half a gigabyte
_MOST_COLUMNS = 60  # a set of columns is the bits of one whole number


@dataclass(frozen=True, eq=False)
class MinimalUniques:
    """The minimal uniques of a table.

    Attributes
    ----------
    record
        Whose it is, shape (u,).
    members
        The columns, as bits of a whole number, shape (u,).
    columns
        Number of columns.
    """

    record: Integers
    members: Integers
    columns: int

    @property
    def sizes(self) -> Integers:
        """Number of columns of each, shape (u,)."""
        return np.bitwise_count(self.members).astype(np.int64)

    def holding(self, column: int) -> Flags:
        """Return which of them hold a column."""
        return self.members >> column & 1 == 1


def minimal_uniques(
    columns: Sequence[Column],
    max_size: int,
    *,
    wildcard: bool = False,
    kinds: Groups | None = None,
) -> MinimalUniques:
    """Return all sets of up to ``max_size`` columns on which a record is alone, but on no part.

    Parameters
    ----------
    columns
        The keys; not applicable is a value like any other.
    max_size
        The largest set that is looked at.
    wildcard
        Whether a missing value matches every value; otherwise missing is a value.
    kinds
        The groups of equal records, where they are known.

    References
    ----------
    Manning, Haglin and Keane (2008). A recursive search algorithm for statistical disclosure
    assessment. Data Mining and Knowledge Discovery 16(2). The search is ours.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> sex = Categorical("sex", np.array([0, 0, 1, 1]), ("f", "m"))
    >>> job = Categorical("job", np.array([0, 1, 1, 1]), ("a", "b"))
    >>> uniques = minimal_uniques([sex, job], 2)
    >>> uniques.record.tolist(), uniques.members.tolist()  # job alone; sex and job together
    ([0, 1], [2, 3])
    """
    check_column_count(columns, _MOST_COLUMNS)
    kinds = kinds or groups(columns)
    codes = [_codes(column.take(kinds.example), wildcard) for column in columns]
    for column, code in zip(columns, codes, strict=True):
        _check_places(column.name, code)
    order = np.argsort([code.max(initial=0) for code in codes], kind="stable")
    rows, bits = _search(np.stack([codes[index] for index in order]), kinds.sizes == 1, max_size)
    record, members = kinds.example[rows], np.zeros(len(bits), np.int64)
    for bit, index in enumerate(order):
        members |= (bits >> bit & 1) << int(index)
    order = np.lexsort((members, record))
    return MinimalUniques(record[order], members[order], len(columns))


def _codes(column: Column, wildcard: bool) -> Codes:  # noqa: FBT001
    codes = column.coded.codes
    moved: Codes = (codes + 2).astype(np.int32)  # the absent come first
    if wildcard:
        moved[codes == MISSING] = -1
    return moved


def _check_places(name: str, codes: Codes) -> None:
    missing, values = int((codes < 0).sum()), int(codes.max(initial=0)) + 1
    if missing * values > _MOST_PLACES:
        raise SettingError(
            "column '{column}' has {missing} missing values that would match {values} others each; "
            "recode it first, or treat missing as a category.",
            column=name,
            missing=missing,
            values=values,
        )


def _search(codes: Codes, single: Flags, depth: int) -> tuple[Array, Integers]:
    """Return row and columns of the minimal uniques of up to ``depth`` columns.

    All rows are one group to begin with. Where there is too little room for what is found, the
    search starts again with more.
    """
    from sudare.risk.keys._kernels import CHAINS_TOO_SHORT, KeyCodes, Pool, UniqueChains, visit

    m, d = codes.shape
    bits = np.left_shift(1, np.arange(m, dtype=np.int64))
    barred = np.where(single, bits @ (codes < 0), -1)  # several records are alone on no columns
    keys = KeyCodes(codes, (codes < 0).sum(axis=1), barred)
    used, length, room = -1, 4 * d, (min(depth, m) + 1) * d + 1
    while used < 0:
        table = np.zeros((4, int(codes.max(initial=0)) + 1), np.int32)
        last, before, row = (np.full(size, -1, np.int32) for size in (d, length, length))
        chains = UniqueChains(last, before, row, np.zeros(length, np.int64))
        pool = Pool(*np.empty((2, room), np.int32))
        pool.rows[:d], pool.ends[0] = np.arange(d), d
        used = visit(depth, keys, table, chains, pool)
        if used == CHAINS_TOO_SHORT:
            length *= 4
        else:
            room *= 4
    return chains.row[:used], chains.members[:used]
