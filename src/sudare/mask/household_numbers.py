"""Household numbers: others in place of those of the survey, so that none can be looked up."""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sudare.core.columns import Categorical, Column, Label
from sudare.core.draws import Draws
from sudare.core.masker import ColumnPlan, Masker, Plan, WorksOn
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.types import Role

_BYTES = 8  # two of ten million households have the same number once in 370,000 releases


@dataclass(frozen=True, repr=False)
class HouseholdNumbersPlan(ColumnPlan):
    """Nothing but the columns: the seed alone says which number becomes which."""

    def _mask(self, column: Column, draws: Draws) -> Column:
        coded = column.coded
        secret = draws.secret(column.name)
        present = np.unique(coded.codes[coded.known])
        numbers = [_number(secret, coded.labels[code]) for code in present.tolist()]
        order = np.argsort(np.array(numbers, dtype=object), kind="stable")
        place = np.full(len(coded.labels) + 2, -1, np.int32)  # codes -2 and -1 are the last two
        place[present[order]] = np.arange(len(present))
        place[-2:] = -2, -1
        labels = tuple(numbers[one] for one in order.tolist())
        return Categorical(coded.name, place[coded.codes], labels, role=coded.role, scale="nominal")


def _number(secret: bytes, label: Label) -> str:
    return hashlib.blake2b(str(label).encode(), digest_size=_BYTES, key=secret).hexdigest()


class HouseholdNumbers(Masker):
    """Give households other numbers, the same one to all their members.

    The numbers of a survey can be looked up, and may tell place and order. The new ones are drawn
    by a keyed hash with the seed; whoever lacks the seed cannot tell from a number what it was. A
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
    >>> len(set(masked["household"].labels)) == len(set(data["household"].coded.labels))
    True
    """

    works_on: ClassVar[WorksOn] = "rows"
    random: ClassVar[bool] = True
    takes: ClassVar[Takes] = "any"
    roles: ClassVar[tuple[Role, ...]] = ("household",)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        return HouseholdNumbersPlan(self.step(columns, {}))
