"""Household risk: who is found leads to everybody in the household."""

from sudare.core import Floats, Microdata, Result, TablePair, say
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import MissingKeys
from sudare.risk.samples.individual_risk import (
    Model,
    household_risks,
    households,
    individual_risks,
    risk_parts,
    risk_results,
)


class HouseholdRisk(TableMeasure):
    """The mean probability that anybody of a record's household is matched with the right person.

    It is 1 − Π (1 − r) over the members of the household, r being their individual risks (see
    :class:`IndividualRisk`), and the same for all members. The value is the mean over records, as
    a large household is found more easily and leads to more people. The parts are the expected
    number of records in households that are found, the largest risk and the mean over households;
    the record detail is the risk of each record's household. A record without a household, or a
    table without a column of that role, is a household of one. Limits are judged by ``informed``
    as for individual risks.

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

    kind = "risk"
    of_release = True
    formula = "mean over records of 1 − Π (1 − r), r being the risk of each member of the household"
    counted = "All records, each standing for as many people as its weight says."
    needs = "counts"
    roles = ("key",)

    model: Model = "negative-binomial"
    missing: MissingKeys = "suppressed"

    def _measure(self, pair: TablePair) -> Result:
        return self.result(
            **risk_results(
                pair,
                self.missing,
                lambda after, rule, fitting: household_risks(
                    individual_risks(after, pair.columns, self.model, rule, fitting=fitting), after
                ),
                _parts,
                pair.after.with_role("household"),
            )
        )


def _parts(data: Microdata, risks: Floats) -> dict[str, float]:
    part = 1 / households(data).size_of_record  # of a household that each record is
    over_households = data.total(risks * part) / data.total(part)
    return {**risk_parts(data, risks), say("mean over households"): over_households}
