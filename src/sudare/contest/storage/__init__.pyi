from .database import (
    AccountRow as AccountRow,
)
from .database import (
    AnnouncementRow as AnnouncementRow,
)
from .database import (
    AttemptRow as AttemptRow,
)
from .database import (
    Database as Database,
)
from .database import (
    EntryRow as EntryRow,
)
from .database import (
    FormerResultRow as FormerResultRow,
)
from .database import (
    FrozenRow as FrozenRow,
)
from .database import (
    IdentityRow as IdentityRow,
)
from .database import (
    JobRow as JobRow,
)
from .database import (
    MailRow as MailRow,
)
from .database import (
    OrderRow as OrderRow,
)
from .database import (
    ResultRow as ResultRow,
)
from .database import (
    SessionRow as SessionRow,
)
from .file_store import FileStore as FileStore
from .round_data import RoundData as RoundData
from .round_data import prepare_round as prepare_round
from .round_data import read_round_data as read_round_data
from .round_data import round_secret as round_secret
from .round_data import write_round_data as write_round_data
