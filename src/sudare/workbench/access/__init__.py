"""Who may look: links that work once, sessions, and where a request may come from."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
