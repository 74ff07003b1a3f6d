from .tables import TABLES as TABLES
from .tables import correlation as correlation
