"""Which user of this machine is at the other end of a connection.

Other users of the machine can reach its loopback address too. Linux says in a table of connections
who owns each end; elsewhere nobody says, and the session alone protects.
"""

import os
import socket
from pathlib import Path

_CONNECTIONS = Path("/proc/net/tcp")
_ESTABLISHED = "01"
_ROOT = 0


def may_connect(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Return whether a connection is from the user who runs the server, as far as can be told.

    Parameters
    ----------
    client, server
        Address and port of both ends.
    """
    try:
        lines = _CONNECTIONS.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return True
    ends = [_written(client), _written(server)]
    for line in lines:
        words = line.split()
        if words[1:3] == ends:
            # An end that was closed already has no owner any more.
            return words[3] == _ESTABLISHED and int(words[7]) in {os.getuid(), _ROOT}
    return False


def _written(end: tuple[str, int]) -> str:
    """Return an end of a connection as the table has it.

    Examples
    --------
    >>> import sys
    >>> _written(("127.0.0.1", 80)) if sys.byteorder == "little" else "0100007F:0050"
    '0100007F:0050'
    """
    number = int.from_bytes(socket.inet_aton(end[0]), "little")
    return f"{number:08X}:{end[1]:04X}"
