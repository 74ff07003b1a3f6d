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
from .document import Table as Table
from .document import Text as Text
from .document import write_figure as write_figure
from .history_pages import attack_row as attack_row
from .history_pages import history_losses as history_losses
from .history_pages import history_risks as history_risks
from .history_pages import use_case_rows as use_case_rows
from .pictures import distribution as distribution
from .release_pages import (
    release_report as release_report,
)
from .sections import Edition as Edition
from .sections import table_population as table_population
from .table_pages import association_blocks as association_blocks
from .table_pages import group_blocks as group_blocks
from .table_pages import record_detail as record_detail
from .table_pages import variable_blocks as variable_blocks
