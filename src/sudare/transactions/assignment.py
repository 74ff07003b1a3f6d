"""The assignment problem: the cheapest column of each row."""

import numpy as np

from sudare.core import Array, Codes, Integers


def assign(costs: Array) -> tuple[Codes, Integers, Integers]:
    """Return the cheapest column of each row, and the prices of rows and columns that prove it.

    Parameters
    ----------
    costs
        Whole numbers, shape (n, m) with n ≤ m.

    Returns
    -------
    columns
        Column of each row, shape (n,); no column twice.
    u, v
        Prices with u + v ≤ cost everywhere, equality where assigned, and v ≤ 0, 0 where no row
        is: their sum is the least cost.
    """
    from sudare.transactions._kernels_assignment import assign_rows, assignment_space

    space = assignment_space(*costs.shape)
    assign_rows(np.ascontiguousarray(costs, np.int64), space)
    return space.columns, space.u, space.v
