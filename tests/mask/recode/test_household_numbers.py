"""Households get other numbers, each its own."""

import numpy as np
import pytest

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Label
from sudare.core.table.microdata import Microdata
from sudare.mask import HouseholdNumbers


def renumbered(*labels: Label) -> list[Label]:
    codes = np.repeat(np.arange(len(labels), dtype=np.int32), 2)
    data = Microdata((Categorical("home", codes, labels, role="household"),))
    masked = sudare.apply(data, HouseholdNumbers(), seed=1).data["home"].coded
    return [masked.labels[code] for code in masked.codes[::2]]


@pytest.mark.parametrize(
    "labels", [(10**17 + 1, 10**17 + 2, 10**17 + 3), ("a", "A", "1"), (1, 2, 3)], ids=str
)
def test_households_stay_apart(labels: tuple[Label, ...]) -> None:
    assert len(set(renumbered(*labels))) == 3


def test_a_whole_number_is_the_same_household_in_any_type() -> None:
    assert renumbered(7) == renumbered(7.0)
    assert renumbered(1 << 60) == renumbered(float(1 << 60))
