from .atomic import (
    check_all_free as check_all_free,
    check_apart as check_apart,
    check_free as check_free,
    check_there as check_there,
    note_inputs as note_inputs,
    protecting_inputs as protecting_inputs,
    refuse_inputs as refuse_inputs,
    toml_content as toml_content,
    utf8_text as utf8_text,
    writing as writing,
)
from .excel import read_excel as read_excel, write_excel as write_excel
from .parquet import (
    read_parquet as read_parquet,
    sound_parquet as sound_parquet,
    write_parquet as write_parquet,
)
from .released_files import (
    ReleasedForm as ReleasedForm,
    digest_of as digest_of,
    released_form as released_form,
)
from .result_cache import ResultCache as ResultCache
from .spreadsheet_text import escaped as escaped, is_formula as is_formula, restored as restored
from .statfiles import (
    READERS as READERS,
    WRITERS as WRITERS,
    read_statfile as read_statfile,
    undated as undated,
    write_statfile as write_statfile,
)
from .temporary import (
    Folder as Folder,
    UnnamedFile as UnnamedFile,
    remove_leftovers as remove_leftovers,
    temporary_name as temporary_name,
)
from .text.delimited import (
    read_delimited as read_delimited,
    scan_delimited as scan_delimited,
)
from .text.delimited_output import (
    unencodable as unencodable,
    write_delimited as write_delimited,
    write_rows as write_rows,
)
from .text.file_layout import Layout as Layout, layout_of as layout_of
from .text.headerless_files import read_rows as read_rows
