"""SUDA: special uniques, that is records alone on few keys and in many ways."""

from math import factorial, prod
from typing import Annotated, Any, Literal

import numpy as np

from sudare.core import AtLeast, Between, Floats, Integers, Microdata, Result, TablePair
from sudare.describe.pairing import TableMeasure, by_rule, key_counts, rule_notes
from sudare.engine.counting import MissingKeys, groups
from sudare.risk.keys.minimal_uniques import MinimalUniques, minimal_uniques
from sudare.risk.samples import sampling_fraction

Scoring = Literal["elliot", "ihsn"]


def size_score(size: int, keys: int, largest: int, scoring: Scoring) -> float:
    """Return what a minimal unique of some size adds to its record's score.

    "elliot" is (keys − size) · (keys − size − 1) ⋯ (keys − largest), the number of orders in which
    further keys can join it; "ihsn" is the number of larger sets that hold it over the number of
    sets of its size, (2^(keys − size) − 1) · size! · (keys − size)! / keys!.

    Examples
    --------
    >>> [size_score(size, 4, 3, "elliot") for size in (1, 2, 3, 4)]
    [6.0, 2.0, 1.0, 1.0]
    >>> [size_score(size, 4, 3, "ihsn") for size in (1, 2, 3, 4)]
    [1.75, 0.5, 0.25, 0.0]
    """
    if scoring == "elliot":
        return float(prod(keys - i for i in range(size, min(largest, keys - 1) + 1)))
    ways = factorial(keys) / (factorial(size) * factorial(keys - size))
    return (2.0 ** (keys - size) - 1) / ways


def suda_scores(uniques: MinimalUniques, rows: int, largest: int, scoring: Scoring) -> Floats:
    """Return the SUDA score of each record, shape (n,)."""
    scores = np.bincount(uniques.record, weights=_each(uniques, largest, scoring), minlength=rows)
    return scores.astype(np.float64)


def contributions(uniques: MinimalUniques, largest: int, scoring: Scoring) -> Floats:
    """Return the share of all scores that comes from minimal uniques with a column, shape (m,).

    The shares sum to more than 1, as a minimal unique holds several columns.
    """
    each = _each(uniques, largest, scoring)
    sums = np.array([each[uniques.holding(column)].sum() for column in range(uniques.columns)])
    return sums / max(each.sum(), np.finfo(float).tiny)


def intrusion_risk(counts: Integers, fraction: float, copies: Integers | None = None) -> float:
    """Return the probability that a unique match is correct (data intrusion simulation, DIS).

    With U records alone on the keys, P records in pairs and a sampling fraction π it is
    Uπ / (Uπ + P(1 − π)).

    Parameters
    ----------
    counts
        How many records share the keys of each, shape (n,).
    fraction
        Share of the population that is in the sample.
    copies
        How many records each entry represents, if not one, shape (n,).

    References
    ----------
    Skinner and Elliot (2002). A measure of disclosure risk for microdata. Journal of the Royal
    Statistical Society B 64(4).

    Examples
    --------
    >>> round(intrusion_risk(np.array([2, 2, 1, 2, 1, 2, 1, 1, 2, 2]), 0.01), 6)
    0.006689
    """
    pairs = counts == 2
    alone, paired = (
        int((counts == 1).sum()),
        int((pairs if copies is None else copies[pairs]).sum()),
    )
    if alone == 0:
        return 0.0
    return alone * fraction / (alone * fraction + paired * (1 - fraction))


def dis_suda(
    scores: Floats,
    counts: Integers,
    fraction: float,
    keys: int,
    copies: Integers | None = None,
) -> Floats:
    """Return the file's risk dealt to the records by their SUDA scores, each from 0 to 1.

    With U records alone, DIS of the file and q = 1 + (8 − keys) / 20 the record with score s has
    1 / (1 + U (1/DIS − 1) / (s^q A)), A being the sum of all s^−q: the form of the original program
    that sdcMicro took over. Records without a score have 0.

    Parameters
    ----------
    scores
        SUDA scores, shape (n,).
    counts
        How many records share the keys of each, shape (n,).
    fraction
        Share of the population that is in the sample.
    keys
        Number of keys.
    copies
        How many records each entry represents, if not one, shape (n,).
    """
    risk = np.zeros(len(scores))
    special = scores > 0
    file_risk = intrusion_risk(counts, fraction, copies)
    if not special.any() or file_risk == 0:
        return risk
    power = scores[special] ** (1 + (8 - keys) / 20)
    odds = int((counts == 1).sum()) * (1 / file_risk - 1)
    risk[special] = 1 / (1 + odds / (power * (1 / power).sum()))
    return risk


