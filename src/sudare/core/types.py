"""Names for arrays and words that the whole house shares."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Array = NDArray[Any]

Role = Literal["identifier", "key", "sensitive", "weight", "household", "other"]
Scale = Literal["nominal", "ordinal", "interval", "ratio"]
