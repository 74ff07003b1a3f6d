"""A real SMTP server for the tests, on a port of its own."""

import asyncio
import email
import ssl
import subprocess
import threading
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any, Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session


class MailServer:
    """Takes mail, refuses an address or everything for a while, and keeps what it took."""

    def __init__(
        self, *, certificate: Path | None = None, login: tuple[str, str] = ("", "")
    ) -> None:
        self.mails: list[EmailMessage] = []
        self.users: list[str] = []
        self.answers: dict[str, str] = {}  # by address: what is said instead of taking the mail
        self.port = 0
        self._login = login
        self._options: dict[str, Any] = {"hostname": "localhost"}
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._options |= {
                "tls_context": context,
                "require_starttls": True,
                "auth_required": True,
                "authenticator": self._authenticate,
            }
        self._connections: list[SMTP] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def _authenticate(
        self, _server: SMTP, _s: Session, _e: Envelope, _m: str, given: Any
    ) -> AuthResult:
        user, password = (part.decode() for part in (given.login, given.password))
        self.users.append(user)
        return AuthResult(success=(user, password) == self._login)

    async def handle_RCPT(  # noqa: N802 - the library calls it by this name
        self, _server: SMTP, _s: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient, or refuse it."""
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _s: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep a mail."""
        message = email.message_from_bytes(envelope.original_content or b"", policy=default)
        assert isinstance(message, EmailMessage)
        self.mails.append(message)
        return "250 OK"

    def _connection(self) -> SMTP:
        self._connections.append(SMTP(self, **self._options))
        return self._connections[-1]

    def __enter__(self) -> Self:
        self._thread.start()
        server = self._loop.create_server(self._connection, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(server, self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        """Close the connections, too: the other end's farewell may not have been read yet."""
        self._server.close()
        conversations = asyncio.all_tasks() - {asyncio.current_task()}
        for conversation in conversations:
            conversation.cancel()
        await asyncio.gather(*conversations, return_exceptions=True)
        for connection in self._connections:
            if isinstance(connection.transport, asyncio.WriteTransport):
                connection.transport.abort()
        await asyncio.sleep(0)


def certificate(folder: Path) -> Path:
    """Make a key and a certificate for localhost, in one file."""
    path = folder / "server.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", "-", "-out", "-"]
    made = subprocess.run([*command.split(), *names], check=True, capture_output=True)
    path.write_bytes(made.stdout)
    return path
