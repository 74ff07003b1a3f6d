from .conditional import Conditional as Conditional
from .conditional import Model as Model
from .predictors import Predictor as Predictor
from .predictors import Ranks as Ranks
from .predictors import is_ordered as is_ordered
from .predictors import states as states
