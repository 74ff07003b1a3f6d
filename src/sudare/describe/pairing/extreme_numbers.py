"""Numbers so large that their squares are none: where distances would say nothing."""

from collections.abc import Iterable

import numpy as np

from sudare.core import Column, ColumnError, Numeric

_LARGEST = 1e150


def refuse_extreme(method: str, columns: Iterable[Column]) -> None:
    """Refuse columns with numbers that cannot be squared: distances of all records would be equal.

    Statistics packages write such numbers for missing values.
    """
    for column in columns:
        count = 0
        if isinstance(column, Numeric):
            count = int(np.count_nonzero(np.abs(column.values) > _LARGEST))
        if count:
            raise ColumnError(
                "{method}: column '{column}' has {count} {count:number|numbers} beyond 1e150, too "
                "large to compare; make them missing or top-code them.",
                method=method,
                column=column.name,
                count=count,
            )
