"""Which user of this machine is at the other end of a connection.

Other users of the machine can reach its loopback addresses too. Linux says in tables of connections
who owns each end; elsewhere nobody says, and the session alone protects.
"""

import os
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

_CONNECTIONS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_ESTABLISHED = "01"
_ROOT = 0


def is_loopback(host: str) -> bool:
    """Return whether an address is one that only this machine reaches.

    Examples
    --------
    >>> [is_loopback(host) for host in ("127.0.0.2", "::1", "::ffff:127.0.0.1", "172.17.0.2")]
    [True, True, True, False]
    """
    return _address(host).is_loopback


def may_connect(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Return whether a connection is from the user who runs the server.

    On Linux, one whose owner cannot be told is not.
    """
    if sys.platform != "linux":
        return True
    ends = list(zip(_written(client), _written(server), strict=False))
    for words in _connections():
        if (words[1], words[2]) in ends:
            # An end that was closed already has no owner any more.
            return words[3] == _ESTABLISHED and int(words[7]) in {os.getuid(), _ROOT}
    return False


def _connections() -> Iterator[list[str]]:
    for table in _CONNECTIONS:
        try:
            lines = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        yield from (line.split() for line in lines)


def _written(end: tuple[str, int]) -> list[str]:
    """Return an end of a connection as the tables have it; IPv4 also as a part of IPv6.

    Examples
    --------
    >>> _written(("127.0.0.2", 80))[0] if sys.byteorder == "little" else "0200007F:0050"
    '0200007F:0050'
    """
    address = _address(end[0])
    forms = [address.packed]
    if address.version == 4:
        forms.append(IPv6Address(f"::ffff:{address}").packed)
    return [f"{_in_words(form)}:{end[1]:04X}" for form in forms]


def _in_words(form: bytes) -> str:
    words = (form[start : start + 4] for start in range(0, len(form), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)


def _address(host: str) -> IPv4Address | IPv6Address:
    address = ip_address(host)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
