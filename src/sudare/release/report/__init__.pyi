from .comparison_pages import comparison_report as comparison_report, search_report as search_report
from .description import (
    column_row as column_row,
    description_report as description_report,
    problem_lines as problem_lines,
)
from .document import Block as Block, Table as Table, Text as Text, write_figure as write_figure
from .history_pages import (
    attack_row as attack_row,
    history_losses as history_losses,
    history_risks as history_risks,
    use_case_rows as use_case_rows,
)
from .pictures import distribution as distribution
from .release_pages import (
    release_report as release_report,
)
from .sections import Edition as Edition, table_population as table_population
from .table_pages import (
    group_blocks as group_blocks,
    record_detail as record_detail,
    variable_blocks as variable_blocks,
)
