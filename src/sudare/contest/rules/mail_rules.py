"""The SMTP server through which a contest sends mail, if it does."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from sudare.contest.rules.toml_schema import check_choice
from sudare.core import SettingError

Encryption = Literal["starttls", "tls", "none"]
LONGEST_ADDRESS = 254
# Without = and ?, of which headers make encoded words.
ADDRESS = r"[A-Za-z0-9.!#$%&'*+/^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"
_LARGEST_PORT = 65535


def is_address(text: str) -> bool:
    r"""Return whether a text is one plain mail address, without anything that headers could take.

    Examples
    --------
    >>> is_address("team@example.org"), is_address("a@b, c@d"), is_address("a@b\nBcc: c@d")
    (True, False, False)
    """
    return len(text) <= LONGEST_ADDRESS and re.fullmatch(ADDRESS, text) is not None


@dataclass(frozen=True, kw_only=True)
class MailRules:
    """Where mail goes out. Without a server there is none.

    Attributes
    ----------
    server, port
        The SMTP server.
    encryption
        "starttls", "tls" from the first byte, or "none".
    user
        For servers that want a login; the password is never in the rules.
    sender
        The address that mail comes from.
    site
        The address of the contest's site, named in every mail.
    """

    server: str = ""
    port: int = 587
    encryption: Encryption = "starttls"
    user: str = ""
    sender: str = ""
    site: str = ""

    def __post_init__(self) -> None:
        check_choice("mail.encryption", self.encryption, get_args(Encryption))
        if not 1 <= self.port <= _LARGEST_PORT:
            raise SettingError(
                "contest: {name} must be a whole number from {least} to {most}.",
                name="mail.port",
                least=1,
                most=_LARGEST_PORT,
            )
        if self.server and not is_address(self.sender):
            raise SettingError("contest: mail.sender must be a mail address.")
        if self.user and self.encryption == "none":
            raise SettingError(
                "contest: mail.user needs encryption; a password is not sent in the clear."
            )
