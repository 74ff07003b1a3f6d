"""Individual risk: the probability that a record is matched with the right person."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from sudare.core import Floats, Integers, Microdata, Result, TablePair, say
from sudare.describe.pairing import Rule, TableMeasure, by_rule, rule_notes
from sudare.engine.counting import Groups, MissingKeys, renumbered
from sudare.risk.keys import released_alike
from sudare.risk.samples.log_linear import independent_counts, paired_counts, poisson_risk
from sudare.risk.samples.sampling import Frequencies, frequencies, sampling_fraction

Model = Annotated[
    Literal["negative-binomial", "poisson"],
    "how population counts follow: from the weights, or from the shares of the keys",
]
_FEW = 20  # up to here the recursion over f, beyond it the series
_TERMS = 64  # of the series: the last is below 2⁻⁵³ for q ≤ 1/2 or f > 20


def posterior_risk(sample: Integers, population: Floats) -> Floats:
    """Return E[1/F | f], the population frequency being negative binomial given the sample's.

    With f records and p = f / F̂, q = 1 − p it is the integral of p u^(f − 1) / (p + q u) over u
    from 0 to 1: −p/q · log p for f = 1, and p/q · (1/f − r) takes the risk r of f to that of f + 1.
    For large f, and for p near 1, it is p/f · (1 + q/(f + 1) + 2 q²/((f + 1)(f + 2)) + …), of
    positive terms.

    Parameters
    ----------
    sample
        Number of records with the keys, at least 1, shape (g,).
    population
        Estimate F̂ of the number of people with the keys, at least that, shape (g,).

    References
    ----------
    Benedetti and Franconi (1998). Statistical and technological solutions for controlled data
    dissemination. New Techniques and Technologies for Statistics, Sorrento.

    Franconi and Polettini (2004). Individual risk estimation in μ-Argus: a review. Privacy in
    Statistical Databases.

    Examples
    --------
    >>> posterior_risk(np.array([1, 2, 3]), np.array([215.0, 360.0, 3.0])).round(4).tolist()
    [0.0251, 0.0054, 0.3333]
    """
    p = sample / population
    q = 1 - p
    series = (q <= 0.5) | (sample > _FEW)
    risk = np.empty(len(p))
    risk[series] = _series(sample[series], p[series])
    odds = p[~series] / q[~series]
    closed = -odds * np.log(p[~series])
    for f in range(1, _FEW):
        further = sample[~series] > f
        closed[further] = odds[further] * (1 / f - closed[further])
    risk[~series] = closed
    return risk


def _series(sample: Integers, p: Floats) -> Floats:
    term = np.ones(len(p))
    total = np.ones(len(p))
    for number in range(1, _TERMS):
        term *= number * (1 - p) / (sample + number)
        total += term
    return p / sample * total


def individual_risks(
    data: Microdata,
    columns: Sequence[str],
    model: Model,
    missing: Rule,
    *,
    interactions: bool = False,
    fitting: Integers | None = None,
) -> Floats:
    """Return the risk of each record, shape (n,).

    ``fitting`` is how many records fit each person, shape (n,), where an attacker knows more than
    the released keys: of the people who share these, as many fit as of the records.
    """
    keys = [data[name] for name in columns]
    counted = frequencies(keys, data.weights, missing)
    if fitting is not None:
        sample = counted.sample[counted.index]
        population = counted.population[counted.index] * fitting / sample
        counted = Frequencies(fitting, population, np.arange(len(fitting)))
    if model == "negative-binomial":
        return posterior_risk(counted.sample, counted.population)[counted.index]
    fraction = sampling_fraction(data, None)
    expected = np.empty(len(counted.sample))
    counts = paired_counts if interactions else independent_counts
    expected[counted.index] = counts(keys, missing)
    if fitting is not None:
        expected *= fitting / sample
    return poisson_risk(counted.sample, expected * (1 - fraction) / fraction)[counted.index]


def household_risks(risks: Floats, data: Microdata) -> Floats:
    """Return the probability that anyone in each record's household is found, shape (n,).

    It is 1 − Π (1 − r) over the members. Records without a household are alone in theirs.

    Examples
    --------
    >>> from sudare.core import Numeric
    >>> data = Microdata((Numeric("h", np.array([1.0, 1.0, 1.0]), role="household"),))
    >>> household_risks(np.array([0.02, 0.03, 0.03]), data).round(3).tolist()
    [0.078, 0.078, 0.078]
    """
    household = households(data)
    with np.errstate(divide="ignore"):  # a risk of 1 makes the household's 1
        by_household = -np.expm1(household.sums(np.log1p(-risks)))
    return by_household[household.index]


def households(data: Microdata) -> Groups:
    """Return the records grouped by household; those without one are alone.

    An entry that represents several records without a household is one of their households.
    """
    named = data.with_role("household")
    if not named:
        return Groups(np.ones(data.rows, np.int64), np.arange(data.rows))
    column = data[named[0]]
    codes = column.coded.codes.astype(np.int64)
    alone = np.flatnonzero(codes < 0)
    codes[alone] = len(column.coded.labels) + np.arange(len(alone))
    index, number = renumbered(codes, len(column.coded.labels) + len(alone))
    if data.copies is None:
        return Groups(np.bincount(index, minlength=number), index)
    copies = np.where(column.known, data.copies, 1)
    return Groups(np.bincount(index, copies, number).astype(np.int64), index, copies)


class IndividualRisk(TableMeasure):
    """The mean probability that a record is matched with the right person of the population.

    An attacker who knows someone's keys, and that the person is in the table, meets F people with
    these keys in the population; the risk of a record is the expectation of 1/F, given how many
    records f of the released table share the keys:

    - "negative-binomial": F follows from f and the sampling weights of these records (Benedetti and
      Franconi); a table without weights is its own population, and the risk is 1/f;
    - "poisson": F − f is Poisson with the mean that a log-linear model expects from the shares of
      the keys by themselves, or with ``interactions=True`` from the table of every pair of keys,
      and the sampling fraction (Skinner and Shlomo).

    The value is the mean risk (global risk), the share of records that an attacker of all can
    expect to match; the parts are their expected number and the largest risk; the record detail is
    each record's risk. With ``household=True`` a record is at risk with everybody in its household.
    Not applicable is a value; a missing key counts as in :class:`sudare.risk.KAnonymity`.
    Limits are judged by ``informed``, if that is larger: f is then how many records look alike
    for an attacker who knows the keys that were suppressed, and of F the same share.

    Notes
    -----
    sdcMicro approximates the risk for f > 2 and lowers p = f/F̂ by 0.0001; here it is exact.

    References
    ----------
    Benedetti and Franconi (1998). Statistical and technological solutions for controlled data
    dissemination. New Techniques and Technologies for Statistics, Sorrento.

    Skinner and Shlomo (2008). Assessing identification risk in survey microdata using log-linear
    models. Journal of the American Statistical Association 103(483).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> result = IndividualRisk(columns=("sex", "region", "education"))(data)
    >>> round(result.value, 4), round(result.parts["expected re-identifications"], 2)
    (0.0035, 1.4)
    """

    kind = "risk"
    of_release = True
    formula = (
        "mean over records of E(1/F | f), where f records of the table and F people of the "
        "population share the keys"
    )
    counted = "All records, each standing for as many people as its weight says."
    needs = "counts"
    roles = ("key",)

    model: Model = "negative-binomial"
    missing: MissingKeys = "suppressed"
    interactions: Annotated[
        bool, "whether the Poisson model takes every pair of keys together, not each by itself"
    ] = False
    household: Annotated[bool, "whether a record is at risk with everybody in its household"] = (
        False
    )

    def _measure(self, pair: TablePair) -> Result:
        def risks(after: Microdata, rule: Rule, fitting: Integers | None) -> Floats:
            alone = individual_risks(
                after,
                pair.columns,
                self.model,
                rule,
                interactions=self.interactions,
                fitting=fitting,
            )
            return household_risks(alone, after) if self.household else alone

        together = pair.after.with_role("household") if self.household else ()
        return self.result(**risk_results(pair, self.missing, risks, risk_parts, together))


def risk_results(
    pair: TablePair,
    missing: MissingKeys,
    risks: Callable[[Microdata, Rule, Integers | None], Floats],
    parts: Callable[[Microdata, Floats], dict[str, float]],
    together: Sequence[str],
) -> dict[str, Any]:
    """Return what a result says of the risks of records, for an informed attacker too.

    Parameters
    ----------
    pair, missing
        The tables, and how missing keys count.
    risks
        Of the released table, the rule and how many records fit each person, shape (n,).
    parts
        What accompanies the mean.
    together
        The column of households, where that is needed.
    """
    ruled, rule = by_rule(pair, missing, together)
    after = ruled.released([*pair.columns, *together])

    def read(fitting: Integers | None) -> dict[str, Any]:
        by_record = risks(after, rule, fitting)
        return {
            "value": after.total(by_record) / after.records,
            "parts": parts(after, by_record),
            "by_record": by_record if pair.detail else None,
        }

    results = {**read(None), "best": 0, "worst": 1, "notes": rule_notes(pair, missing, rule)}
    if missing == "suppressed" and rule == "wildcard" and not pair.stands_alone:
        known = read(released_alike(pair.on((*pair.columns, *together)), pair.columns))
        results |= {f"informed_{name}": known[name] for name in ("parts", "by_record")}
        results["informed"] = known["value"]
        if after.weights is not None:
            approximate = say(
                "for an attacker who knows the suppressed keys, the number of people in the "
                "population who fit is an approximation: the same share of them as of the records."
            )
            results["notes"] = (*results["notes"], approximate)
    return results


def risk_parts(data: Microdata, risks: Floats) -> dict[str, float]:
    """Return what accompanies a global risk: the expected matches and the largest risk."""
    return {
        say("expected re-identifications"): data.total(risks),
        say("largest risk"): float(risks.max()),
    }
