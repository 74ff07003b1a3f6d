"""What stands in a column, for tests to compare."""

import numpy as np

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import MISSING
from sudare.core.table.numeric import Numeric

NA = "<not applicable>"


def cells(data: sudare.Microdata, name: str) -> list[object]:
    """Return the values of a column; None is missing."""
    column = data[name]
    if isinstance(column, Categorical):
        labels = {MISSING: None, -2: NA, **dict(enumerate(column.labels))}
        return [labels[int(code)] for code in column.codes]
    assert isinstance(column, Numeric)
    return [
        NA if absent else None if np.isnan(value) else value
        for value, absent in zip(column.values.tolist(), column.not_applicable, strict=True)
    ]


def table(data: sudare.Microdata) -> dict[str, list[object]]:
    """Return the values of every column."""
    return {name: cells(data, name) for name in data.names}
