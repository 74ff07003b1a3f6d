"""Mail that waits in the database, so that nothing is lost while the SMTP server is away."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sudare.contest.rules import MailRules, Moment
from sudare.contest.storage import AccountRow, Database, MailRow, OrderRow
from sudare.core import LANGUAGES, Message, speaking

MOST_ATTEMPTS = 12  # about half a day
_FIRST_PAUSE = 15.0  # seconds before a second attempt; doubled for every other
_CLAIM_SECONDS = 300.0  # after which another sender may take over
_AT_ONCE = 50
_LONGEST_SUBJECT = 200


@dataclass(frozen=True)
class Mail:
    """A mail to one address."""

    id: int
    address: str
    subject: str
    body: str


@dataclass(frozen=True)
class MailProgress:
    """How many mails wait, were sent, and could not be sent."""

    waiting: int = 0
    sent: int = 0
    failed: int = 0


class MailQueue:
    """The mail of a contest.

    Every subject begins with the ``title``. Without a server in the rules, nothing is sent.
    """

    def __init__(
        self, database: Database, clock: Callable[[], float], title: str, rules: MailRules
    ) -> None:
        self.database, self.clock, self.title, self.rules = database, clock, title, rules

    def add(
        self,
        session: Session,
        teams: Iterable[AccountRow],
        topic: str,
        messages: Sequence[Message | str],
    ) -> None:
        """Let mail wait for teams that gave an address, in the session's transaction.

        A team gets one mail of a topic. The first message is the subject.
        """
        if not self.rules.server:
            return
        told = _told(session, topic)
        subject = " ".join(f"[{self.title}] {_in_all_languages(messages[:1], ' / ')}".split())
        body = "\n\n".join([_in_all_languages(messages, "\n\n"), self.rules.site]).strip() + "\n"
        for team in teams:
            if team.address and team.id not in told:
                row = MailRow(
                    account_id=team.id,
                    topic=topic,
                    subject=subject[:_LONGEST_SUBJECT],
                    body=body,
                    due=self.clock(),
                )
                session.add(row)

    def untold(self, session: Session, topic: str) -> list[AccountRow]:
        """Return the teams that take part, gave an address, and were not informed about a topic."""
        told = _told(session, topic)
        return [team for team in active_teams(session) if team.address and team.id not in told]

    def claim(self) -> list[Mail]:
        """Return mail that is due; nobody else sends it in the next minutes."""
        now = self.clock()
        query = (
            select(MailRow, AccountRow.address)
            .join(AccountRow, AccountRow.id == MailRow.account_id)
            .where(MailRow.status == "waiting", MailRow.due <= now)
            .order_by(MailRow.id)
            .limit(_AT_ONCE)
        )
        with self.database.writing() as session:
            mails = []
            for row, address in session.execute(query):
                row.due = now + _CLAIM_SECONDS
                row.attempts += 1
                mails.append(Mail(row.id, address, row.subject, row.body))
            return mails

    def sent(self, mail: Mail) -> None:
        """Note that the SMTP server has taken a mail."""
        with self.database.writing() as session:
            row = session.get_one(MailRow, mail.id)
            row.status, row.body = "sent", ""

    def failed(self, mail: Mail, *, for_good: bool) -> None:
        """Note that a mail was not taken: it is tried again later, or not at all."""
        with self.database.writing() as session:
            row = session.get_one(MailRow, mail.id)
            row.due = self.clock() + _FIRST_PAUSE * 2 ** (row.attempts - 1)
            if for_good or row.attempts >= MOST_ATTEMPTS:
                row.status = "failed"

    def progress(self) -> MailProgress:
        """Return how much mail waits, was sent, and could not be sent."""
        query = select(MailRow.status, func.count()).group_by(MailRow.status)
        with self.database.reading() as session:
            return MailProgress(**{row[0]: row[1] for row in session.execute(query)})

    def tell_phase(self, moment: Moment) -> None:
        """Queue mail about the phase that has opened; teams are informed once about each."""
        if not moment.is_open or moment.phase == "register":
            return
        with self.database.writing() as session:
            orders = session.scalar(select(func.max(OrderRow.id))) or 0
            opened = Message("the phase '{phase}' is open.", phase=str(moment.phase))
            self.add(session, active_teams(session), f"{moment.phase} {orders}", [opened])


def _told(session: Session, topic: str) -> set[int]:
    return set(session.scalars(select(MailRow.account_id).where(MailRow.topic == topic)))


def active_teams(session: Session) -> list[AccountRow]:
    """Return the teams that take part."""
    query = select(AccountRow).where(AccountRow.role == "team", AccountRow.status == "active")
    return list(session.scalars(query))


def _in_all_languages(messages: Sequence[Message | str], between: str) -> str:
    texts = []
    for language in LANGUAGES:
        with speaking(language):
            texts.append("\n\n".join(map(str, messages)))
    return between.join(dict.fromkeys(texts))
