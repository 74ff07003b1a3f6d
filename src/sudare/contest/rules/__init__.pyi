from .contest_rules import ContestLimits as ContestLimits, ContestRules as ContestRules
from .mail_rules import (
    ADDRESS as ADDRESS,
    LONGEST_ADDRESS as LONGEST_ADDRESS,
    MailRules as MailRules,
    is_address as is_address,
)
from .phases import (
    ROUNDS as ROUNDS,
    ContestRole as ContestRole,
    Moment as Moment,
    Order as Order,
    Phase as Phase,
    PhasePeriod as PhasePeriod,
    Resource as Resource,
    Round as Round,
    allowed as allowed,
    moment_at as moment_at,
    roles_of as roles_of,
)
from .subjects import ENTRY_POINTS as ENTRY_POINTS, is_path as is_path, module_file as module_file
from .toml_schema import check_type as check_type
