"""Proposals: what each column probably is, with a reason, a confidence and the counts behind it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
