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
    IdentityRow as IdentityRow,
)
from .database import (
    JobRow as JobRow,
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
