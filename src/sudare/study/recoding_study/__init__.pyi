from .paper import ASSOCIATION as ASSOCIATION
from .paper import CATEGORIES as CATEGORIES
from .paper import CORRELATIONS as CORRELATIONS
from .paper import MEANS as MEANS
from .paper import SHARES as SHARES
from .paper import TOP as TOP
from .study import recoding as recoding
