"""Projects that are open: their file, their steps with undo and redo, and those opened lately."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
