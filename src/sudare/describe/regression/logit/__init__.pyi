from .counting import collapse as collapse, distinct as distinct
from .multinomial import (
    Fit as Fit,
    fit_logit as fit_logit,
    predict as predict,
    probabilities as probabilities,
)
