"""What every site of ours shares: application shell, security headers, language, forms, errors.

Also rate limits, uploads, and long work with progress. Needs the ``web`` extra.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
