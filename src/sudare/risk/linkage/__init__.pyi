from .record_linkage import (
    AttackScale as AttackScale,
)
from .record_linkage import (
    Confidence as Confidence,
)
from .record_linkage import (
    part_name as part_name,
)
from .record_linkage import (
    wilson_interval as wilson_interval,
)
