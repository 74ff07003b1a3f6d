from .session import spark_session as spark_session
from .spark_table import (
    parquet_frame as parquet_frame,
    read_spark as read_spark,
    write_parts as write_parts,
)
