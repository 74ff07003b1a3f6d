"""``sudare history``: purchase histories, from the check of a masked file to its map."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
