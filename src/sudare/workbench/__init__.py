"""The workbench: a table from file to release, in a browser on the user's own machine.

Needs the ``workbench`` extra.
"""

import lazy_loader

from sudare.core import MissingPartError

_named, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Import a part when it is first asked for; all of them need a web server."""
    try:
        return _named(name)
    except ModuleNotFoundError as error:
        raise MissingPartError(
            "the workbench needs {library}; install it with: pip install 'sudare[workbench]'",
            library=error.name,
        ) from None
