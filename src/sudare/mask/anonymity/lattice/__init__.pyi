from .branch_and_bound import Search as Search
from .level_tables import Lattice as Lattice, lattice_of as lattice_of
from .local_search import LatticeNode as LatticeNode
from .losses import LossName as LossName, loss_of as loss_of
from .solutions import Solution as Solution, nearest_levels as nearest_levels, nodes_at as nodes_at
