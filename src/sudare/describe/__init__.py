"""Describing a table before masking it: scales with a reason, and a profile without values."""

from sudare.describe.profile import ColumnProfile, Profile, profile
from sudare.describe.scales import Guess, scales

__all__ = ["ColumnProfile", "Guess", "Profile", "profile", "scales"]
