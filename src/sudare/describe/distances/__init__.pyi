from .metrics import Discrete as Discrete
from .metrics import Given as Given
from .metrics import as_distance as as_distance
from .neighbors import LARGEST as LARGEST
from .neighbors import LEAST as LEAST
from .neighbors import Space as Space
from .neighbors import common_neighbors as common_neighbors
from .neighbors import densities as densities
from .neighbors import nearest as nearest
from .trees import (
    Block as Block,
)
from .trees import (
    Parents as Parents,
)
from .trees import (
    Tree as Tree,
)
from .trees import (
    as_tree as as_tree,
)
from .trees import (
    lacking_from as lacking_from,
)
from .trees import (
    parents_of as parents_of,
)
