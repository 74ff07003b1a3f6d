"""Household numbers: new ones instead of those of the survey, so that none can be looked up."""

import hashlib
from dataclasses import dataclass

import numpy as np

from sudare.core import Column, ColumnPlan, Draws, Label, Masker, Microdata, Numeric, Plan

_BITS = 53  # of a number: two of a million households have the same one in 18,000 releases


@dataclass(frozen=True, repr=False)
class HouseholdNumbersPlan(ColumnPlan):
    """Nothing but the columns: the seed alone says which number becomes which."""

    by_value = True

    def _mask(self, column: Column, draws: Draws) -> Column:
        coded, secret = column.coded, draws.secret(column.name)
        numbers = np.full(len(coded.labels) + 2, np.nan)  # codes -2 and -1 are the last two
        for code in np.unique(coded.codes[coded.known]).tolist():
            numbers[code] = _number(secret, coded.labels[code])
        absent = column.not_applicable if column.not_applicable.any() else None
        return Numeric(column.name, numbers[coded.codes], role=column.role, absent=absent)


def _number(secret: bytes, label: Label) -> int:
    text = str(int(label) if isinstance(label, float) and label.is_integer() else label)  # 1 is 1.0
    digest = hashlib.blake2b(text.encode(), digest_size=8, key=secret).digest()
    return int.from_bytes(digest, "big") >> (64 - _BITS)


class HouseholdNumbers(Masker):
    """Give households other numbers, the same one to all their members.

    The numbers of a survey can be looked up, and may tell place and order. The new ones are drawn
    by a keyed hash with the seed; without the seed, nobody can tell from a number what it was. A
    release renumbers households by itself (``sudare.publish``, ``sudare report``).

    References
    ----------
    Aumasson, Neves, Wilcox-O'Hearn and Winnerlein (2013). BLAKE2: simpler, smaller, fast as MD5.
    ACNS 2013.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, HouseholdNumbers(), seed=1).data
    >>> len(masked["household"].coded.labels) == len(data["household"].coded.labels)
    True
    """

    works_on = "rows"
    random = True
    roles = ("household",)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        return HouseholdNumbersPlan(self.step(columns, {}))
