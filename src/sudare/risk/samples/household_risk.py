"""Household risk: who is found leads to everybody in the household."""

from typing import ClassVar

from sudare.core import Kind, Needs, Result, Role, TablePair, Takes, say
from sudare.describe.pairing import TableMeasure, by_rule, rule_notes
from sudare.engine.counting import MissingKeys
from sudare.risk.samples.individual_risk import (
    Model,
    household_risks,
    households,
    individual_risks,
    risk_parts,
)


class HouseholdRisk(TableMeasure):
    """The mean probability that anybody of a record's household is matched with the right person.

    It is 1 − Π (1 − r) over the members of the household, r being their individual risks (see
    :class:`IndividualRisk`), and the same for all members. The value is the mean over records, as
    a large household is found more easily and leads to more people. The parts are the expected
    number of records in households that are found, the largest risk and the mean over households;
    the record detail is the risk of each record's household. A record without a household, or a
    table without a column of that role, is a household of one.

    References
    ----------
    Hundepool, Domingo-Ferrer, Franconi, Giessing, Schulte Nordholt, Spicer and de Wolf (2012).
    Statistical Disclosure Control. Wiley.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> round(HouseholdRisk(columns=("sex", "region", "education"))(data).value, 4)
    0.0123
    """

    kind: ClassVar[Kind] = "risk"
    formula: ClassVar[str] = (
        "mean over records of 1 − Π (1 − r), r being the risk of each member of the household"
    )
    counted: ClassVar[str] = "All records, each standing for as many people as its weight says."
    needs: ClassVar[Needs] = "counts"
    takes: ClassVar[Takes] = "any"
    roles: ClassVar[tuple[Role, ...]] = ("key",)

    model: Model = "negative-binomial"
    missing: MissingKeys = "suppressed"

    def _measure(self, pair: TablePair) -> Result:
        together = pair.after.with_role("household")
        ruled, rule = by_rule(pair, self.missing, together)
        after = ruled.released([*pair.columns, *together])
        alone = individual_risks(after, pair.columns, self.model, rule)
        risks = household_risks(alone, after)
        part = 1 / households(after).size_of_record  # of a household that each record is
        over_households = after.total(risks * part) / after.total(part)
        return self.result(
            after.total(risks) / after.records,
            best=0,
            worst=1,
            parts={**risk_parts(after, risks), say("mean over households"): over_households},
            by_record=risks if pair.detail else None,
            notes=rule_notes(pair, self.missing, rule),
        )
