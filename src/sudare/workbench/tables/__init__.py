"""The tables of open projects: read and counted once by a job, then answered from counts."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
