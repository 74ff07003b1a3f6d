import numpy as np
import pytest

import sudare
from sudare.core.errors import SettingError
from sudare.core.table.numeric import Numeric


def test_it_looks_like_adult() -> None:
    data = sudare.datasets.adult_like()
    assert data.rows == 48_842
    assert data["income"].coded.codes.mean() == pytest.approx(0.24, abs=0.01)
    gain, age = data["capital-gain"], data["age"]
    assert isinstance(gain, Numeric)
    assert isinstance(age, Numeric)
    assert (gain.values == 0).mean() == pytest.approx(0.92, abs=0.02)
    assert gain.values.max() <= 99_999
    assert (age.values.min(), age.values.max()) == (17, 90)
    assert data["occupation"].missing.mean() == pytest.approx(0.05, abs=0.01)
    married = data["marital-status"].coded.codes == 1
    spouse = np.isin(data["relationship"].coded.codes, [0, 5])
    np.testing.assert_array_equal(married, spouse)


def test_the_same_seed_gives_the_same_people() -> None:
    first, other, third = (sudare.datasets.adult_like(500, seed=s) for s in (1, 1, 2))
    assert first.equals(other)
    assert not first.equals(third)


def test_it_needs_people() -> None:
    with pytest.raises(SettingError, match="at least 1"):
        sudare.datasets.adult_like(0)
