"""The tiles against the matrix that the definition gives (NumPy twin of the kernels)."""

from functools import reduce

import numpy as np
import pytest

from sudare.core.methods.channels import BoundedNoise, Exchange, Published, Replacement
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.numeric import Numeric
from sudare.core.types import Array, Floats
from sudare.reconstruct import pairs as module
from sudare.reconstruct.pairs import Pairs

UNEVEN = np.array([[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0.0, 0.5, 0.5]])
LOPSIDED: Published = Exchange(("x", "y", "z"), UNEVEN)
EVEN: list[Published] = [
    Replacement(("x", "y", "z"), 0.3),
    Replacement(("x", "y"), 0.7),
    BoundedNoise(0.0, 10.0, 4.0),
    BoundedNoise(-1.0, 1.0, np.inf),
]


def columns_for(channels: list[Published], rows: int) -> list[Column]:
    rng = np.random.default_rng(5)
    columns: list[Column] = []
    for number, channel in enumerate(channels):
        if isinstance(channel, BoundedNoise):
            columns.append(Numeric(f"n{number}", rng.uniform(channel.low, channel.high, rows)))
        else:
            codes = rng.integers(0, len(channel.labels), rows)
            columns.append(Categorical(f"c{number}", codes, channel.labels))
    return columns


def whole_matrix(columns: list[Column], channels: list[Published]) -> Floats:
    """P as eq. 13 says it: published (row) by true (column)."""
    factors = []
    for column, channel in zip(columns, channels, strict=True):
        if isinstance(channel, BoundedNoise):
            assert isinstance(column, Numeric)
            factors.append(channel.density(column.values[:, None], column.values[None, :]))
        else:
            codes = column.coded.codes
            factors.append(channel.matrix().T[np.ix_(codes, codes)])
    return reduce(np.multiply, factors)


@pytest.mark.parametrize("rows", [1, 3, 512, 1100])
@pytest.mark.parametrize("channels", [EVEN, [*EVEN, LOPSIDED], [LOPSIDED], EVEN[2:]])
@pytest.mark.parametrize("keep", [True, False])
def test_products_by_tiles_are_those_of_the_whole_matrix(
    rows: int, channels: list[Published], keep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not keep:
        monkeypatch.setattr(module, "_KEPT", 0)
    columns = columns_for(channels, rows)
    pairs, matrix = Pairs.of(columns, channels), whole_matrix(columns, channels)
    vector = np.random.default_rng(1).random(rows)
    for _ in range(2):  # tiles made, then tiles kept
        assert_proportional(pairs.seen(vector), matrix @ vector)
        assert_proportional(pairs.true(vector), matrix.T @ vector)
    features = np.random.default_rng(2).random((rows, 3)).astype(np.float32)
    assert_proportional(pairs.spread(features).ravel(), (matrix @ features).ravel())


def assert_proportional(actual: Array, expected: Array) -> None:
    """Constant factors do not matter to a likelihood."""
    np.testing.assert_allclose(actual / actual.sum(), expected / expected.sum(), rtol=2e-5)


def test_only_lopsided_matrices_need_all_tiles() -> None:
    assert Pairs.of(columns_for(EVEN, 9), EVEN).symmetric
    assert not Pairs.of(columns_for([LOPSIDED], 9), [LOPSIDED]).symmetric


@pytest.mark.parametrize("scale", [1e-9, 1e-3])
def test_almost_no_noise_stays_a_number(scale: float) -> None:
    channel = BoundedNoise(0.0, 1.0, scale)
    sums = Pairs.of([Numeric("x", np.array([0.0, 0.5, 1.0]))], [channel]).seen(np.ones(3))
    assert np.isfinite(sums).all()
    np.testing.assert_allclose(sums / sums[1], [2, 1, 2], rtol=1e-5)  # at a bound half is cut
