"""What was masked and can still be told from what is released: by columns, blanks, households."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
