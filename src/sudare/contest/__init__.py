"""Contests: teams mask, attack one another's files, and are ranked.

The server and its database need the extra ``contest``; rules and phases do not.
"""

import lazy_loader

from sudare.core import MissingPartError

_named, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Import a part when it is first asked for; some need a database or a web server."""
    try:
        return _named(name)
    except ModuleNotFoundError as error:
        raise MissingPartError(
            "contests need {library}; install it with: pip install 'sudare[contest]'",
            library=error.name,
        ) from None
