from .array_kinds import (
    CardVector as CardVector,
)
from .array_kinds import (
    CodeCube as CodeCube,
)
from .array_kinds import (
    CodeMatrix as CodeMatrix,
)
from .array_kinds import (
    CodeVector as CodeVector,
)
from .array_kinds import (
    FlagMatrix as FlagMatrix,
)
from .array_kinds import (
    FlagVector as FlagVector,
)
from .array_kinds import (
    FloatCube as FloatCube,
)
from .array_kinds import (
    FloatMatrix as FloatMatrix,
)
from .array_kinds import (
    FloatVector as FloatVector,
)
from .array_kinds import (
    IntegerMatrix as IntegerMatrix,
)
from .array_kinds import (
    IntegerVector as IntegerVector,
)
from .array_kinds import (
    SingleCube as SingleCube,
)
from .array_kinds import (
    SingleMatrix as SingleMatrix,
)
from .array_kinds import (
    Singles as Singles,
)
from .array_kinds import (
    SingleVector as SingleVector,
)
from .array_kinds import (
    WordVector as WordVector,
)
from .calls import (
    as_matrix as as_matrix,
)
from .calls import (
    prefetch as prefetch,
)
from .compiled import (
    inlined as inlined,
)
from .compiled import (
    kernel as kernel,
)
