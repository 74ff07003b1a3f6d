from .class_scores import Scores as Scores
from .model_loss import (
    Undefined as Undefined,
    check_target as check_target,
    level_codes as level_codes,
    model_scores as model_scores,
)
