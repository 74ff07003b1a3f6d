from .checking import inspect as inspect, inspect_guess as inspect_guess
from .history_files import (
    is_history_line as is_history_line,
    masked_lines as masked_lines,
    published as published,
)
from .lines import is_line_of_names as is_line_of_names, lines_of as lines_of
from .notation import EPOCH as EPOCH, WRITERS as WRITERS
from .problems import (
    MOST as MOST,
    FileProblem as FileProblem,
    Problems as Problems,
    RefusedError as RefusedError,
)
