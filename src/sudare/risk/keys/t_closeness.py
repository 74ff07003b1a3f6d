"""t-closeness: how much more a record's keys tell about its sensitive value than the table does."""

import numpy as np

from sudare.core import Column, Floats, Result, TablePair
from sudare.describe import (
    Closeness,
    Sensitive,
    Spread,
    equal_distance,
    hierarchical_distance,
    is_ordered,
    ordered_distance,
    sensitive_columns,
    value_groups,
)
from sudare.describe.hierarchies import Declarations, declared
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import MissingKeys
from sudare.risk.keys.sensitive_classes import class_results


class TCloseness(TableMeasure):
    """The largest distance of the sensitive values of a class from those of the whole table.

    A class is all records with equal keys; the distance is the earth mover's between the shares of
    the values in the class and in the released table, where two values are apart

    - "equal": 1, whichever they are;
    - "ordered": the difference of their ranks among the values that occur, as a share of the
      largest; absent values rank last;
    - "hierarchical": i / H if they first meet at level i of a hierarchy of H levels above them.

    By default numbers and ordered categories are compared by rank, others as equal. The parts are
    the distance by sensitive column, and the largest of them is the value; the record detail is the
    distance of each record's class. Not applicable counts as a value of its own, and so does a
    missing sensitive value; a missing key counts by ``missing`` as in
    :class:`sudare.risk.KAnonymity`. Where keys match every value, a class is all records that match
    and those published with the same keys as one of them; classes then overlap. Limits are then
    judged by ``informed``, if that is larger: the largest distance among records that look alike,
    above which no attacker gets who knows the suppressed keys.

    References
    ----------
    Li, Li and Venkatasubramanian (2007). t-closeness: privacy beyond k-anonymity and l-diversity.
    ICDE 2007.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> round(TCloseness(columns=("sex",), sensitive=("condition",))(data).value, 4)
    0.0069
    """

    kind = "risk"
    of_release = True
    formula = (
        "largest distance (earth mover's) of the sensitive values in a group of equal keys "
        "from those of the whole table"
    )
    improved_by = "Wider groups of equal keys, or coarser sensitive values."
    needs = "counts"
    roles = ("key",)

    distance: Closeness = None
    sensitive: Sensitive = None
    hierarchies: Declarations = None
    missing: MissingKeys = "suppressed"

    def _measure(self, pair: TablePair) -> Result:
        named = sensitive_columns(type(self).__name__, pair.before, self.sensitive, pair.columns)
        _, results = class_results(pair, named, self.missing, self.figures, np.max)
        return self.result(**results)

    def figures(self, column: Column, given: Spread) -> Floats:
        """Return how far a sensitive column is in each class from the whole, shape (classes,)."""
        kind = self.distance or ("ordered" if is_ordered(column) else "equal")
        if kind == "ordered":
            return ordered_distance(given)
        if kind == "equal":
            return equal_distance(given)
        hierarchy = declared(column, (self.hierarchies or {}).get(column.name))
        return hierarchical_distance(given, value_groups(column, hierarchy))
