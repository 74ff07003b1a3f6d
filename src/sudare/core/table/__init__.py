"""Tables: columns, microdata in memory, large tables in blocks, and moments of their numbers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
