from .comparison_pages import comparison_report as comparison_report
from .comparison_pages import search_report as search_report
from .description import (
    column_row as column_row,
)
from .description import (
    description_report as description_report,
)
from .description import (
    problem_lines as problem_lines,
)
from .document import Block as Block
from .document import shown as shown
from .document import write_figure as write_figure
from .history_pages import attack_row as attack_row
from .history_pages import history_blocks as history_blocks
from .release_pages import (
    Edition as Edition,
)
from .release_pages import (
    privacy_blocks as privacy_blocks,
)
from .release_pages import (
    release_report as release_report,
)
from .table_pages import table_blocks as table_blocks
