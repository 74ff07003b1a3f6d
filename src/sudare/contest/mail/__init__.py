"""Mail to teams: what waits to be sent, and how it is sent."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
