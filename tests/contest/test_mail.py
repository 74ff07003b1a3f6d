"""Mail: teams are told once, through a real SMTP server, and nothing is lost while it is away."""

import shutil
import time
from pathlib import Path

import pytest

from sudare.contest import Contest, Phase
from sudare.contest.errors import EntryError
from sudare.contest.mail.mail_queue import MOST_ATTEMPTS
from sudare.contest.mail.mail_sender import (
    PASSWORD_FILE,
    PASSWORD_VARIABLE,
    MailSender,
    smtp_password,
)
from sudare.contest.rules import ContestRules, MailRules
from sudare.contest.scoring.worker import Worker
from sudare.core import InputError, SettingError
from tests.contest.conftest import PASSWORD, MakeContest
from tests.contest.mail_server import MailServer, certificate
from tests.contest.test_accounts import Clock
from tests.lacking import lacking

SENDER = "contest@example.org"


def mailing(make_contest: MakeContest, port: int, **rules: object) -> Contest:
    mail = MailRules(
        server="127.0.0.1", port=port, encryption="none", sender=SENDER, site="https://c"
    )
    contest = make_contest(mail=mail, **rules)
    for team in ("alpha", "beta"):
        contest.register(team, PASSWORD, address=f"{team}@example.org")
    contest.register("gamma", PASSWORD)
    return contest


def test_phases_and_announcements_reach_every_team_with_an_address_once(
    make_contest: MakeContest,
) -> None:
    with MailServer() as server:
        contest = mailing(make_contest, server.port)
        sender = MailSender(contest)
        sender.send_waiting()
        assert server.mails == []
        contest.open_phase(Phase.FINAL_MASKING)
        contest.announce(contest.referee(), "Lunch at noon.\n昼食は正午です。")
        for _ in range(3):
            sender.send_waiting()
        assert sorted(str(mail["To"]) for mail in server.mails) == [
            *["alpha@example.org"] * 2,
            *["beta@example.org"] * 2,
        ]
        news, phase = (mail for mail in server.mails if mail["To"] == "alpha@example.org")
        assert news["Subject"] == "[sudare contest] Announcement / お知らせ"
        assert "昼食は正午です。" in news.get_content()
        assert "final-masking" in phase.get_content()
        assert "https://c" in phase.get_content()
        assert (news["From"], news["Auto-Submitted"]) == (SENDER, "auto-generated")
        assert contest.mail.progress().sent == 4
        contest.open_phase(Phase.FINAL_MASKING)  # opened again: told again
        sender.send_waiting()
        assert len(server.mails) == 6


def test_a_team_is_told_that_it_was_approved_or_removed_and_no_more_after_that(
    make_contest: MakeContest,
) -> None:
    with MailServer() as server:
        contest = mailing(make_contest, server.port, approval=True)
        referee, sender = contest.referee(), MailSender(contest)
        contest.announce(referee, "for those who take part")
        contest.set_team_status(referee, "alpha", "active")
        contest.set_team_status(referee, "beta", "removed")
        contest.open_phase(Phase.FINAL_MASKING)
        sender.send_waiting()
        told = [(mail["To"], mail.get_content().splitlines()[0]) for mail in server.mails]
        assert sorted(told) == [
            ("alpha@example.org", "the phase 'final-masking' is open."),
            ("alpha@example.org", "the referee has approved your team."),
            ("beta@example.org", "the referee has removed this team from the contest."),
        ]


def test_results_reach_every_team_once_when_all_is_scored_and_shown_and_after_a_new_scoring(
    make_contest: MakeContest, tmp_path: Path
) -> None:
    with MailServer() as server:
        contest = mailing(make_contest, server.port)
        referee, sender = contest.referee(), MailSender(contest)
        contest.open_phase(Phase.FINAL_MASKING)
        contest.accept_mask(contest.teams()[0], tmp_path / "T.csv", "A.csv")
        contest.open_phase(Phase.FINAL_RESULT)
        sender.send_waiting()
        server.mails.clear()
        assert contest.standings(referee, "final").waiting == 1
        contest.freeze(referee, "final")
        Worker(contest).run(until_idle=True)
        sender.send_waiting()
        assert server.mails == []
        contest.unfreeze(referee, "final")
        for _ in range(2):
            sender.send_waiting()
        told = {str(mail["To"]): mail.get_content() for mail in server.mails}
        assert len(server.mails) == 2
        assert "the round 'final' are out" in told["beta@example.org"]
        assert "your team" not in told["beta@example.org"]
        assert ("rank 1" in told["alpha@example.org"]) == (
            contest.entries(referee)[0].status == "accepted"
        )
        contest.rescore(referee, "the weights were wrong")
        Worker(contest).run(until_idle=True)
        sender.send_waiting()
        assert len(server.mails) == 4


