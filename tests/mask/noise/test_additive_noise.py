import numpy as np
import pytest

import sudare
from sudare.core.table.numeric import Numeric
from sudare.mask import Noise


@pytest.mark.parametrize("sd_ratio", [0.05, 0.5, 2.0])
def test_noise_has_mean_zero_and_the_size_it_says(sd_ratio: float) -> None:
    data = sudare.datasets.toy(40_000)
    masked = sudare.apply(data, Noise(sd_ratio=sd_ratio, columns=("income",)), seed=2)
    before, after = data["income"], masked.data["income"]
    assert isinstance(before, Numeric)
    assert isinstance(after, Numeric)
    noise = (after.values - before.values)[before.known]
    sd = np.nanstd(before.values)
    assert abs(noise.mean()) < 0.03 * sd * sd_ratio
    public = masked.steps[0].public["income"]["noise_sd"]
    assert noise.std() == pytest.approx(public, rel=0.02)
    assert sd_ratio * sd <= public <= 1.1 * sd_ratio * sd
    assert float(f"{public:.2g}") == public


def test_variance_can_be_recovered_with_the_public_noise_level() -> None:
    data = sudare.datasets.toy(40_000)
    masked = sudare.apply(data, Noise(sd_ratio=1.0, columns=("income",)), seed=2)
    before, after = data["income"], masked.data["income"]
    assert isinstance(before, Numeric)
    assert isinstance(after, Numeric)
    recovered = np.nanvar(after.values) - masked.steps[0].public["income"]["noise_sd"] ** 2
    assert recovered == pytest.approx(np.nanvar(before.values), rel=0.05)


def test_a_constant_column_gets_no_noise() -> None:
    data = sudare.Microdata((Numeric("x", np.full(5, 3.0), role="key"),))
    assert sudare.apply(data, Noise(), seed=1).data.equals(data)
