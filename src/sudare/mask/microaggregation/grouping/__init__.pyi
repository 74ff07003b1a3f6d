from .kernel_groups import optimal_breaks as optimal_breaks
from .partition import (
    blockwise_mdav as blockwise_mdav,
    lost_share as lost_share,
    on_grid as on_grid,
    refined as refined,
    variable_mdav as variable_mdav,
)
