"""The density ratio (algorithm 1), by kernels or linear."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
