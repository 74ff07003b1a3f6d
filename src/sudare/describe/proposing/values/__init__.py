"""What the values of a column say: their patterns, their order, words that mean no answer."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
