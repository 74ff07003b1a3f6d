"""Risk measures, one per file: each is an attack on the released table."""

from sudare.risk.k_anonymity import KAnonymity
from sudare.risk.record_linkage import RecordLinkage
from sudare.risk.uniques import Uniques

__all__ = ["KAnonymity", "RecordLinkage", "Uniques"]
