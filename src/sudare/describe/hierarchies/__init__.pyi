from .date_classes import calendar_breaks as calendar_breaks
from .hierarchy import ALL as ALL, Hierarchy as Hierarchy
from .hierarchy_settings import (
    Declaration as Declaration,
    Declarations as Declarations,
    declared as declared,
    extended as extended,
    leaf_of_record as leaf_of_record,
)
