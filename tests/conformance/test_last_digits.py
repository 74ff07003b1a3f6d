"""The last digits of a masked number do not tell which numbers it can come from (Mironov 2012).

A double that was computed from a true number and a draw has last bits that only some true numbers
can give, so that an attacker who has our source excludes the others. Whatever is drawn is therefore
on a grid that is public.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

import sudare
from sudare import catalog
from sudare.core import (
    Categorical,
    Flags,
    Floats,
    Microdata,
    Numeric,
    factor_bits,
    noise_grid,
    normal_from,
    on_public_grid,
    significant_bits,
)
from sudare.mask.noise.multiplicative_noise import factors

BITS = 40  # of the column's size, or of the number itself: no draw is coarser
DRAWING = [
    entry.name
    for entry in catalog.METHODS
    if (entry.family, entry.subject) == ("mask", "table")
    and catalog.masker(entry.name, {}).random  # the others compute, and have nothing to hide
]
OTHERS: dict[str, list[dict[str, Any]]] = {
    "HybridSynthesis": [{"scale": "normal-scores"}],
    "SequentialSynthesis": [{"model": "regression"}],
    "PkAnonymization": [{"k": 3}],
}
SETTINGS = [(name, own) for name in DRAWING for own in ({}, *OTHERS.get(name, []))]


@pytest.fixture(scope="module")
def data() -> Microdata:
    """Numbers with all digits that doubles have, so that none is on a grid by itself."""
    rng = np.random.default_rng(1)
    size = rng.lognormal(8, 1, 90)
    columns = {
        "income": size,
        "assets": size * rng.lognormal(0, 0.5, 90),
        "change": rng.normal(size=90),
    }
    numbers = [Numeric(name, values, role="key") for name, values in columns.items()]
    towns = Categorical("town", np.arange(90) % 3, ("a", "b", "c"), role="key")
    homes = Categorical("home", np.arange(90) // 2, tuple(range(45)), role="household")
    weight = Numeric("weight", rng.integers(90, 110, 90).astype(float), role="weight")
    return Microdata((*numbers, towns, homes, weight))


def has_few_digits(values: Floats, before: Floats) -> Flags:
    """Return which numbers are on a grid: of the column, or of their own first digits."""
    unit = noise_grid(float(before.std())) / 2 ** (BITS - 24)
    on_grid: Flags = (np.remainder(values, unit) == 0) | (significant_bits(values, BITS) == values)
    return on_grid


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
def test_every_number_that_is_drawn_is_on_a_grid(
    name: str, settings: dict[str, Any], data: Microdata
) -> None:
    masked = sudare.apply(data, catalog.masker(name, settings), seed=1).data
    for column in masked.columns:
        own = data[column.name]
        if isinstance(column, Numeric) and isinstance(own, Numeric):
            made = column.values[column.known]
            made = made[~np.isin(made, own.values)]  # values of other records are nobody's secret
            assert has_few_digits(made, own.values).all(), column.name


def test_numbers_in_full_are_not_on_a_grid(data: Microdata) -> None:
    values = data["income"].numeric.values
    noisy = values + np.random.default_rng(2).normal(size=len(values))
    assert not has_few_digits(noisy, values).any()


TRUE, SIZE, SHARE = np.arange(2000.0, 6000.0, 7.0), 410.0, 0.1
Published = Callable[[Floats, Floats], Floats]
Taking = Callable[[Floats, float], Floats]


def added(true: Floats, uniform: Floats) -> Floats:
    return on_public_grid(true + SIZE * normal_from(uniform), noise_grid(SIZE))


def multiplied(true: Floats, uniform: Floats) -> Floats:
    return significant_bits(true * factors(normal_from(uniform), SHARE), factor_bits(SHARE))


def added_in_full(true: Floats, uniform: Floats) -> Floats:
    return true + SIZE * normal_from(uniform)


def draws_of_sum(true: Floats, published: float) -> Floats:
    """Return the draw that takes each true number to the published one."""
    return np.asarray(ndtr((published - true) / SIZE))


def draws_of_product(true: Floats, published: float) -> Floats:
    """Return the draw that takes each true number to the published one."""
    log_variance = np.log1p(SHARE**2)
    return np.asarray(ndtr((np.log(published / true) + log_variance / 2) / np.sqrt(log_variance)))


def excluded(publish: Published, draws_of: Taking, share: float) -> float:
    """Return the share of possible true numbers that cannot have given a published number."""
    published = float(publish(np.array([4000.0]), np.array([share]))[0])
    uniform = draws_of(TRUE, published)
    likely = (uniform > 1e-6) & (uniform < 1 - 1e-6)
    near = np.rint(uniform[likely] * 2**53) + np.arange(-64.0, 65.0)[:, None]
    near = np.asarray(near * 2.0**-53, np.float64)
    given = publish(np.broadcast_to(TRUE[likely], near.shape).ravel(), near.ravel())
    return float(1 - (given.reshape(near.shape) == published).any(axis=0).mean())


@pytest.mark.parametrize("share", [0.02, 0.37, 0.61, 0.999])
def test_no_true_number_is_excluded_by_what_is_published(share: float) -> None:
    assert excluded(added, draws_of_sum, share) == 0
    assert excluded(multiplied, draws_of_product, share) == 0


def test_full_digits_would_exclude_true_numbers() -> None:
    shares = np.linspace(0.05, 0.95, 7)
    lost = [excluded(added_in_full, draws_of_sum, float(share)) for share in shares]
    assert min(lost) > 0.02
