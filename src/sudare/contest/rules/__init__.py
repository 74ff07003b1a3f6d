"""The rules of a contest: what its TOML file states, its phases and when they open."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
