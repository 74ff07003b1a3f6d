from .algebra import (
    eigen as eigen,
    product as product,
    pseudoinverse as pseudoinverse,
    rebuilt as rebuilt,
    times as times,
)
from .correlations import (
    correlation as correlation,
    root as root,
    sd_and_correlation as sd_and_correlation,
)
from .counts import (
    Finder as Finder,
    Groups as Groups,
    cross_table as cross_table,
    group_sizes as group_sizes,
    groups as groups,
    joint_keys as joint_keys,
    label_counts as label_counts,
    record_keys as record_keys,
    renumbered as renumbered,
    tally as tally,
)
from .magnitudes import (
    in_units as in_units,
    magnitude as magnitude,
    refuse_wide as refuse_wide,
    summed as summed,
)
from .packing import (
    Digit as Digit,
    Packing as Packing,
    collapsed as collapsed,
)
from .quantile_classes import quantile_codes as quantile_codes, quantile_edges as quantile_edges
from .threads import (
    Threads as Threads,
    as_they_end as as_they_end,
    in_turn as in_turn,
    products_on_one_thread as products_on_one_thread,
    side_by_side as side_by_side,
)
from .weighted_moments import (
    Piece as Piece,
    assembled as assembled,
    block_moments as block_moments,
    group_moments as group_moments,
    merge as merge,
    moments as moments,
    moments_of as moments_of,
    pieces as pieces,
)
from .wildcards import (
    KeyRows as KeyRows,
    MissingKeys as MissingKeys,
    check_column_count as check_column_count,
    distinct_rows as distinct_rows,
    subsets as subsets,
    wildcard_sizes as wildcard_sizes,
    with_blank_value as with_blank_value,
    without_blank_value as without_blank_value,
)
