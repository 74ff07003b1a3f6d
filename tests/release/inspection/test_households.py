"""Whoever lives together tells what was masked of one of them, with and without a number."""

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Masker, Microdata, Numeric
from sudare.core.types import Role
from sudare.release import Finding, gate

HOUSEHOLDS = 300
DRAWS = np.random.default_rng(8)
SIZES = DRAWS.integers(1, 5, HOUSEHOLDS)
OF = np.repeat(np.arange(HOUSEHOLDS), SIZES)
AREA = DRAWS.integers(0, 12, HOUSEHOLDS)[OF]
AGE = DRAWS.integers(0, 9, len(OF))


def told(role: Role, masker: Masker, *, shared: bool = True) -> list[Finding]:
    income = DRAWS.integers(100, 900, HOUSEHOLDS)[OF] if shared else DRAWS.integers(0, 9, len(OF))
    data = Microdata(
        (
            Numeric("世帯番号", OF.astype(np.float64), role=role),
            Categorical("area", AREA, tuple(f"a{n}" for n in range(12)), role="key"),
            Categorical("age", AGE, tuple(f"{n}0" for n in range(9)), role="key"),
            Numeric("income", income.astype(np.float64), role="sensitive"),
        )
    )
    masked = sudare.apply(data, masker, seed=2**90)
    findings = gate(data, masked.data, masked.steps).of_kind("twin")
    return [finding for finding in findings if finding.columns[-1] == "area"]


@pytest.mark.parametrize(
    "masker",
    [
        sudare.mask.LocalSuppression(k=8, columns=("area", "age")),
        sudare.mask.Pram(columns=("area",), retain=0.6),
    ],
)
@pytest.mark.parametrize("role", ["household", "identifier"])
def test_the_others_of_a_household_tell_what_was_masked(role: Role, masker: Masker) -> None:
    teller = "世帯番号" if role == "household" else "income"
    findings = told(role, masker)
    assert [(f.columns, f.stops) for f in findings] == [((teller, "area"), True)]
    assert findings[0].count > 10


def test_households_that_share_nothing_else_are_not_found() -> None:
    assert not told("identifier", sudare.mask.Pram(columns=("area",), retain=0.6), shared=False)
