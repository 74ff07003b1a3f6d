"""Masking methods, one per file."""

from sudare.mask.bounded_laplace import BoundedLaplace
from sudare.mask.correlated_noise import CorrelatedNoise
from sudare.mask.full_domain import FullDomain
from sudare.mask.global_recode import GlobalRecode
from sudare.mask.household_numbers import HouseholdNumbers
from sudare.mask.hybrid_synthesis import HybridSynthesis
from sudare.mask.intervals import Intervals
from sudare.mask.local_suppression import LocalSuppression
from sudare.mask.microaggregation import Microaggregation
from sudare.mask.mondrian import Mondrian
from sudare.mask.multiple_imputation import MultipleImputation
from sudare.mask.multiplicative_noise import MultiplicativeNoise
from sudare.mask.noise import Noise
from sudare.mask.orthogonal_transform import OrthogonalTransform
from sudare.mask.pk_anonymization import PkAnonymization
from sudare.mask.pk_sampling import PkSampling
from sudare.mask.pram import Pram
from sudare.mask.randomization import privacy
from sudare.mask.rank_swapping import RankSwapping
from sudare.mask.record_swapping import RecordSwapping
from sudare.mask.regression_synthesis import RegressionSynthesis
from sudare.mask.retention_replacement import RetentionReplacement
from sudare.mask.rounding import Rounding
from sudare.mask.sequential_synthesis import SequentialSynthesis
from sudare.mask.shuffling import Shuffling
from sudare.mask.suppression import Suppression
from sudare.mask.top_bottom_code import TopBottomCode
from sudare.mask.tree_microaggregation import TreeMicroaggregation
from sudare.mask.univariate_microaggregation import UnivariateMicroaggregation
from sudare.mask.variable_microaggregation import VariableMicroaggregation

__all__ = [
    "BoundedLaplace",
    "CorrelatedNoise",
    "FullDomain",
    "GlobalRecode",
    "HouseholdNumbers",
    "HybridSynthesis",
    "Intervals",
    "LocalSuppression",
    "Microaggregation",
    "Mondrian",
    "MultipleImputation",
    "MultiplicativeNoise",
    "Noise",
    "OrthogonalTransform",
    "PkAnonymization",
    "PkSampling",
    "Pram",
    "RankSwapping",
    "RecordSwapping",
    "RegressionSynthesis",
    "RetentionReplacement",
    "Rounding",
    "SequentialSynthesis",
    "Shuffling",
    "Suppression",
    "TopBottomCode",
    "TreeMicroaggregation",
    "UnivariateMicroaggregation",
    "VariableMicroaggregation",
    "privacy",
]
