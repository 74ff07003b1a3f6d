"""What is released: a masked table or history, its papers, and the seed that stays behind."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
