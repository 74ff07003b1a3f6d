"""What holds for a session: how it begins, jobs, steps, and the library that draws charts."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
