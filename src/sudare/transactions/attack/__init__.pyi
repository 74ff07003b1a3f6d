from .reidentification import (
    AttackOutcome as AttackOutcome,
)
from .reidentification import (
    score_names as score_names,
)
from .reidentification import (
    who_is_who as who_is_who,
)
from .safety import BOUNDS as BOUNDS
from .safety import Bound as Bound
from .safety import exact as exact
