from .metrics import Discrete as Discrete, Given as Given, as_distance as as_distance
from .neighbors import (
    LARGEST as LARGEST,
    LEAST as LEAST,
    Space as Space,
    common_neighbors as common_neighbors,
    densities as densities,
    nearest as nearest,
)
from .trees import (
    Block as Block,
    Parents as Parents,
    Tree as Tree,
    as_tree as as_tree,
    lacking_from as lacking_from,
    parents_of as parents_of,
)
