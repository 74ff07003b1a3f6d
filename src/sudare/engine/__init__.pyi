from .files import TEXT as TEXT
from .files import check_format as check_format
from .files import found_options as found_options
from .files import read as read
from .files import write as write
from .files import write_released as write_released
from .opening import open_table as open_table
from .opening import read_or_open as read_or_open
