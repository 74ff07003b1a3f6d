"""Purchase histories in the workbench: how they are opened, and the jobs that work on them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
