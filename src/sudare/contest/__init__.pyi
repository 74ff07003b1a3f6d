from .contest import Contest as Contest
from .phases import (
    Moment as Moment,
)
from .phases import (
    Phase as Phase,
)
from .phases import (
    Resource as Resource,
)
from .phases import (
    Round as Round,
)
from .phases import (
    allowed as allowed,
)
from .rules import (
    ContestLimits as ContestLimits,
)
from .rules import (
    ContestRules as ContestRules,
)
from .rules import (
    TableRules as TableRules,
)
from .serving import serve as serve
