from .column_recoding import (
    ColumnRecoding as ColumnRecoding,
    recoded_steps as recoded_steps,
    recoding_of as recoding_of,
)
from .column_view import RecodeView as RecodeView, recode_view as recode_view
from .hierarchy_editing import (
    HierarchyView as HierarchyView,
    at_level as at_level,
    grouped as grouped,
    hierarchy_view as hierarchy_view,
    pasted as pasted,
)
from .live_counts import recoded_entries as recoded_entries
