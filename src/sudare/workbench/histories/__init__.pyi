from .history_opening import (
    HISTORY_OPENING as HISTORY_OPENING,
    create_history_project as create_history_project,
    guessed_columns as guessed_columns,
    is_contest_format as is_contest_format,
)
from .history_work import (
    ATTACKING as ATTACKING,
    CHECKING as CHECKING,
    DESCRIBING as DESCRIBING,
    RELEASING as RELEASING,
    attack_variant as attack_variant,
    check_masked as check_masked,
    describe_history as describe_history,
    release_history as release_history,
)
