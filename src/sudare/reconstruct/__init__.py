"""Statistics from randomized data: estimators that see the data and the public steps only."""

from sudare.reconstruct.combining import Combined, combine

__all__ = ["Combined", "combine"]
