"""Describing a table before masking it: scales, associations, distances, hierarchies, a profile."""

from sudare.describe.association import Association, Pair, association
from sudare.describe.distances import Distance, Tree
from sudare.describe.graphs import Graph
from sudare.describe.hierarchies import automatic
from sudare.describe.hierarchy import Hierarchy
from sudare.describe.metrics import Function, PNorm
from sudare.describe.obstacles import Obstacle
from sudare.describe.profile import ColumnProfile, Profile, profile
from sudare.describe.scales import Guess, scales

__all__ = [
    "Association",
    "ColumnProfile",
    "Distance",
    "Function",
    "Graph",
    "Guess",
    "Hierarchy",
    "Obstacle",
    "PNorm",
    "Pair",
    "Profile",
    "Tree",
    "association",
    "automatic",
    "profile",
    "scales",
]
