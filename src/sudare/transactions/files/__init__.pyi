from .checking import inspect as inspect
from .checking import inspect_guess as inspect_guess
from .history_files import is_history_line as is_history_line
from .history_files import masked_lines as masked_lines
from .history_files import published as published
from .lines import is_line_of_names as is_line_of_names
from .lines import lines_of as lines_of
from .notation import EPOCH as EPOCH
from .notation import WRITERS as WRITERS
from .problems import (
    MOST as MOST,
)
from .problems import (
    FileProblem as FileProblem,
)
from .problems import (
    Problems as Problems,
)
from .problems import (
    RefusedError as RefusedError,
)
