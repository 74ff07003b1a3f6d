"""l-diversity: how many sensitive values a record with some keys may have."""

import numpy as np

from sudare.core import Column, Floats, Result, TablePair
from sudare.describe import (
    Diversity,
    Recursion,
    Sensitive,
    Spread,
    distinct,
    effective,
    recursive,
    sensitive_columns,
)
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import MissingKeys
from sudare.risk.keys.sensitive_classes import class_results


class LDiversity(TableMeasure):
    """The least diversity of sensitive values among records with equal keys.

    Someone who knows a person's keys knows the class, and learns the sensitive value if all
    records of the class share it (diversity 1). What is counted in each class:

    - "distinct": the different values;
    - "entropy": the exponential of the entropy, so that l-diverse means at least log l;
    - "recursive": the largest l with r₁ < c · (r_l + … + r_m), where r₁ ≥ r₂ ≥ … are the counts of
      the values: the commonest is not too common even if l - 2 others are ruled out.

    The parts are the diversity by sensitive column, and the smallest of them is the value; the
    record detail is the diversity of each record's class. Not applicable counts as a value of its
    own, and so does a missing sensitive value; a missing key counts by ``missing`` as in
    :class:`sudare.risk.KAnonymity`. Where keys match every value, a class is all records that match
    and those published with the same keys as one of them; classes then overlap. Limits are then
    judged by ``informed``, if that is smaller: the least diversity among records that look alike,
    below which no attacker gets who knows the suppressed keys.

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

    kind = "risk"
    of_release = True
    formula = "least number of different sensitive values in a group of records with equal keys"
    improved_by = "Wider groups of equal keys, or coarser sensitive values."
    needs = "counts"
    roles = ("key",)

    diversity: Diversity = "distinct"
    c: Recursion = 1.0
    sensitive: Sensitive = None
    missing: MissingKeys = "suppressed"

    def _measure(self, pair: TablePair) -> Result:
        named = sensitive_columns(type(self).__name__, pair.before, self.sensitive, pair.columns)
        values, results = class_results(pair, named, self.missing, self.figures, np.min)
        most = min(int(codes.max()) + 1 for codes in values.values())
        return self.result(best=most, worst=1, **results)

    def figures(self, column: Column, given: Spread) -> Floats:
        """Return the diversity of a sensitive column in each class, shape (classes,)."""
        if self.diversity == "recursive":
            return recursive(given, self.c)
        return effective(given) if self.diversity == "entropy" else distinct(given)
