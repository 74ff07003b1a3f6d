from .kernel_groups import optimal_breaks as optimal_breaks
from .partition import blockwise_mdav as blockwise_mdav
from .partition import lost_share as lost_share
from .partition import on_grid as on_grid
from .partition import refined as refined
from .partition import variable_mdav as variable_mdav