class Suda(TableMeasure):
    """The mean DIS-SUDA score: how special the records are that are alone on their keys.

    A minimal sample unique is a set of keys on which a record is alone, while it is on no part of
    the set. A record with many and small ones is special: it stands out whatever the attacker
    knows, and is likely to be alone in the population as well. All minimal uniques of up to
    ``max_size`` keys are found exactly. Each adds to its record's SUDA score, the more the smaller
    it is, and the probability that a unique match is correct (DIS) is dealt to the records by their
    scores.

    The record detail is the DIS-SUDA score and the value is its mean over all records; the parts
    say which share of all SUDA scores comes from minimal uniques with each key. Not
    applicable is a value, and a missing key counts as in :class:`sudare.risk.KAnonymity`; one that
    matches every value is in no minimal unique. With "suppressed", limits are judged by
    ``informed``, if that is larger: the same with suppressed keys as a category of their own, since
    an attacker who knows them finds more records special. Sampling weights count by their
    mean only.

    Notes
    -----
    The scores are those of sdcMicro (``original_scores=TRUE`` is "elliot", ``FALSE`` is "ihsn"),
    with two differences: in sdcMicro a missing key is in no minimal unique and matches nothing
    either, and the sampling fraction is 0.01 unless it is given; here it follows from the weights,
    and a table without weights is its own population, where every unique match is correct.

    References
    ----------
    Elliot, Manning, Mayes, Gurd and Bane (2005). SUDA: a program for detecting special uniques.
    UNECE work session on statistical data confidentiality, Geneva.

    Manning, Haglin and Keane (2008). A recursive search algorithm for statistical disclosure
    assessment. Data Mining and Knowledge Discovery 16(2).

    Elliot and Manning (2003). Using DIS to modify the classification of special uniques. UNECE work
    session on statistical data confidentiality, Luxembourg.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> result = Suda(columns=("sex", "region", "education"))(data)
    >>> round(result.value, 5), result.parts["sex"]
    (0.00046, 0.75)
    """

    kind = "risk"
    of_release = True
    formula = (
        "mean over records of the DIS-SUDA score, the higher the more and the smaller sets of "
        "keys make a record unique"
    )
    needs = "counts"
    roles = ("key",)

    max_size: Annotated[
        int | None, AtLeast(1), "largest number of keys in a minimal unique; by default any number"
    ] = None
    scoring: Annotated[
        Scoring, "what a minimal unique adds: as Elliot and Manning have it, or the IHSN"
    ] = "elliot"
    missing: MissingKeys = "suppressed"
    sampling_fraction: Annotated[
        float | None,
        Between(0, 1, above=True),
        "share of the population that is in the sample; by default from the weights",
    ] = None

    def _measure(self, pair: TablePair) -> Result:
        ruled, rule = by_rule(pair, self.missing)
        results = self._read(ruled.released(pair.columns), pair, rule)
        if self.missing == "suppressed" and rule == "wildcard":
            alike = self._read(ruled.released(pair.columns), pair, "category")
            results |= {"informed": alike["value"], "informed_parts": alike["parts"]}
            results["informed_by_record"] = alike["by_record"]
        return self.result(**results, notes=rule_notes(pair, self.missing, rule))

    def _read(
        self, after: Microdata, pair: TablePair, rule: Literal["category", "wildcard"]
    ) -> dict[str, Any]:
        """Return value, parts and record detail, with missing keys counted by a rule."""
        keys = [after[name] for name in pair.columns]
        largest = min(self.max_size or len(keys), len(keys))
        kinds = groups(keys)
        uniques = minimal_uniques(keys, largest, wildcard=rule == "wildcard", kinds=kinds)
        scores = suda_scores(uniques, after.rows, largest, self.scoring)
        fraction = sampling_fraction(after, self.sampling_fraction)
        counts = key_counts(keys, rule, kinds)
        risks = dis_suda(scores, counts, fraction, len(keys), after.copies)
        shares = contributions(uniques, largest, self.scoring)
        return {
            "value": after.total(risks) / after.records,
            "parts": dict(zip(pair.columns, shares.tolist(), strict=True)),
            "by_record": risks if pair.detail else None,
        }


def _each(uniques: MinimalUniques, largest: int, scoring: Scoring) -> Floats:
    """Return what each minimal unique adds, shape (u,)."""
    table = [size_score(size, uniques.columns, largest, scoring) for size in range(1, largest + 1)]
    return np.array([0.0, *table])[uniques.sizes]
