from .array_kinds import (
    CardVector as CardVector,
    CodeCube as CodeCube,
    CodeMatrix as CodeMatrix,
    CodeVector as CodeVector,
    FlagMatrix as FlagMatrix,
    FlagVector as FlagVector,
    FloatCube as FloatCube,
    FloatMatrix as FloatMatrix,
    FloatVector as FloatVector,
    IntegerMatrix as IntegerMatrix,
    IntegerVector as IntegerVector,
    SingleCube as SingleCube,
    SingleMatrix as SingleMatrix,
    Singles as Singles,
    SingleVector as SingleVector,
    WordVector as WordVector,
)
from .calls import (
    as_matrix as as_matrix,
    prefetch as prefetch,
)
from .compiled import (
    inlined as inlined,
    kernel as kernel,
)
