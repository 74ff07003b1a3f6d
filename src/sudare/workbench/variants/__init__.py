"""Variants: the recipes of a project, edited step by step, tried out in jobs, and searched for."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
