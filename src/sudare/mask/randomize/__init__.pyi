from .privacy_budget import (
    Bounds as Bounds,
    Possible as Possible,
    bounds_of as bounds_of,
    total_epsilon as total_epsilon,
)
