from .sampling import (
    key_counts as key_counts,
)
from .sampling import (
    key_sizes as key_sizes,
)
from .sampling import (
    sampling_fraction as sampling_fraction,
)
