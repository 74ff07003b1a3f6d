from .session import spark_session as spark_session
from .spark_table import (
    parquet_frame as parquet_frame,
)
from .spark_table import (
    read_spark as read_spark,
)
from .spark_table import (
    write_parts as write_parts,
)
