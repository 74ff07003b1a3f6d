from .counted_tables import CountedTables as CountedTables, TableState as TableState
from .key_groups import KeyGroups as KeyGroups, uniques_without as uniques_without
from .table_counts import Description as Description, TableCounts as TableCounts
