"""Data to try things on: generators of data like the papers', and loaders for public files."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
