from .categorical import Categorical as Categorical, label_codes as label_codes
from .column import MISSING as MISSING, Column as Column, Label as Label
from .contents import content_sum as content_sum, contents as contents
from .large import (
    BlockResult as BlockResult,
    Counts as Counts,
    LargeTable as LargeTable,
    Sizes as Sizes,
)
from .microdata import Microdata as Microdata
from .numeric import Numeric as Numeric