def test_mail_waits_while_the_server_is_away_and_is_given_up_where_it_is_refused(
    make_contest: MakeContest,
) -> None:
    clock = Clock()
    with MailServer() as server:
        contest = mailing(make_contest, server.port, clock=clock)
        server.answers = {
            "alpha@example.org": "550 no such mailbox",
            "beta@example.org": "451 come again later",
        }
        contest.announce(contest.referee(), "hello")
        sender = MailSender(contest)
        sender.send_waiting()
        progress = contest.mail.progress()
        assert (progress.sent, progress.waiting, progress.failed) == (0, 1, 1)
        server.answers = {}
        sender.send_waiting()  # not due yet
        assert server.mails == []
    clock.now += 60
    with pytest.raises(OSError, match="refused"):
        sender.send_waiting()
    clock.now += 600
    with MailServer() as server:
        object.__setattr__(sender._rules, "port", server.port)
        sender.send_waiting()
        assert [str(mail["To"]) for mail in server.mails] == ["beta@example.org"]
    assert contest.mail.progress().waiting == 0


def test_mail_is_given_up_after_many_attempts(make_contest: MakeContest) -> None:
    clock = Clock()
    with MailServer() as server:
        port = server.port
    contest = mailing(make_contest, port, clock=clock)
    contest.announce(contest.referee(), "hello")
    sender = MailSender(contest)
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(OSError, match="refused"):
            sender.send_waiting()
        clock.now += 1e6
    sender.send_waiting()
    assert contest.mail.progress().failed == 2


def test_a_login_goes_over_an_encrypted_connection_with_a_password_from_outside_the_rules(
    make_contest: MakeContest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("openssl") is None:
        lacking("needs openssl to make a certificate")
    pem = certificate(tmp_path)
    with MailServer(certificate=pem, login=("contest", "of the SMTP server")) as server:
        mail = MailRules(server="localhost", port=server.port, user="contest", sender=SENDER)
        contest = make_contest(mail=mail)
        contest.register("alpha", PASSWORD, address="alpha@example.org")
        contest.announce(contest.referee(), "hello")
        monkeypatch.setenv(PASSWORD_VARIABLE, "of the SMTP server")
        with pytest.raises(OSError, match="certificate"):  # nobody vouches for the server
            MailSender(contest).send_waiting()
        assert server.users == []
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        contest.announce(contest.referee(), "hello again")
        with MailSender(contest, every=0.01):
            while not contest.mail.progress().sent:
                time.sleep(0.01)
        assert server.users == ["contest"]
        assert len(server.mails) == 1


def test_a_password_file_is_read_only_if_it_is_private(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=PASSWORD_VARIABLE):
        smtp_password(tmp_path)
    secret = tmp_path / PASSWORD_FILE
    secret.write_text("of the SMTP server\n")
    secret.chmod(0o640)
    with pytest.raises(InputError, match="chmod 600"):
        smtp_password(tmp_path)
    secret.chmod(0o600)
    assert smtp_password(tmp_path) == "of the SMTP server"


def test_without_a_server_nothing_is_kept_to_be_sent(make_contest: MakeContest) -> None:
    contest = make_contest()
    contest.register("alpha", PASSWORD, address="alpha@example.org")
    contest.announce(contest.referee(), "hello")
    assert contest.mail.progress().waiting == 0


@pytest.mark.parametrize(
    "given",
    [
        *("alpha", "a@b, c@d", "a@b\nBcc: c@d", "a b@c", "@", "<a@b>"),
        *("=?utf-8?q?x=0D=0ABcc=3Ac?=@x", "=?utf-8?q?a=40b=2C=20c=40d?=@x"),
    ],
)
def test_what_is_no_plain_address_is_refused(make_contest: MakeContest, given: str) -> None:
    with pytest.raises(EntryError, match="address"):
        make_contest().register("alpha", PASSWORD, address=given)


def test_the_public_rules_say_nothing_about_the_mail_server() -> None:
    text = '[mail]\nserver = "smtp.example.org"\nuser = "u"\nsender = "contest@example.org"'
    rules = ContestRules.from_toml(text)
    assert ContestRules.from_toml(rules.to_toml()).mail == rules.mail
    assert "example.org" not in rules.public_toml()


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[mail]\nserver = 's'", "mail.sender must be a mail address"),
        ("[mail]\nserver = 's'\nsender = 'a@b'\nport = 0", "mail.port"),
        ("[mail]\nserver = 's'\nsender = 'a@b'\nencryption = 'ssl'", "starttls, tls, none"),
        ("[mail]\nserver = 's'\nsender = 'a@b'\nencryption='none'\nuser='u'", "in the clear"),
        ("[mail]\nserver = 's'\nsender = 'a@b'\npassword = 'x'", "mail.password"),
    ],
)
def test_rules_for_mail_that_cannot_work_are_refused(toml: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ContestRules.from_toml(toml)
