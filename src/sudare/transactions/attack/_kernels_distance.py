"""The kernel of the attack by distances: a loop that NumPy cannot say, with a twin in the tests."""

import numpy as np

from sudare.core import IntegerVector, SingleMatrix, SingleVector, kernel

_NONE = np.float32(0)


@kernel(fastmath="fast")
def nearest_purchases(
    rows: SingleMatrix,
    dates: SingleVector,
    prices: SingleVector,
    quantities: SingleVector,
    extra: SingleVector,
    starts: IntegerVector,
    cost: SingleVector,
    out: SingleMatrix,
) -> None:
    """Write how far each published row is from the nearest purchase of every customer.

    Parameters
    ----------
    rows
        Middle and half width of date, price and quantity, shape (rows, 6).
    dates, prices, quantities
        The purchases, in the units of ``rows``, sorted by customer.
    extra
        What each purchase is further away, because of its item.
    starts
        Where each customer's purchases start, and one more.
    cost
        Working space, one number per purchase.
    out
        The distances, shape (rows, customers). Every customer has a purchase.
    """
    for row in range(rows.shape[0]):
        date, date_half = rows[row, 0], rows[row, 1]
        price, price_half = rows[row, 2], rows[row, 3]
        quantity, quantity_half = rows[row, 4], rows[row, 5]
        for t in range(dates.shape[0]):
            days = abs(dates[t] - date) - date_half
            money = abs(prices[t] - price) - price_half
            units = abs(quantities[t] - quantity) - quantity_half
            cost[t] = extra[t] + max(days, _NONE) + max(money, _NONE) + max(units, _NONE)
        for customer in range(starts.shape[0] - 1):
            own = cost[starts[customer] : starts[customer + 1]]
            least = own[0]
            for t in range(own.shape[0]):
                least = min(least, own[t])
            out[row, customer] = least
