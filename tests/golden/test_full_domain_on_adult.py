"""Optimal generalization of Adult: k = 5, the figures of the reference system ARX for Loss."""

from pathlib import Path

import pytest

import sudare
from sudare.core.table.microdata import Microdata
from sudare.mask import FullDomain
from sudare.mask.anonymity.generalization import GeneralizationPlan

KEYS = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation"),
)


@pytest.fixture(scope="module")
def adult(real_data: Path) -> Microdata:
    return sudare.read(real_data / "adult_complete.csv", roles=dict.fromkeys(KEYS, "key"))


def fitted(adult: Microdata, folder: Path, limit: float, *more: str) -> GeneralizationPlan:
    plan = FullDomain(
        k=5,
        suppression_limit=limit,
        columns=(*KEYS, *more),
        hierarchies={name: str(folder / "hierarchies" / f"{name}.csv") for name in KEYS},
        seconds=None,
    ).fit(adult)
    assert isinstance(plan, GeneralizationPlan)
    assert plan.optimal
    masked = plan.transform(adult)
    assert sudare.risk.KAnonymity(columns=(*KEYS, *more))(adult, masked).value >= 5
    return plan


def test_without_suppression(adult: Microdata, real_data: Path) -> None:
    plan = fitted(adult, real_data, 0)
    assert f"{plan.loss:.6f}" == "0.591585"
    assert [plan.levels[name] for name in KEYS] == [0, 4, 0, 2, 3, 2, 2, 1]
    assert plan.suppressed == 0


def test_with_any_number_of_suppressed_records(adult: Microdata, real_data: Path) -> None:
    plan = fitted(adult, real_data, 1)
    assert f"{plan.loss:.6f}" == "0.220050"
    assert [plan.levels[name] for name in KEYS] == [0, 3, 0, 0, 2, 1, 0, 1]
    assert plan.suppressed == 3049


def test_with_four_percent_suppressed_and_the_class_of_income_as_a_key(
    adult: Microdata, real_data: Path
) -> None:
    plan = fitted(adult, real_data, 0.04, "salary-class")
    assert f"{plan.loss:.14f}".startswith("0.266110819157")
    assert plan.suppressed <= 0.04 * adult.rows
