"""Edit rules as a measure: how many records of the release contradict what always holds."""

from typing import Annotated

import numpy as np

from sudare.core import Result, TablePair, say
from sudare.describe import applicable
from sudare.describe.pairing import TableMeasure


class RuleViolations(TableMeasure):
    """The share of published records that break an edit rule.

    The value is the share of records that break any rule, the parts are the shares that break each.
    Rules are written as for :class:`EditRules`; a missing value breaks none. Without rules the
    value is 0. What the original itself breaks counts too. A rule about the numbers of a column
    that was put into classes is not judged, and a note says so.

    References
    ----------
    Fellegi and Holt (1976). A systematic approach to automatic edit and imputation. Journal of the
    American Statistical Association 71(353).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> noisy = sudare.apply(data, sudare.mask.Noise(columns=("age",)), seed=1).data
    >>> measure = RuleViolations(rules=("age is whole",))
    >>> measure(data, data).value, measure(data, noisy).value > 0.9
    (0.0, True)
    """

    kind = "loss"
    formula = "number of records that break any rule / number of records"
    improved_by = "Masking that keeps the rules, or edit rules as the last step."
    needs = "records"

    rules: Annotated[
        tuple[str, ...], "what holds in every record, such as 'age is whole' or 'start <= end'"
    ] = ()

    def _measure(self, pair: TablePair) -> Result:
        rules = applicable(self.rules, pair.after, pair.before)
        flags = {rule.text: rule.broken(pair.after) for rule in rules}
        anywhere = np.any([*flags.values(), np.zeros(pair.after.rows, np.bool_)], axis=0)
        return self.result(
            float(anywhere.mean()),
            parts={text: float(broken.mean()) for text, broken in flags.items()},
            notes=tuple(
                say("'{rule}' is not judged: the release has classes of numbers.", rule=text)
                for text in self.rules
                if text not in flags
            ),
        )
