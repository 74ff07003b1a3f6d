"""l-diversity: how many sensitive values a record with some keys may have."""

from typing import ClassVar

import numpy as np

from sudare.core import Floats, Kind, Needs, Result, Role, TablePair, Takes
from sudare.describe import (
    Diversity,
    Recursion,
    Sensitive,
    Spread,
    distinct,
    effective,
    recursive,
    sensitive_columns,
    spread,
    value_codes,
)
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import groups


class LDiversity(TableMeasure):
    """The least diversity of sensitive values among records with equal keys.

    Someone who knows a person's keys knows the class, and learns the sensitive value if all
    records of the class share it (diversity 1). What is counted in each class:

    - "distinct": the different values;
    - "entropy": the exponential of the entropy, so that l-diverse means at least log l;
    - "recursive": the largest l with r₁ < c · (r_l + … + r_m), where r₁ ≥ r₂ ≥ … are the counts of
      the values: the commonest is not too common even if l - 2 others are ruled out.

    The parts are the diversity by sensitive column, and the smallest of them is the value; the
    record detail is the diversity of each record's class. Missing and not-applicable values count
    as values of their own, among keys and sensitive values alike.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007). l-diversity: privacy beyond
    k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> LDiversity(columns=("sex",), sensitive=("condition",))(data).value
    2.0
    """

    kind: ClassVar[Kind] = "risk"
    needs: ClassVar[Needs] = "counts"
    takes: ClassVar[Takes] = "any"
    roles: ClassVar[tuple[Role, ...]] = ("key",)

    diversity: Diversity = "distinct"
    c: Recursion = 1.0
    sensitive: Sensitive = None

    def _measure(self, pair: TablePair) -> Result:
        named = sensitive_columns(type(self).__name__, pair.before, self.sensitive, pair.columns)
        after = pair.released([*pair.columns, *named])
        classes = groups([after[name] for name in pair.columns]).index
        spreads = {n: spread(classes, value_codes(after[n]), after.copies) for n in named}
        diversities = {name: self._diversity(given) for name, given in spreads.items()}
        smallest = np.min(list(diversities.values()), axis=0)
        return self.result(
            smallest.min(),
            best=min(len(given.shares) for given in spreads.values()),
            worst=1,
            parts={name: float(diversity.min()) for name, diversity in diversities.items()},
            by_record=smallest[classes] if pair.detail else None,
        )

    def _diversity(self, given: Spread) -> Floats:
        if self.diversity == "recursive":
            return recursive(given, self.c)
        return effective(given) if self.diversity == "entropy" else distinct(given)
