"""The distances that a caller of the loss functions names, offered with them."""

from sudare.describe import Graph, PNorm, Tree

__all__ = ["Graph", "PNorm", "Tree"]
