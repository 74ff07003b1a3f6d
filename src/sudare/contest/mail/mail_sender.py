"""Sends the mail of a contest through the SMTP server that its rules state."""

import os
import smtplib
import ssl
import stat
import threading
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Self

from sqlalchemy.exc import SQLAlchemyError

from sudare.contest.contest import Contest
from sudare.contest.mail.mail_queue import Mail, MailQueue
from sudare.contest.rules import MailRules
from sudare.core import InputError
from sudare.web import log_error

PASSWORD_VARIABLE = "SUDARE_SMTP_PASSWORD"  # noqa: S105
PASSWORD_FILE = "smtp-password"  # noqa: S105 - in the folder of the contest
_TIMEOUT = 30.0  # seconds for each step of the conversation
_EVERY = 5.0  # seconds between two looks at the queue


def smtp_password(folder: Path) -> str:
    """Return the password for the SMTP server: from the environment, or from a private file."""
    given = os.environ.get(PASSWORD_VARIABLE)
    path = folder / PASSWORD_FILE
    if given is not None:
        return given
    if not path.is_file():
        raise InputError(
            "contest: the SMTP server needs a password; set {variable}, or write it into "
            "'{file}' in the folder of the contest, mode 0600.",
            variable=PASSWORD_VARIABLE,
            file=PASSWORD_FILE,
        )
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError(
            "contest: others can read '{file}'; make it private with: chmod 600 {file}",
            file=PASSWORD_FILE,
        )
    return path.read_text(encoding="utf-8").strip()


class MailSender:
    """A thread that sends what waits; without a server in the rules there is nothing to do.

    A mail whose sending is interrupted is sent again: better twice than never.
    """

    def __init__(self, contest: Contest, *, every: float = _EVERY) -> None:
        self.contest, self.every = contest, every
        self._rules: MailRules = contest.rules.mail
        self._password = smtp_password(contest.folder) if self._rules.user else ""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        if self._rules.server:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._rules.server:
            self._thread.join(_TIMEOUT)

    def _run(self) -> None:
        while True:
            try:
                self.send_waiting()
            except (OSError, SQLAlchemyError) as error:  # tried again: the mail is in the database
                log_error(error)
            if self._stopping.wait(self.every):
                return

    def send_waiting(self) -> None:
        """Send what is due, also because a phase opened or the results of a round are out."""
        queue = self.contest.mail
        queue.tell_phase(self.contest.phase())
        self.contest.tell_results()
        mails = queue.claim()
        if not mails:
            return
        try:
            server = self._connect()
        except OSError:
            for mail in mails:
                queue.failed(mail, for_good=False)
            raise
        with server:
            for mail in mails:
                self._send(server, queue, mail)

    def _send(self, server: smtplib.SMTP, queue: MailQueue, mail: Mail) -> None:
        try:
            server.send_message(self._written(mail))
        except ValueError:  # no header can hold the address
            queue.failed(mail, for_good=True)
        except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
            queue.failed(mail, for_good=_code(error) >= 500)
        except OSError:  # the connection is gone
            queue.failed(mail, for_good=False)
        else:
            queue.sent(mail)

    def _connect(self) -> smtplib.SMTP:
        rules, context = self._rules, ssl.create_default_context()
        if rules.encryption == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                rules.server, rules.port, timeout=_TIMEOUT, context=context
            )
        else:
            server = smtplib.SMTP(rules.server, rules.port, timeout=_TIMEOUT)
        try:
            if rules.encryption == "starttls":
                server.starttls(context=context)
            if rules.user:
                server.login(rules.user, self._password)
        except OSError:
            server.close()
            raise
        return server

    def _written(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"] = self._rules.sender, mail.address
        message["Subject"] = mail.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._rules.sender.partition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.body)
        return message


def _code(error: smtplib.SMTPException) -> int:
    """Return the SMTP reply code of a refusal."""
    if isinstance(error, smtplib.SMTPResponseException):
        return error.smtp_code
    refused = error.recipients if isinstance(error, smtplib.SMTPRecipientsRefused) else {}
    return max((code for code, _ in refused.values()), default=0)
