from .date_classes import calendar_breaks as calendar_breaks
from .hierarchy import ALL as ALL
from .hierarchy import Hierarchy as Hierarchy
from .hierarchy_settings import (
    Declaration as Declaration,
)
from .hierarchy_settings import (
    Declarations as Declarations,
)
from .hierarchy_settings import (
    declared as declared,
)
from .hierarchy_settings import (
    extended as extended,
)
from .hierarchy_settings import (
    leaf_of_record as leaf_of_record,
)
