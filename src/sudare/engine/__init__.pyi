from .files import (
    FileOptions as FileOptions,
)
from .files import (
    byte_count as byte_count,
)
from .files import (
    found_options as found_options,
)
from .files import (
    open_table as open_table,
)
from .files import (
    read as read,
)
from .files import (
    write as write,
)
