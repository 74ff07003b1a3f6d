"""A socket for a server, or a clear reason why there is none."""

import socket

from sudare.core import InputError


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections from now on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once only over sockets that say they are TCP
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
        return listener
    except OSError as error:
        listener.close()
        raise InputError(
            "cannot listen at {host}, port {port}: {reason}; choose another port.",
            host=host,
            port=port,
            reason=error.strerror,
        ) from None
