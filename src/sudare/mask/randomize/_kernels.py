"""Kernel of PRAM. It has a NumPy twin in the tests."""

from sudare.core.kernels import CodeVector, FloatMatrix, FloatVector, IntegerVector, kernel


@kernel
def draw_codes(
    sums: FloatMatrix, last: IntegerVector, shares: FloatVector, codes: CodeVector
) -> None:
    """Replace each code, shape (n,), by one drawn from its row; absent codes stay.

    Parameters
    ----------
    sums
        Sums of the probabilities of each row up to a category, and the row's number added, shape
        (categories, categories).
    last
        The last category of each row that can be drawn, shape (categories,).
    shares
        A draw in [0, 1) for each record, shape (n,).
    """
    for record in range(codes.shape[0]):
        own = codes[record]
        if own < 0:
            continue
        row, drawn = sums[own], own + shares[record]
        # Most often the category stays, and the search is over at once.
        low, high = 0, last[own]
        if own < high and drawn < row[own]:
            high = own
        if 0 < own <= high and row[own - 1] <= drawn:
            low = own
        while low < high:
            middle = (low + high) // 2
            if row[middle] <= drawn:
                low = middle + 1
            else:
                high = middle
        codes[record] = low
