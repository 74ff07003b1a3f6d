"""Methods: maskers with their plans and steps, measures with their results, and what both share."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
