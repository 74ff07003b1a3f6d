"""The arrays that kernels take: what they hold, and in how many dimensions, row by row."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sudare.core.types import Codes, Flags, Floats, Integers


@dataclass(frozen=True)
class Elements:
    """What an array of a kernel holds, as NumPy calls it, and its number of dimensions."""

    kind: str
    dimensions: int


Singles = NDArray[np.float32]
Words = NDArray[np.uint64]

FloatVector = Annotated[Floats, Elements("float64", 1)]
FloatMatrix = Annotated[Floats, Elements("float64", 2)]
FloatCube = Annotated[Floats, Elements("float64", 3)]
SingleVector = Annotated[Singles, Elements("float32", 1)]
SingleMatrix = Annotated[Singles, Elements("float32", 2)]
SingleCube = Annotated[Singles, Elements("float32", 3)]
IntegerVector = Annotated[Integers, Elements("int64", 1)]
IntegerMatrix = Annotated[Integers, Elements("int64", 2)]
CodeVector = Annotated[Codes, Elements("int32", 1)]
CodeMatrix = Annotated[Codes, Elements("int32", 2)]
CodeCube = Annotated[Codes, Elements("int32", 3)]
FlagVector = Annotated[Flags, Elements("bool", 1)]
FlagMatrix = Annotated[Flags, Elements("bool", 2)]
WordVector = Annotated[Words, Elements("uint64", 1)]
CardVector = Annotated[NDArray[np.uint32], Elements("uint32", 1)]
