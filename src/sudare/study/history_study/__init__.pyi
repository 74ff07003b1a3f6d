from .printed import printed_numbers as printed_numbers
from .study import HistoryStudy as HistoryStudy, history as history
from .tables import (
    TABLES as TABLES,
    correlation as correlation,
    correlations as correlations,
    critical_value as critical_value,
)
