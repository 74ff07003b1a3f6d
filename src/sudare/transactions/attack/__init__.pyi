from .reidentification import (
    AttackOutcome as AttackOutcome,
    score_names as score_names,
    who_is_who as who_is_who,
)
from .safety import BOUNDS as BOUNDS, Bound as Bound, exact as exact
