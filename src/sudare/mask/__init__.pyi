from .anonymity.full_domain import FullDomain as FullDomain
from .anonymity.local_suppression import LocalSuppression as LocalSuppression
from .anonymity.mondrian import Mondrian as Mondrian
from .anonymity.record_suppression import Suppression as Suppression
from .microaggregation.mdav import Microaggregation as Microaggregation
from .microaggregation.tree_microaggregation import TreeMicroaggregation as TreeMicroaggregation
from .microaggregation.univariate_microaggregation import (
    UnivariateMicroaggregation as UnivariateMicroaggregation,
)
from .microaggregation.variable_microaggregation import (
    VariableMicroaggregation as VariableMicroaggregation,
)
from .noise.additive_noise import Noise as Noise
from .noise.correlated_noise import CorrelatedNoise as CorrelatedNoise
from .noise.multiplicative_noise import MultiplicativeNoise as MultiplicativeNoise
from .randomize.bounded_laplace import BoundedLaplace as BoundedLaplace
from .randomize.pk_anonymization import PkAnonymization as PkAnonymization
from .randomize.pk_sampling import PkSampling as PkSampling
from .randomize.pram import SHARES_EPSILON as SHARES_EPSILON, Pram as Pram
from .randomize.privacy_account import Privacy as Privacy, privacy as privacy
from .randomize.retention_replacement import RetentionReplacement as RetentionReplacement
from .recode.global_recode import GlobalRecode as GlobalRecode
from .recode.household_numbers import HouseholdNumbers as HouseholdNumbers
from .recode.intervals import Intervals as Intervals
from .recode.rounding import Rounding as Rounding
from .recode.top_bottom_code import TopBottomCode as TopBottomCode
from .records.edit_rules import EditRules as EditRules
from .records.remove_records import RemoveRecords as RemoveRecords
from .records.subsample import Subsample as Subsample
from .swapping.rank_swapping import RankSwapping as RankSwapping
from .swapping.record_swapping import RecordSwapping as RecordSwapping
from .swapping.shuffling import Shuffling as Shuffling
from .synthesis.hybrid_synthesis import HybridSynthesis as HybridSynthesis
from .synthesis.multiple_imputation import MultipleImputation as MultipleImputation
from .synthesis.orthogonal_transform import OrthogonalTransform as OrthogonalTransform
from .synthesis.regression_synthesis import RegressionSynthesis as RegressionSynthesis
from .synthesis.sequential_synthesis import SequentialSynthesis as SequentialSynthesis
