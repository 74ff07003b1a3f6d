"""Screens of the variants of a release: how they are made, and how they compare."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
