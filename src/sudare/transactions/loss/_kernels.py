"""The loop over pairs of items whose similarity is asked for."""

import numpy as np

from sudare.core import Codes, Floats, kernel


@kernel
def products_of_columns(
    starts: Codes, partners: Codes, columns: Codes, rows: Codes, values: Floats, height: int
) -> Floats:
    """Return the inner product of some pairs of columns of a sparse matrix.

    Column j holds ``values[columns[j]:columns[j + 1]]``, in the ``rows`` of the same places; column
    i is multiplied with the columns ``partners[starts[i]:starts[i + 1]]``.
    """
    products = np.empty(len(partners))
    spread = np.zeros(height)
    for item in range(len(starts) - 1):
        own_rows = rows[columns[item] : columns[item + 1]]
        own_values = values[columns[item] : columns[item + 1]]
        for place in range(len(own_rows)):
            spread[own_rows[place]] = own_values[place]
        for pair in range(starts[item], starts[item + 1]):
            other = partners[pair]
            other_rows = rows[columns[other] : columns[other + 1]]
            other_values = values[columns[other] : columns[other + 1]]
            total = 0.0
            for place in range(len(other_rows)):
                total += spread[other_rows[place]] * other_values[place]
            products[pair] = total
        for place in range(len(own_rows)):
            spread[own_rows[place]] = 0.0
    return products
