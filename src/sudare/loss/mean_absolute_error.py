"""Mean absolute error of numbers, in the unit of each column or of its standard deviation."""

from typing import Annotated, ClassVar, Literal

import numpy as np

from sudare.core.columns import Column, Numeric
from sudare.core.errors import MismatchError
from sudare.core.measure import Case, Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.types import Floats
from sudare.engine.moments import moments


def absolute_errors(before: Floats, after: Floats) -> Floats:
    """Return the absolute difference of each record, shape (n,).

    A record without a number before is NaN: it does not count. A number that was suppressed is
    guessed by the mean of the column.

    Examples
    --------
    >>> absolute_errors(np.array([1.0, 2.0, np.nan]), np.array([1.5, np.nan, np.nan])).tolist()
    [0.5, 0.5, nan]
    """
    known = before[~np.isnan(before)]
    guess = known.mean() if len(known) else 0.0
    return np.abs(before - np.where(np.isnan(after), guess, after))


class MeanAbsoluteError(Measure):
    """The mean absolute difference between each number and what it became.

    The value is the mean over the columns, whose means are the parts. Records without a number
    before masking do not count; a number that was suppressed is guessed by the column's mean.

    References
    ----------
    Sano, slides on synthetic data by orthogonal transformation: MAE.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> MeanAbsoluteError()(data, data).value
    0.0
    """

    kind: ClassVar[Kind] = "loss"
    needs: ClassVar[Needs] = "records"
    takes: ClassVar[Takes] = "numbers"

    unit: Annotated[
        Literal["own", "sd"], "each column in its own unit, or in its standard deviation"
    ] = "own"

    def _measure(self, case: Case) -> Result:
        errors = np.stack(
            [self._errors(case.before[name], case.after[name]) for name in case.columns]
        )
        counted = ~np.isnan(errors)
        totals = np.where(counted, errors, 0)
        means = totals.sum(axis=1) / np.maximum(counted.sum(axis=1), 1)
        return self.result(
            means.mean(),
            best=0,
            worst=np.inf,
            parts=dict(zip(case.columns, means.tolist(), strict=True)),
            by_record=totals.sum(axis=0) / np.maximum(counted.sum(axis=0), 1),
        )

    def _errors(self, before: Column, after: Column) -> Floats:
        if not isinstance(before, Numeric) or not isinstance(after, Numeric):
            raise MismatchError(
                "MeanAbsoluteError: column '{column}' holds numbers before masking and categories "
                "after it.",
                column=before.name,
            )
        errors = absolute_errors(before.values, after.values)
        sd = float(moments([before]).sd[0]) if self.unit == "sd" else 1.0
        return errors / sd if sd else errors
