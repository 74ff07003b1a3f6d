"""Probabilistic record linkage: the attacker weighs on which columns two records agree."""

from typing import Annotated

import numpy as np

from sudare.core import (
    AtLeast,
    Floats,
    Result,
    SettingError,
    TablePair,
)
from sudare.describe import Confidence, wilson_interval
from sudare.describe.pairing import TableMeasure, comparable_codes, comparison_notes
from sudare.risk.linkage.agreement import (
    Agreement,
    agreement_weights,
    known_weights,
    set_flags,
    shared_terms,
)

_MOST_COLUMNS = 12  # sets of columns are counted one by one


def linked_chances(tables: Agreement, weights: Floats) -> Floats:
    """Return each record's chance that its original is the one with most evidence, shape (n,).

    Sets of columns are taken from the heaviest down. Of originals that agree on a set of columns
    none agrees on more, or a heavier set would have been found before: so counting those that agree
    at least there is enough.

    Parameters
    ----------
    tables
        Originals and released records that correspond.
    weights
        Evidence of agreement on each column, at least 0, shape (m,).
    """
    useful = int((weights > 0) @ np.left_shift(1, np.arange(len(weights))))
    evidence = (set_flags(len(weights)) @ weights).round(9)
    own = evidence[tables.own()]
    chance = np.zeros(len(own))
    open_ = np.ones(len(own), np.bool_)
    for level in np.unique(evidence)[::-1]:
        sets = [s for s in np.flatnonzero(evidence == level).tolist() if s & ~useful == 0]
        rivals = np.sum([tables.counts(members) for members in sets], axis=0)
        linked = open_ & (rivals > 0)
        right = linked & (own == level)
        chance[right] = 1 / rivals[right]
        open_ &= ~linked
        if not open_.any():
            break
    return chance


class ProbabilisticLinkage(TableMeasure):
    """The share of records linked with their original by the columns on which they agree.

    The attacker holds the originals, compares every released record with each of them, and links it
    with the original that has the most evidence. How much evidence agreement on a column is he
    learns from the pattern of agreements alone (by EM, without knowing any match), or else knows,
    as from published steps: what links more counts. Ties count as the expectation of an attacker
    who chooses at random among equals. Counting is exact and by keys, so that no pair of records is
    ever looked at.

    The value is the share of records linked correctly, with Wilson's interval for the records as
    a sample; the parts are the shares that agreement on each column alone links; the record detail
    is each record's chance. Numbers agree where they fall into the same of ``classes`` classes of
    the original; what is missing or not applicable agrees with nothing. Sampling weights are not
    used.

    References
    ----------
    Fellegi and Sunter (1969). A theory for record linkage. Journal of the American Statistical
    Association 64(328).

    Domingo-Ferrer and Torra (2003). Disclosure risk assessment in statistical microdata protection
    via advanced record linkage. Statistics and Computing 13(4).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, sudare.mask.Pram(retain=0.9), seed=1).data
    >>> attack = ProbabilisticLinkage()
    >>> attack(data, masked).better_than(attack(data, data))
    True
    """

    kind = "risk"
    formula = "number of records linked with their own original / number of records"
    needs = "records"
    pairs = True
    roles = ("key",)

    classes: Annotated[int, AtLeast(2), "number of classes into which numbers are cut"] = 20
    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        before, after, columns = pair.before, pair.after, pair.columns
        if len(columns) > _MOST_COLUMNS:
            raise SettingError(
                "at most {limit} key columns can be compared, got {count}; use fewer columns.",
                limit=_MOST_COLUMNS,
                count=len(columns),
            )
        coded = [comparable_codes(before[name], after[name], self.classes) for name in columns]
        tables = Agreement(*shared_terms(coded))
        patterns = tables.patterns()
        own = np.bincount(tables.own(), minlength=len(patterns)).astype(np.float64)
        learned, known = agreement_weights(patterns, 1 / before.rows), known_weights(patterns, own)
        chances = max((linked_chances(tables, w) for w in (learned, known)), key=np.mean)
        alone = {
            name: linked_chances(Agreement(*shared_terms([sides])), np.ones(1)).mean()
            for name, sides in zip(columns, coded, strict=True)
        }
        return self.result(
            chances.mean(),
            parts={name: float(share) for name, share in alone.items()},
            interval=wilson_interval(float(chances.mean()), before.rows, self.confidence),
            by_record=chances,
            notes=comparison_notes(before, after, columns),
        )
