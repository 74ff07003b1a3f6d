from .cell_error import contains as contains
from .cell_error import range_error as range_error
from .history_statistics import STATISTICS as STATISTICS
from .history_statistics import statistics as statistics
from .measures import all_weights as all_weights
from .measures import check_weights as check_weights
from .sampling import Possible as Possible
from .use_cases import (
    MIN_SUPPORT as MIN_SUPPORT,
)
from .use_cases import (
    Reference as Reference,
)
from .use_cases import (
    mean_errors as mean_errors,
)
from .use_cases import (
    sample_errors as sample_errors,
)
