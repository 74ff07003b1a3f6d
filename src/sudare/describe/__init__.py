"""Describing a table before masking it: scales with a reason, associations, a profile."""

from sudare.describe.association import Association, Pair, association
from sudare.describe.obstacles import Obstacle
from sudare.describe.profile import ColumnProfile, Profile, profile
from sudare.describe.scales import Guess, scales

__all__ = [
    "Association",
    "ColumnProfile",
    "Guess",
    "Obstacle",
    "Pair",
    "Profile",
    "association",
    "profile",
    "scales",
]
