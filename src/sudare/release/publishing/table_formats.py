"""The file formats of released tables."""

from typing import Literal

Format = Literal["csv", "parquet", "xlsx", "sav", "dta"]
