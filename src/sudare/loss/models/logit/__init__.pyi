from .class_scores import Scores as Scores
from .class_scores import confusion as confusion
from .class_scores import scores as scores
from .counting import collapse as collapse
from .counting import distinct as distinct
from .multinomial import (
    Fit as Fit,
)
from .multinomial import (
    fit_logit as fit_logit,
)
from .multinomial import (
    predict as predict,
)
from .multinomial import (
    probabilities as probabilities,
)
