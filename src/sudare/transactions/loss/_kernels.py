"""The loop over pairs of items whose similarity is asked for."""

from sudare.core import CodeVector, FloatVector, kernel


@kernel
def products_of_columns(
    starts: CodeVector,
    partners: CodeVector,
    columns: CodeVector,
    rows: CodeVector,
    values: FloatVector,
    spread: FloatVector,
    products: FloatVector,
) -> None:
    """Find the inner product of some pairs of columns of a sparse matrix.

    Column j holds ``values[columns[j]:columns[j + 1]]``, in the ``rows`` at the same indices;
    column i is multiplied with the columns ``partners[starts[i]:starts[i + 1]]``. ``products`` gets
    a number for each partner; ``spread`` is working space, a zero for each row.
    """
    for item in range(len(starts) - 1):
        own_rows = rows[columns[item] : columns[item + 1]]
        own_values = values[columns[item] : columns[item + 1]]
        for entry in range(len(own_rows)):
            spread[own_rows[entry]] = own_values[entry]
        for pair in range(starts[item], starts[item + 1]):
            other = partners[pair]
            other_rows = rows[columns[other] : columns[other + 1]]
            other_values = values[columns[other] : columns[other + 1]]
            total = 0.0
            for entry in range(len(other_rows)):
                total += spread[other_rows[entry]] * other_values[entry]
            products[pair] = total
        for entry in range(len(own_rows)):
            spread[own_rows[entry]] = 0.0
