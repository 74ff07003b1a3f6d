from .record_linkage import (
    AttackScale as AttackScale,
    part_name as part_name,
)
