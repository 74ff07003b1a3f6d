"""Kernels of reconstruction: loops that NumPy cannot say. Each has a NumPy twin in the tests."""

import numpy as np

from sudare.core import CodeMatrix, CodeVector, SingleMatrix, SingleVector, kernel

_SAME = np.float32(1)


@kernel(fastmath="contract nnan ninf nsz")  # every factor is a finite number
def fill_tile(
    tile: SingleMatrix,
    first_row: int,
    rows: int,
    first_column: int,
    columns: int,
    codes: CodeMatrix,
    falls: SingleVector,
    up: SingleMatrix,
    down: SingleMatrix,
) -> None:
    """Write how likely some records come from others, relative to coming from themselves.

    Parameters
    ----------
    tile
        Filled from its upper left corner, single precision.
    first_row, rows, first_column, columns
        The records published, and the records they may come from.
    codes
        Of each record, one line per column of categories.
    falls
        Of each such column, the factor for a different category, at most 1.
    up, down
        e^(z/φ) and e^(-z/φ) of each record, one line per column of numbers: the smaller of two
        products is e^(-|z - z'|/φ), without an exponential per pair.
    """
    for number in range(rows):
        line = tile[number, :columns]
        line[:] = 1
        record = first_row + number
        for column in range(codes.shape[0]):
            others = codes[column, first_column : first_column + columns]
            own, fall = codes[column, record], falls[column]
            for at in range(columns):
                line[at] *= _SAME if others[at] == own else fall
        for column in range(up.shape[0]):
            ups = up[column, first_column : first_column + columns]
            downs = down[column, first_column : first_column + columns]
            own_up, own_down = up[column, record], down[column, record]
            for at in range(columns):
                line[at] *= min(own_up * downs[at], own_down * ups[at])


@kernel
def multiply_by_matrix(
    tile: SingleMatrix,
    first_row: int,
    rows: int,
    first_column: int,
    columns: int,
    codes: CodeVector,
    matrix: SingleMatrix,
) -> None:
    """Multiply a tile by the probabilities of one column's matrix, true (row) by published."""
    for number in range(rows):
        line = tile[number, :columns]
        row = matrix[codes[first_row + number]]
        others = codes[first_column : first_column + columns]
        for at in range(columns):
            line[at] *= row[others[at]]
