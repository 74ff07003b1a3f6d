"""Spending like the slides': shape, zeros, tails; the slides' findings are in the study's tests."""

import numpy as np
import pytest

from sudare.core.errors import SettingError
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.datasets import expenditure_like
from sudare.datasets.spending import HOUSEHOLDS, ITEMS, loadings


def spending(n: int = HOUSEHOLDS, seed: int = 2004) -> Floats:
    columns = expenditure_like(n, seed).columns
    return np.column_stack([c.values for c in columns if isinstance(c, Numeric)])


def test_the_shape_is_that_of_the_slides() -> None:
    data = expenditure_like()
    assert (data.rows, len(data.columns)) == (43_861, 82)
    assert {"米", "食パン", "牛肉", "豚肉", "鶏肉", "合いびき肉", "他の生鮮肉"} <= set(data.names)


def test_means_and_zeros_are_those_of_the_design() -> None:
    values = spending()
    assert (values == np.rint(values)).all()
    assert (values >= 0).all()
    design = [item for items in ITEMS.values() for item in items]
    zeros = [share for _, _, share in design]
    assert np.abs((values == 0).mean(axis=0) - zeros).max() < 0.01
    means = np.array([yen * (1 - share) for _, yen, share in design])
    assert np.abs(values.mean(axis=0) / means - 1).max() < 0.05


def test_tails_are_heavy() -> None:
    values = spending()
    deviations = (values - values.mean(axis=0)) / values.std(axis=0)
    assert np.median((deviations**4).mean(axis=0)) > 15, "a normal column has 3"


def test_the_same_seed_gives_the_same_data() -> None:
    assert expenditure_like(500, seed=3).equals(expenditure_like(500, seed=3))
    assert not expenditure_like(500, seed=3).equals(expenditure_like(500, seed=4))


def test_loadings_leave_room_for_the_item_itself() -> None:
    for number in range(82):
        for dear in (-3.0, 0.0, 3.0):
            general, group, own = loadings(number, dear)
            assert general**2 + group**2 + own**2 == pytest.approx(1)
            assert own**2 >= 0.08 - 1e-12


def test_no_household_is_refused() -> None:
    assert expenditure_like(1).rows == 1
    with pytest.raises(SettingError, match="n must be at least 1"):
        expenditure_like(0)
