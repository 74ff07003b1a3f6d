from .block_source import BESIDE as BESIDE
from .block_source import Source as Source
from .block_table import BlockTable as BlockTable
from .coding import Coding as Coding
from .coding import Counted as Counted
from .file_table import (
    FileTable as FileTable,
)
from .file_table import (
    delimited_table as delimited_table,
)
from .file_table import (
    parquet_table as parquet_table,
)
from .file_table import (
    size_in_memory as size_in_memory,
)
from .group_counts import CountTask as CountTask
from .group_counts import Entries as Entries
from .masked_blocks import Chain as Chain
from .memory_budget import LEAST_MEMORY as LEAST_MEMORY
from .memory_budget import MemoryBudget as MemoryBudget
from .memory_budget import byte_count as byte_count
from .memory_budget import half_of_memory as half_of_memory
from .output import OnRecords as OnRecords
from .output import OutputForm as OutputForm
from .output import write_large as write_large
from .survey import (
    Blocks as Blocks,
)
from .survey import (
    Distinct as Distinct,
)
from .survey import (
    DistinctTask as DistinctTask,
)
from .survey import (
    joined as joined,
)
