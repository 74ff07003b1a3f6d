from .metrics import Discrete as Discrete
from .metrics import Given as Given
from .metrics import as_distance as as_distance
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
