"""Numbers whose squares are none are refused where distances would call a table safe."""

import numpy as np
import pytest

import sudare
from sudare.core import ColumnError, Measure, Microdata
from sudare.core.table.numeric import Numeric
from sudare.loss import MomentLoss
from sudare.risk import IntervalDisclosure, RecordLinkage, Reidentification


@pytest.mark.parametrize(
    "measure",
    [
        RecordLinkage(),
        RecordLinkage(scale="sd"),
        IntervalDisclosure(interval="robust"),
        MomentLoss(),
        Reidentification(),
    ],
)
def test_numbers_that_cannot_be_squared_are_refused(measure: Measure) -> None:
    numbers = np.arange(30.0)
    numbers[0] = 1.7e308  # as a code for a missing value
    columns = [Numeric(f"x{at}", np.roll(numbers, at), role="key") for at in range(3)]
    data = Microdata(tuple(columns))
    moved = data.replacing([Numeric("x1", numbers, role="key")])
    with pytest.raises(ColumnError, match="has 1 number beyond 1e150, too large to compare"):
        measure(data, moved)


def test_ranks_of_the_largest_numbers_are_compared() -> None:
    data = Microdata((Numeric("x", np.array([1.7e308, 1.0, -1.7e308]), role="key"),))
    assert RecordLinkage(scale="rank")(data, data).value == 1
    assert sudare.risk.IntervalDisclosure(interval="rank")(data, data).value == 1
