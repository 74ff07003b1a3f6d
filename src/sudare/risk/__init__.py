"""Risk measures, one per file: each is an attack on the released table."""

from sudare.risk.attribute_inference import AttributeInference
from sudare.risk.household_risk import HouseholdRisk
from sudare.risk.individual_risk import IndividualRisk
from sudare.risk.interval_disclosure import IntervalDisclosure
from sudare.risk.k_anonymity import KAnonymity
from sudare.risk.l_diversity import LDiversity
from sudare.risk.membership_inference import MembershipInference
from sudare.risk.population_uniques import PopulationUniques
from sudare.risk.probabilistic_linkage import ProbabilisticLinkage
from sudare.risk.record_linkage import RecordLinkage
from sudare.risk.suda import Suda
from sudare.risk.t_closeness import TCloseness
from sudare.risk.uniques import Uniques

__all__ = [
    "AttributeInference",
    "HouseholdRisk",
    "IndividualRisk",
    "IntervalDisclosure",
    "KAnonymity",
    "LDiversity",
    "MembershipInference",
    "PopulationUniques",
    "ProbabilisticLinkage",
    "RecordLinkage",
    "Suda",
    "TCloseness",
    "Uniques",
]
