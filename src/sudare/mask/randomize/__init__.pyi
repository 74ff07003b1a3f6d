from .privacy_budget import (
    Bounds as Bounds,
)
from .privacy_budget import (
    Possible as Possible,
)
from .privacy_budget import (
    bounds_of as bounds_of,
)
from .privacy_budget import (
    total_epsilon as total_epsilon,
)
