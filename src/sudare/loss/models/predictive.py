"""What losses of prediction share: a column to predict from the others."""

from abc import ABC
from typing import Annotated

from sudare.core import ColumnError, TablePair
from sudare.describe.pairing import TableMeasure


class PredictiveLoss(TableMeasure, ABC):
    """A loss in predicting one column from the others."""

    kind = "loss"
    needs = "records"

    target: Annotated[
        str | None, "the column to predict; by default the first sensitive one, else the last"
    ] = None

    def target_in(self, pair: TablePair) -> str:
        """Return the column to predict: the one named, the first sensitive one, or the last."""
        target = None if self.target is None else pair.before[self.target].name
        if len({*pair.columns} - {target}) < (1 if target else 2):
            raise ColumnError(
                "{method}: there is nothing to predict from; name at least two columns.",
                method=type(self).__name__,
            )
        if target is not None:
            return target
        sensitive = (name for name in pair.columns if pair.before[name].role == "sensitive")
        return next(sensitive, pair.columns[-1])
