"""The sections of the report of a release, each a file, in the order in which they are read."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
