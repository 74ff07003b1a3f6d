from .atomic import check_free as check_free
from .atomic import writing as writing
from .excel import read_excel as read_excel
from .excel import write_excel as write_excel
from .inputs import check_apart as check_apart
from .inputs import check_there as check_there
from .inputs import note_inputs as note_inputs
from .inputs import protecting_inputs as protecting_inputs
from .inputs import refuse_inputs as refuse_inputs
from .inputs import toml_content as toml_content
from .inputs import utf8_text as utf8_text
from .parquet import read_parquet as read_parquet
from .parquet import sound_parquet as sound_parquet
from .parquet import write_parquet as write_parquet
from .released_files import ReleasedForm as ReleasedForm
from .released_files import digest_of as digest_of
from .released_files import released_form as released_form
from .result_cache import ResultCache as ResultCache
from .spreadsheet_text import escaped as escaped
from .spreadsheet_text import is_formula as is_formula
from .spreadsheet_text import restored as restored
from .statfiles import (
    READERS as READERS,
)
from .statfiles import (
    WRITERS as WRITERS,
)
from .statfiles import (
    read_statfile as read_statfile,
)
from .statfiles import (
    undated as undated,
)
from .statfiles import (
    write_statfile as write_statfile,
)
from .temporary import Folder as Folder
from .temporary import UnnamedFile as UnnamedFile
from .temporary import remove_leftovers as remove_leftovers
from .temporary import temporary_name as temporary_name
from .text.delimited import (
    read_delimited as read_delimited,
)
from .text.delimited import (
    scan_delimited as scan_delimited,
)
from .text.delimited_output import (
    unencodable as unencodable,
)
from .text.delimited_output import (
    write_delimited as write_delimited,
)
from .text.delimited_output import (
    write_rows as write_rows,
)
from .text.file_layout import Layout as Layout
from .text.file_layout import layout_of as layout_of
from .text.headerless_files import read_rows as read_rows
