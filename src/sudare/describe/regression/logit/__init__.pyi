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
