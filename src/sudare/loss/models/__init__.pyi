from .class_scores import Scores as Scores
from .model_loss import (
    Undefined as Undefined,
)
from .model_loss import (
    check_target as check_target,
)
from .model_loss import (
    level_codes as level_codes,
)
from .model_loss import (
    model_scores as model_scores,
)
