from .branch_and_bound import Search as Search
from .level_tables import Lattice as Lattice
from .level_tables import lattice_of as lattice_of
from .local_search import LatticeNode as LatticeNode
from .losses import LossName as LossName
from .losses import loss_of as loss_of
