"""Risk measures, one per file: each is an attack on the released table."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
