"""Sessions of the workbench: opened by a link that works once, kept in a cookie.

The link carries its token behind ``#``, which browsers send to nobody; a script of the page hands
it over. Sessions live as long as the server.
"""

import hashlib
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field


def access_cookie(port: int | None) -> str:
    """Return the name of the cookie of a session at the port of an address, if it has one.

    Browsers send a cookie to all ports of a host: workbenches side by side need names of their own.

    Examples
    --------
    >>> access_cookie(8020), access_cookie(None)
    ('sudare_workbench_8020', 'sudare_workbench')
    """
    return "sudare_workbench" if port is None else f"sudare_workbench_{port}"


@dataclass
class Session:
    """A browser that came by a link.

    Attributes
    ----------
    shows_values
        Whether its user wants to see values of the data; not before being asked.
    is_guided
        Whether the pages say what to do on them.
    """

    shows_values: bool = False
    is_guided: bool = False


@dataclass
class Sessions:
    """All sessions, and the token of the next link.

    Attributes
    ----------
    lasting_token
        A token that works more than once, for a server behind somebody's own proxy; empty for none.
    on_link
        Called with the token of each new link, since the one before has been used.
    """

    lasting_token: str = ""
    on_link: Callable[[str], None] = lambda _: None
    _by_digest: dict[str, Session] = field(default_factory=dict, repr=False)
    _token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def token(self) -> str:
        """What the link that is open now carries."""
        return self.lasting_token or self._token

    def open(self, token: str) -> str | None:
        """Return the cookie of a new session; None where the token does not open one."""
        with self._lock:
            if not secrets.compare_digest(self.token.encode(), token.encode()):
                return None
            cookie = secrets.token_urlsafe(32)
            self._by_digest[_digest(cookie)] = Session()
            if self.lasting_token:
                return cookie
            self._token = secrets.token_urlsafe(32)
        self.on_link(self._token)
        return cookie

    def find(self, cookie: str) -> Session | None:
        """Return the session of a cookie."""
        return self._by_digest.get(_digest(cookie))


def _digest(cookie: str) -> str:
    """Return what a cookie is looked up by: how long that takes says nothing about others."""
    return hashlib.sha256(cookie.encode()).hexdigest()
