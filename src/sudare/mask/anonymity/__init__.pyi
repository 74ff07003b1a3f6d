from .generalization import GeneralizationPlan as GeneralizationPlan
from .lattice import Solution as Solution
