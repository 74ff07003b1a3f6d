from .header_lines import (
    header_rows as header_rows,
    names_noted as names_noted,
    names_on as names_on,
    record_noted as record_noted,
    second_line_noted as second_line_noted,
)
from .skipped_rows import (
    notes_skipped as notes_skipped,
    rows_above_gapped_header as rows_above_gapped_header,
    rows_above_header as rows_above_header,
    rows_below as rows_below,
    totals_around as totals_around,
    totals_skipped as totals_skipped,
    usual_width as usual_width,
)
