"""Measures of masked histories that follow from their cells."""

from typing import ClassVar

import numpy as np

from sudare.core.measure import Kind, Result
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.history import History
from sudare.transactions.methods import HistoryMeasure
from sudare.transactions.utility import cell_errors


class CellError(HistoryMeasure):
    """Mean error of the cells of a masked history, the contest's U; 0 is the original.

    Deleted cells have error 1, so that a file of nothing has 1; a value far from the true one, or
    a range much wider than the deviation of its column, can have more.
    """

    kind: ClassVar[Kind] = "loss"

    def _measure(self, history: History, masked: MaskedHistory) -> Result:
        parts = {name: float(cells.mean()) for name, cells in cell_errors(history, masked).items()}
        return self.result(np.mean(list(parts.values())), best=0.0, worst=float("inf"), parts=parts)
