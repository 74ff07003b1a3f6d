"""Coordinates of records: columns of every kind as numbers whose Euclidean distance makes sense."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from sudare.core import Categorical, Column, Floats, Numeric
from sudare.engine.counting import in_units, magnitude

Scaling = Literal["sd", "range", "none"]


def coordinates(columns: Sequence[Column], scale: Scaling, weights: Sequence[float]) -> Floats:
    """Return records as points, shape (n, p).

    Numbers are themselves, ordinal categories their rank, nominal ones a column per category that
    puts two different categories at distance 1. Then each variable is scaled: by "sd" to variance 1
    (a nominal variable over all its columns together), by "range" to a largest distance of 1, by
    "none" not at all. Its weight multiplies its squared distances. Absent values are 0.

    Examples
    --------
    >>> age = Numeric("age", np.array([20.0, 60.0, np.nan]))
    >>> sex = Categorical("sex", np.array([0, 1, 1]), ("f", "m"))
    >>> points = coordinates([age, sex], "range", [1.0, 1.0])
    >>> points.round(3).tolist()
    [[0.0, 0.707, 0.0], [1.0, 0.0, 0.707], [0.0, 0.0, 0.707]]
    """
    parts = [
        _scaled(column, scale) * np.sqrt(weight)
        for column, weight in zip(columns, weights, strict=True)
    ]
    return np.concatenate(parts, axis=1)


def _scaled(column: Column, scale: Scaling) -> Floats:
    if isinstance(column, Numeric):
        return _scaled_numbers(column.values, scale)
    if column.scale == "ordinal":
        return _scaled_numbers(np.where(column.known, column.coded.codes, np.nan), scale)
    return _scaled_categories(column.coded, scale)


def _scaled_numbers(values: Floats, scale: Scaling) -> Floats:
    if scale != "none":
        values = in_units(values, magnitude(values))  # their squares neither overflow nor vanish
    known = np.sort(values[~np.isnan(values)])  # sums must not depend on record order
    start, unit = 0.0, 1.0
    if scale == "sd":
        start, unit = known.mean(), known.std()
    elif scale == "range":
        start, unit = known[0], known[-1] - known[0]
    scaled: Floats = np.nan_to_num((values - start) / (unit if unit > 0 else 1.0))
    return scaled[:, None]


def _scaled_categories(column: Categorical, scale: Scaling) -> Floats:
    used = np.unique(column.codes[column.known])
    flags = (column.codes[:, None] == used).astype(np.float64)
    shares = flags.sum(axis=0) / max(int(column.known.sum()), 1)
    variance = (1 - (shares**2).sum()) / 2 if scale == "sd" else 1.0
    return np.asarray(flags * np.sqrt(0.5 / variance if variance > 0 else 0.0))
