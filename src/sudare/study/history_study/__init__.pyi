from .printed import printed_numbers as printed_numbers
from .study import HistoryStudy as HistoryStudy
from .study import history as history
from .tables import TABLES as TABLES
from .tables import correlation as correlation
from .tables import correlations as correlations
from .tables import critical_value as critical_value
