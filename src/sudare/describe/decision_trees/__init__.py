"""Decision trees and forests: classification and regression by best splits (CART)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
