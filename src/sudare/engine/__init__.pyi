from .files import (
    TEXT as TEXT,
    check_format as check_format,
    found_options as found_options,
    read as read,
    write as write,
    write_released as write_released,
)
from .opening import open_table as open_table, read_or_open as read_or_open
