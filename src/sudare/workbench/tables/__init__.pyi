from .counted_tables import CountedTables as CountedTables
from .counted_tables import TableState as TableState
from .key_groups import KeyGroups as KeyGroups
from .key_groups import uniques_without as uniques_without
from .table_counts import Description as Description
from .table_counts import TableCounts as TableCounts
