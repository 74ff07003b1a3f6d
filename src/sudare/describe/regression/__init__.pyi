from .design import Design as Design
from .linear_models import fitted as fitted, linear_fit as linear_fit, logistic_fit as logistic_fit
from .survival_models import (
    cox_fit as cox_fit,
    from_here_on as from_here_on,
    kaplan_meier as kaplan_meier,
    log_hazard_ratios as log_hazard_ratios,
    log_risks as log_risks,
)
