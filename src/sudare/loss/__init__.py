"""Loss measures, one per file: what masking took from the table."""

from sudare.describe.distances import Tree as Tree
from sudare.describe.graphs import Graph as Graph
from sudare.describe.metrics import PNorm as PNorm
from sudare.loss.association_loss import AssociationLoss
from sudare.loss.classification import ClassificationLoss
from sudare.loss.coefficient_overlap import CoefficientOverlap
from sudare.loss.contingency_tables import ContingencyTables
from sudare.loss.direct_comparison import DirectComparison
from sudare.loss.distance_loss import DistanceLoss
from sudare.loss.entropy_loss import EntropyLoss
from sudare.loss.hellinger import Hellinger
from sudare.loss.information_capacity import ild, ilssdm, information_capacity
from sudare.loss.mean_absolute_error import MeanAbsoluteError
from sudare.loss.model_loss import ModelLoss
from sudare.loss.moment_loss import MomentLoss
from sudare.loss.propensity import Propensity
from sudare.loss.total_variation import TotalVariation

__all__ = [
    "AssociationLoss",
    "ClassificationLoss",
    "CoefficientOverlap",
    "ContingencyTables",
    "DirectComparison",
    "DistanceLoss",
    "EntropyLoss",
    "Hellinger",
    "MeanAbsoluteError",
    "ModelLoss",
    "MomentLoss",
    "Propensity",
    "TotalVariation",
    "ild",
    "ilssdm",
    "information_capacity",
]
