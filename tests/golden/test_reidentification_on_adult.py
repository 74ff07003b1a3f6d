"""Adult, 30,162 people by 8 keys: the marketer risk of the reference system ARX."""

from pathlib import Path

import pytest

import sudare
from sudare.core import Microdata
from sudare.mask import FullDomain, Pram
from sudare.risk import Reidentification

KEYS = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation"),
)


@pytest.fixture(scope="module")
def adult(real_data: Path) -> Microdata:
    return sudare.read(real_data / "adult_complete.csv", roles=dict.fromkeys(KEYS, "key"))


def test_the_unmasked_table(adult: Microdata) -> None:
    result = Reidentification()(adult)
    assert f"{result.value:.4f}" == "0.6004"
    assert round(result.value * adult.rows) == 18_109
    assert result.baseline == 1 / 30_162


def test_a_generalized_table_is_below_one_over_k(adult: Microdata, real_data: Path) -> None:
    hierarchies = {name: str(real_data / "hierarchies" / f"{name}.csv") for name in KEYS}
    masked = sudare.apply(adult, FullDomain(k=5, suppression_limit=0, hierarchies=hierarchies))
    result = Reidentification()(adult, masked.data, steps=masked.steps)
    assert result.by_record is not None
    assert result.by_record.max() <= 1 / 5
    assert round(result.value * adult.rows) == 30


def test_pram_lies_between_nothing_and_everything(adult: Microdata) -> None:
    masked = sudare.apply(adult, Pram(retain=0.9), seed=1)
    assert 0.4 < Reidentification()(adult, masked.data, steps=masked.steps).value < 0.5
