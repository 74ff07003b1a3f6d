"""Measures of masked histories that follow from their cells."""

from collections.abc import Mapping
from math import isfinite
from typing import Annotated, ClassVar

from sudare.core.errors import SettingError
from sudare.core.measure import Kind, Result
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.history import COLUMNS, History
from sudare.transactions.methods import HistoryMeasure
from sudare.transactions.utility import cell_errors

_MASKED = COLUMNS[1:]


class CellError(HistoryMeasure):
    """Mean error of the cells of a masked history, the contest's U; 0 is the original.

    Deleted cells have error 1, so that a file of nothing has 1; a value far from the true one, or
    a range much wider than the deviation of its column, can have more.
    """

    kind: ClassVar[Kind] = "loss"

    weights: Annotated[Mapping[str, float] | None, "what each column counts; by default 1"] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        counted, total = self._counted, sum(self._counted.values())
        if set(counted) != set(_MASKED) or min(counted.values()) < 0 or not isfinite(total):
            raise SettingError(
                "weights are numbers of at least 0 for {columns}.",
                columns=", ".join(sorted(_MASKED)),
            )
        if total <= 0:
            raise SettingError("one of the weights must be above 0.")

    @property
    def _counted(self) -> dict[str, float]:
        return {**dict.fromkeys(_MASKED, 1.0), **(self.weights or {})}

    def _measure(self, history: History, masked: MaskedHistory) -> Result:
        parts = {name: float(cells.mean()) for name, cells in cell_errors(history, masked).items()}
        counted = {name: weight for name, weight in self._counted.items() if weight}
        total = sum(weight * parts[name] for name, weight in counted.items())
        value = total / sum(counted.values())
        return self.result(value, best=0.0, worst=float("inf"), parts=parts)
