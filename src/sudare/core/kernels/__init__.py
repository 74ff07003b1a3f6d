"""Kernels: loops that NumPy cannot express, compiled when they are first called."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
