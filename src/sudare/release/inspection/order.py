"""The order of the records: what it tells, and the order in which they are released."""

from collections.abc import Iterator

import numpy as np

from sudare.core import Column, Draws, Integers, Message
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair, class_codes

_ORDER_STEP = -1  # no step of a recipe has this number: its draws are of the order alone
_NOTABLE = 0.1  # rank correlation
_CLUSTERED = 0.2  # share of neighbors alike, beyond what chance gives
_SHOWN = 8


def order_draws(draws: Draws, version: int = 0) -> Draws:
    """Return the draws by which the records of a release are put in another order.

    Every version of a release has an order of its own, so that a record cannot be followed from
    one to the next by its place.
    """
    return draws.for_step(_ORDER_STEP).for_version(version)


def shuffled_rows(draws: Draws, rows: int) -> Integers:
    """Return the records in the order in which they are released, shape (rows,).

    Every record has a draw of its own and comes in the order of the draws, so that a table in
    blocks is put in the same order as one in memory.
    """
    order: Integers = np.argsort(draws.uniform("", rows), kind="stable")
    return order


def find_order(pair: MaskedPair, *, keep: bool) -> Iterator[Finding]:
    """Yield what the order of the original tells; it is not that of the release, unless kept."""
    names = tuple(column.name for column in pair.before.columns if _follows(column))
    shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    if names:
        detail = Message("The order of the records follows: {columns}.", columns=shown)
    else:
        detail = Message("The order of the records is that of the original.")
    if keep:
        remedy = Message("Let the release put the records in another order.")
        yield Finding("order", (), pair.after.rows, "stop", detail, remedy, confirmed=True)
    else:
        remedy = Message("The release has them in an order drawn with the secret seed.")
        yield Finding("order", (), pair.after.rows, "repaired", detail, remedy)


def _follows(column: Column) -> bool:
    """Return whether a column goes with the number of the row, or neighbors are alike."""
    rows = np.flatnonzero(column.known)
    if len(rows) < 20:
        return False
    codes = class_codes(column)[rows].astype(np.float64)
    notable = max(_NOTABLE, 4 / len(rows) ** 0.5)
    if codes.max() > codes.min() and abs(_rank_correlation(codes)) > notable:
        return True
    alike = float((codes[1:] == codes[:-1]).mean())
    shares = np.bincount(codes.astype(np.int64)) / len(rows)
    return alike - float((shares**2).sum()) > _CLUSTERED


def _rank_correlation(codes: "np.typing.NDArray[np.float64]") -> float:
    """Return Spearman's correlation of codes in order with their places."""
    _, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[places]
    return float(np.corrcoef(ranks, np.arange(len(codes)))[0, 1])
