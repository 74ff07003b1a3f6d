"""The lattice of levels: tables rolled up from one another, their losses, and the best node."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
