from .database import (
    AccountRow as AccountRow,
    AnnouncementRow as AnnouncementRow,
    AttemptRow as AttemptRow,
    Database as Database,
    EntryRow as EntryRow,
    FormerResultRow as FormerResultRow,
    FrozenRow as FrozenRow,
    IdentityRow as IdentityRow,
    JobRow as JobRow,
    MailRow as MailRow,
    OrderRow as OrderRow,
    ResultRow as ResultRow,
    SessionRow as SessionRow,
)
from .file_store import FileStore as FileStore
from .round_data import (
    RoundData as RoundData,
    prepare_round as prepare_round,
    read_round_data as read_round_data,
    round_secret as round_secret,
    write_round_data as write_round_data,
)
