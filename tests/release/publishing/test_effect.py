"""A release of the original as it is is refused, in memory and in blocks."""

from pathlib import Path

import pytest

import sudare
from sudare.core import SettingError

IDLE = sudare.mask.Pram(retain=1.0, columns=("region",))


def test_publish_refuses_a_recipe_without_steps_for_a_history() -> None:
    history = sudare.datasets.purchases_like(20, seed=1)
    with pytest.raises(SettingError, match="has no steps"):
        sudare.publish(history, sudare.Recipe("nothing", []))


@pytest.mark.parametrize("maskers", [[], [IDLE]])
def test_the_gate_stops_what_changes_nothing(
    toy: sudare.Microdata, tmp_path: Path, maskers: list[sudare.mask.Pram]
) -> None:
    recipe = sudare.Recipe("idle", maskers)
    path = sudare.write(toy, tmp_path / "toy.parquet")
    for data in (toy, sudare.open(path)):
        findings = sudare.publish(data, recipe, measures=[]).findings
        assert [finding.stops for finding in findings.of_kind("nothing-masked")] == [True]


def test_apply_without_methods_is_no_release(toy: sudare.Microdata) -> None:
    assert sudare.apply(toy, []).data is toy
