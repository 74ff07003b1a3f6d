from .record_linkage import (
    AttackScale as AttackScale,
)
from .record_linkage import (
    part_name as part_name,
)
