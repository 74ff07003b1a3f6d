"""Screens of a table as it is: how it is opened and read, its columns, their roles, its risk."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
