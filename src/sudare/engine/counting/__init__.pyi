from .algebra import eigen as eigen
from .algebra import product as product
from .algebra import pseudoinverse as pseudoinverse
from .algebra import rebuilt as rebuilt
from .algebra import times as times
from .correlations import correlation as correlation
from .correlations import correlation_of as correlation_of
from .correlations import root as root
from .counts import (
    Finder as Finder,
)
from .counts import (
    Groups as Groups,
)
from .counts import (
    cross_table as cross_table,
)
from .counts import (
    group_sizes as group_sizes,
)
from .counts import (
    groups as groups,
)
from .counts import (
    joint_keys as joint_keys,
)
from .counts import (
    label_counts as label_counts,
)
from .counts import (
    record_keys as record_keys,
)
from .counts import (
    renumbered as renumbered,
)
from .counts import (
    tally as tally,
)
from .magnitudes import (
    in_units as in_units,
)
from .magnitudes import (
    magnitude as magnitude,
)
from .magnitudes import (
    refuse_wide as refuse_wide,
)
from .magnitudes import (
    summed as summed,
)
from .packing import (
    Digit as Digit,
)
from .packing import (
    Packing as Packing,
)
from .packing import (
    collapsed as collapsed,
)
from .quantile_classes import quantile_codes as quantile_codes
from .quantile_classes import quantile_edges as quantile_edges
from .threads import Threads as Threads
from .threads import (
    in_turn as in_turn,
)
from .threads import (
    products_on_one_thread as products_on_one_thread,
)
from .threads import (
    side_by_side as side_by_side,
)
from .weighted_moments import (
    Piece as Piece,
)
from .weighted_moments import (
    assembled as assembled,
)
from .weighted_moments import (
    block_moments as block_moments,
)
from .weighted_moments import (
    group_moments as group_moments,
)
from .weighted_moments import (
    merge as merge,
)
from .weighted_moments import (
    moments as moments,
)
from .weighted_moments import (
    moments_of as moments_of,
)
from .weighted_moments import (
    pieces as pieces,
)
from .wildcards import (
    KeyRows as KeyRows,
)
from .wildcards import (
    MissingKeys as MissingKeys,
)
from .wildcards import (
    distinct_rows as distinct_rows,
)
from .wildcards import (
    subsets as subsets,
)
from .wildcards import (
    wildcard_sizes as wildcard_sizes,
)
from .wildcards import (
    with_blank_value as with_blank_value,
)
from .wildcards import without_blank_value as without_blank_value
