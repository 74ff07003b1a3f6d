"""Risk measures, one per file: each is an attack on the released table."""

from sudare.risk.k_anonymity import KAnonymity
from sudare.risk.l_diversity import LDiversity
from sudare.risk.record_linkage import RecordLinkage
from sudare.risk.t_closeness import TCloseness
from sudare.risk.uniques import Uniques

__all__ = ["KAnonymity", "LDiversity", "RecordLinkage", "TCloseness", "Uniques"]
