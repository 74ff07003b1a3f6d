from .mail_queue import MailProgress as MailProgress
from .mail_queue import MailQueue as MailQueue
from .mail_queue import active_teams as active_teams
from .mail_sender import MailSender as MailSender
