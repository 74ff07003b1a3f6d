"""The server of the workbench: on this machine alone, until it is interrupted."""

import os
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from sudare.core import InputError, SettingError, say
from sudare.web import listening
from sudare.workbench.access import Origins, Sessions
from sudare.workbench.application import create_app
from sudare.workbench.projects import state_folder
from sudare.workbench.workbench_site import WorkbenchSite

TOKEN = "SUDARE_TOKEN"  # noqa: S105 - the name of a variable
TOKEN_FILE = "SUDARE_TOKEN_FILE"  # noqa: S105 - the name of a variable
_SHORTEST_TOKEN = 32  # characters
_LOOPBACK = "127.0.0.1"
_GRACE_SECONDS = 3


def lasting_token() -> str:
    """Return the token that works more than once: from the environment, or from a private file."""
    stated, path = os.environ.get(TOKEN, ""), os.environ.get(TOKEN_FILE, "")
    if path and not stated:
        file = Path(path)
        if not file.is_file():
            raise InputError("there is no file '{path}'.", path=path)
        stated = file.read_text(encoding="utf-8").strip()
    if stated and len(stated) < _SHORTEST_TOKEN:
        raise SettingError(
            "{variable} must have at least {count} characters; make one with: openssl rand -hex 32",
            variable=TOKEN,
            count=_SHORTEST_TOKEN,
        )
    return stated


def serve(
    path: Path | None = None,
    *,
    port: int = 0,
    host: str = _LOOPBACK,
    hosts: tuple[str, ...] = (),
    open_browser: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve the workbench until a signal ends it.

    Parameters
    ----------
    path
        A project, or a table, to begin with.
    port
        Where to listen; 0 for any free port.
    host
        The address to listen at. Anything but the loopback address is for a container behind a
        proxy of its one user.
    hosts
        What requests may name as their host besides this machine, for a server behind a proxy.
    open_browser
        Whether to open the page in the user's browser.
    tell
        Called with each sentence for whoever started the server.
    """
    lasting = lasting_token()
    sessions = Sessions(lasting_token=lasting)
    site = WorkbenchSite(state_folder(), sessions)
    with listening(host, port) as listener:
        number = listener.getsockname()[1]
        local = Origins.of_port(number)
        schemes = ("http", "https") if hosts else ("http",)
        site.origins = Origins(local.hosts | frozenset(hosts), schemes)
        first = site.opening(path, {}) if path else "/"
        address = f"http://{_LOOPBACK}:{number}{first}"
        sessions.on_link = lambda token: tell(
            say("for another browser: {link}", link=f"{address}#{token}")
        )
        link = address if lasting else f"{address}#{sessions.token}"
        tell(say("the workbench is at {link}", link=link))
        if open_browser:
            webbrowser.open(link)
        config = uvicorn.Config(
            create_app(site),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        try:
            uvicorn.Server(config).run(sockets=[listener])
        except KeyboardInterrupt:
            return
        finally:
            site.close()
