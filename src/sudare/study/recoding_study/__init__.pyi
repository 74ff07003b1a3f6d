from .paper import (
    ASSOCIATION as ASSOCIATION,
    CATEGORIES as CATEGORIES,
    CORRELATIONS as CORRELATIONS,
    MEANS as MEANS,
    SHARES as SHARES,
    TOP as TOP,
)
from .study import recoding as recoding
