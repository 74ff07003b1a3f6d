"""Loss measures, one per file: what masking took from the table."""

from sudare.loss.contingency_tables import ContingencyTables
from sudare.loss.direct_comparison import DirectComparison
from sudare.loss.entropy_loss import EntropyLoss
from sudare.loss.mean_absolute_error import MeanAbsoluteError
from sudare.loss.model_loss import ModelLoss
from sudare.loss.total_variation import TotalVariation

__all__ = [
    "ContingencyTables",
    "DirectComparison",
    "EntropyLoss",
    "MeanAbsoluteError",
    "ModelLoss",
    "TotalVariation",
]
