from .distances.capacity import (
    ild as ild,
    information_capacity as information_capacity,
)
from .distances.distance_loss import DistanceLoss as DistanceLoss
from .distances.group_loss import ilssdm as ilssdm
from .distances.kinds import Graph as Graph, PNorm as PNorm, Tree as Tree
from .distances.mean_absolute_error import MeanAbsoluteError as MeanAbsoluteError
from .models.classification import ClassificationLoss as ClassificationLoss
from .models.coefficient_overlap import (
    Coefficient as Coefficient,
    CoefficientOverlap as CoefficientOverlap,
    coefficients as coefficients,
)
from .models.model_loss import ModelLoss as ModelLoss
from .models.survival_overlap import SurvivalOverlap as SurvivalOverlap
from .synthetic.association_loss import AssociationLoss as AssociationLoss
from .synthetic.forest_test import ForestTest as ForestTest
from .synthetic.moment_loss import MomentLoss as MomentLoss
from .synthetic.propensity import Propensity as Propensity
from .synthetic.tail_loss import TailLoss as TailLoss
from .synthetic.tree_propensity import TreePropensity as TreePropensity
from .tables.contingency_tables import ContingencyTables as ContingencyTables
from .tables.direct_comparison import DirectComparison as DirectComparison
from .tables.distribution_distances import Hellinger as Hellinger, TotalVariation as TotalVariation
from .tables.entropy_loss import EntropyLoss as EntropyLoss
from .tables.k_marginal import KMarginal as KMarginal
from .tables.rare_group_loss import RareGroupLoss as RareGroupLoss
from .tables.rule_violations import RuleViolations as RuleViolations
