"""The contest of synthetic cohorts: tables of made-up people, and attacks on who they are from."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
