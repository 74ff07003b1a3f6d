"""Measures of masked histories that follow from their cells."""

from collections.abc import Mapping
from math import isfinite
from typing import Annotated

from sudare.core import Result, SettingError
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.history import COLUMNS, History
from sudare.transactions.loss.cell_error import cell_errors
from sudare.transactions.methods import HistoryMeasure


def all_weights(stated: Mapping[str, float]) -> dict[str, float]:
    """Return what each column counts: 1 where nothing else is stated."""
    return {**dict.fromkeys(COLUMNS[1:], 1.0), **stated}


def check_weights(stated: Mapping[str, float], name: str) -> None:
    """Refuse weights of other columns, below 0 or without end, and such that nothing counts."""
    counted, columns = all_weights(stated), COLUMNS[1:]
    total = sum(counted.values())
    if set(counted) != set(columns) or min(counted.values()) < 0 or not isfinite(total):
        raise SettingError(
            "{name} must be numbers of 0 or more for {columns}.",
            name=name,
            columns=", ".join(sorted(columns)),
        )
    if total <= 0:
        raise SettingError("{name}: at least one must be above 0.", name=name)


class CellError(HistoryMeasure):
    """Mean error of the cells of a masked history, the contest's U; 0 is the original.

    Deleted cells have error 1, so that a file of nothing has 1; a value far from the true one, or
    a range much wider than the deviation of its column, can have more.
    """

    kind = "loss"
    formula = (
        "U = mean over the four columns of the mean error of a cell: 1 if deleted, |x − y| / "
        "sd for numbers, 1 − 1/size for a set of items"
    )
    counted = "All purchases of the original, deleted ones too."
    improved_by = "A smaller k, narrower ranges and sets, or fewer deleted rows."

    weights: Annotated[
        Mapping[str, float] | None,
        "what each column counts; by default as the rules of the history say",
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is not None:
            check_weights(self.weights, f"{type(self).__name__}: weights")

    def _measure(self, history: History, masked: MaskedHistory) -> Result:
        parts = {name: float(cells.mean()) for name, cells in cell_errors(history, masked).items()}
        stated = history.rules.weights if self.weights is None else self.weights
        counted = {name: weight for name, weight in all_weights(stated).items() if weight}
        total = sum(weight * parts[name] for name, weight in counted.items())
        return self.result(total / sum(counted.values()), best=0.0, worst=float("inf"), parts=parts)
