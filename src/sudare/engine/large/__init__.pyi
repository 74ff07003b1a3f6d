from .block_source import BESIDE as BESIDE, Source as Source
from .block_table import BlockTable as BlockTable
from .coding import Coding as Coding, Counted as Counted, extremes as extremes
from .file_table import (
    FileTable as FileTable,
    delimited_table as delimited_table,
    parquet_table as parquet_table,
    size_in_memory as size_in_memory,
)
from .group_counts import CountTask as CountTask, Entries as Entries
from .masked_blocks import Chain as Chain
from .memory_budget import (
    LEAST_MEMORY as LEAST_MEMORY,
    MemoryBudget as MemoryBudget,
    byte_count as byte_count,
    half_of_memory as half_of_memory,
)
from .output import OnRecords as OnRecords, OutputForm as OutputForm, write_large as write_large
from .survey import (
    Blocks as Blocks,
    Distinct as Distinct,
    DistinctTask as DistinctTask,
    joined as joined,
)
