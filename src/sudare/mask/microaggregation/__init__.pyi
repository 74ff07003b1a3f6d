from ._kernels_index import kernel as kernel
from .representative import represented as represented
