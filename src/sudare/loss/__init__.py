"""Loss measures, one per file: what masking took from the table."""

from sudare.loss.direct_comparison import DirectComparison
from sudare.loss.mean_absolute_error import MeanAbsoluteError
from sudare.loss.total_variation import TotalVariation

__all__ = ["DirectComparison", "MeanAbsoluteError", "TotalVariation"]
