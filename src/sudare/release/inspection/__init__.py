"""The gate: what is checked before a table is released, and what may be said about it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
