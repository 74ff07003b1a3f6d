"""l-diversity and t-closeness of Adult by sex and race: the figures of pycanon 1.3.6."""

from pathlib import Path

import pytest

import sudare
from sudare.risk import LDiversity, TCloseness


@pytest.mark.parametrize(
    ("sensitive", "values", "entropy", "distance"),
    [
        ("salary-class", 2, 1, 0.20294547375208355),
        ("occupation", 10, 7, 0.3249624441807344),
        ("age", 33, 27, 0.09193571485872032),
    ],
)
def test_adult(real_data: Path, sensitive: str, values: int, entropy: int, distance: float) -> None:
    data = sudare.read(
        real_data / "adult_complete.csv", roles={"sex": "key", "race": "key"}
    ).assigning({sensitive: "sensitive"})
    assert LDiversity()(data).value == values
    assert int(LDiversity(diversity="entropy")(data).value) == entropy  # theirs is rounded down
    assert TCloseness()(data).value == pytest.approx(distance, rel=1e-12)
