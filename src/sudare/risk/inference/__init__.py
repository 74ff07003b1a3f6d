"""Inference: attacks on secrets and on membership, against a baseline or a control."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
