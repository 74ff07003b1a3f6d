"""Releases: looked at by the gate, confirmed, written, and sent for review, each as a job."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
