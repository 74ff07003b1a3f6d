"""Statistics from released data: estimators that see the data and the public steps only."""

from sudare.reconstruct.combining import Combined, combine
from sudare.reconstruct.iterative_bayes import IterativeBayes
from sudare.reconstruct.kernel_density_ratio import KernelDensityRatio
from sudare.reconstruct.linear_density_ratio import LinearDensityRatio
from sudare.reconstruct.naive_bayes import NaiveBayes, NaiveBayesModel
from sudare.reconstruct.nonparametric_maximum import NonparametricMaximum

__all__ = [
    "Combined",
    "IterativeBayes",
    "KernelDensityRatio",
    "LinearDensityRatio",
    "NaiveBayes",
    "NaiveBayesModel",
    "NonparametricMaximum",
    "combine",
]
