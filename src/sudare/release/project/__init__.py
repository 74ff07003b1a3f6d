"""The project file: one TOML file that says all there is to say about a table and its release."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
