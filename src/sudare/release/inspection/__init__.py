"""The gate: what is looked at before a table leaves the house, and what may be said of it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
