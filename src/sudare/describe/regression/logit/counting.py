"""Records with equal inputs become one row of class counts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from sudare.core import Floats, Integers
from sudare.engine.counting import joint_keys, renumbered

LARGEST_CODE = 2**31  # codes are dense, so a larger one is an identifier put in by mistake


def collapse(
    inputs: Sequence[ArrayLike],
    target: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    classes: int | None = None,
) -> tuple[Integers, Floats]:
    """Count the classes of the target within each distinct row of the inputs.

    Parameters
    ----------
    inputs
        One array of codes 0, 1, 2, … per input, each of shape (n,). A missing value is a level
        like any other: give it a code of its own.
    target
        Codes of the class, shape (n,).
    weights
        Positive weights, shape (n,). A record of weight 2 counts as two equal records.
    classes
        Number of classes, where the largest code need not occur.

    Returns
    -------
    rows
        The distinct input rows in ascending order, shape (m, number of inputs).
    counts
        Summed weights by row and class, shape (m, classes).

    Notes
    -----
    Row and class order come from the codes, never from the order of the records. The work is
    O(n), or O(n log n) when the cross of all levels is more than four times n; whatever follows
    depends on m alone.

    Examples
    --------
    >>> rows, counts = collapse([[1, 0, 1, 1], [0, 2, 0, 2]], [0, 1, 1, 1])
    >>> rows.tolist(), counts.tolist()
    ([[0, 2], [1, 0], [1, 2]], [[0.0, 1.0], [1.0, 1.0], [0.0, 1.0]])
    """
    label = check_codes(target, "the target")
    rows, row_of = distinct(inputs)
    if row_of.size != label.size:
        raise ValueError(f"inputs have {row_of.size} records, the target has {label.size}.")
    width = int(label.max()) + 1
    if classes is not None and classes < width:
        raise ValueError(f"the target has codes up to {width - 1}, but classes = {classes}.")
    width = classes or width
    summed = np.bincount(
        row_of * width + label,
        None if weights is None else check_weights(weights, label.size),
        minlength=len(rows) * width,
    )
    return rows, summed.astype(np.float64, copy=False).reshape(len(rows), width)


def distinct(inputs: Sequence[ArrayLike]) -> tuple[Integers, Integers]:
    """Find the distinct rows of several code arrays.

    Returns
    -------
    rows
        The distinct rows in ascending order, shape (m, number of inputs).
    row_of
        The row of each record, shape (n,).

    Examples
    --------
    >>> rows, row_of = distinct([[1, 0, 1], [0, 2, 0]])
    >>> rows.tolist(), row_of.tolist()
    ([[0, 2], [1, 0]], [1, 0, 1])
    """
    if not len(inputs):
        raise ValueError("a multinomial logit needs at least one input.")
    columns = [check_codes(codes, f"input {number}") for number, codes in enumerate(inputs)]
    n = columns[0].size
    if any(column.size != n for column in columns):
        raise ValueError("the inputs differ in length.")
    row_of, m = renumbered(*joint_keys([(c, int(c.max()) + 1) for c in columns]))
    some_record = np.empty(m, dtype=np.int64)
    some_record[row_of] = np.arange(n)  # any record of the row will do: their inputs are equal
    return np.stack([column[some_record] for column in columns], axis=1), row_of


def check_codes(codes: ArrayLike, name: str) -> Integers:
    """Refuse anything but a non-empty vector of codes 0, 1, 2, …; errors show no code."""
    array = np.asarray(codes)
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} must be a vector with at least one record.")
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must hold integer codes, not {array.dtype}.")
    if array.min() < 0:
        raise ValueError(f"{name} has negative codes; give missing values a code of their own.")
    if array.max() >= LARGEST_CODE:
        raise ValueError(f"{name} has codes of 2**31 or more; number the categories from 0.")
    return array.astype(np.int64, copy=False)


def check_weights(weights: ArrayLike, n: int) -> Floats:
    """Refuse weights that are not n positive finite numbers; errors show no weight."""
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (n,):
        raise ValueError(f"weights must have shape ({n},), got {array.shape}.")
    if not (np.isfinite(array) & (array > 0)).all():
        raise ValueError("weights must be positive and finite; leave out records of zero weight.")
    return array
