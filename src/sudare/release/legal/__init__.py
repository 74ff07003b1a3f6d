"""Legal profiles: checklists as data, filled with evidence; the judgment is a person's."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
