"""The sections of a project file: their declarations, reading, JSON Schema and versions."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
