from .paper import EXAMPLES as EXAMPLES
from .study import distance as distance
