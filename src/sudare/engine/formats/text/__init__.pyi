from .note_lines import notes_skipped as notes_skipped
from .note_lines import rows_above_gapped_header as rows_above_gapped_header
from .note_lines import rows_above_header as rows_above_header
from .note_lines import rows_below as rows_below
from .note_lines import totals_noted as totals_noted
from .note_lines import usual_width as usual_width
