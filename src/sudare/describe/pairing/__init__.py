"""Pairing: the columns of a table before and after masking, written alike and on one code."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
