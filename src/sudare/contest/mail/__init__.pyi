from .mail_queue import (
    MailProgress as MailProgress,
    MailQueue as MailQueue,
    active_teams as active_teams,
)
from .mail_sender import MailSender as MailSender
