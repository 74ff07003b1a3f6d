from .conditional import Conditional as Conditional, Model as Model
from .predictors import (
    Predictor as Predictor,
    Ranks as Ranks,
    is_ordered as is_ordered,
    states as states,
)
