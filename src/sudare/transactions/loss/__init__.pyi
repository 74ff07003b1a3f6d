from .cell_error import contains as contains, range_error as range_error
from .history_statistics import STATISTICS as STATISTICS, statistics as statistics
from .measures import all_weights as all_weights, check_weights as check_weights
from .sampling import Possible as Possible
from .use_cases import (
    MIN_SUPPORT as MIN_SUPPORT,
    Reference as Reference,
    mean_errors as mean_errors,
    sample_errors as sample_errors,
)
