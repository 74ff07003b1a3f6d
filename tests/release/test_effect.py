"""A release of the original as it is is refused, in memory and in blocks."""

from pathlib import Path

import pytest

import sudare
from sudare.core import SettingError

IDLE = sudare.mask.Pram(retain=1.0, columns=("region",))


def test_publish_refuses_a_recipe_without_steps(toy: sudare.Microdata) -> None:
    with pytest.raises(SettingError, match="has no steps"):
        sudare.publish(toy, sudare.Recipe("nothing", []))
    history = sudare.datasets.purchases_like(20, seed=1)
    with pytest.raises(SettingError, match="has no steps"):
        sudare.publish(history, sudare.Recipe("nothing", []))


def test_publish_refuses_what_changes_nothing(toy: sudare.Microdata, tmp_path: Path) -> None:
    recipe = sudare.Recipe("idle", [IDLE])
    with pytest.raises(SettingError, match="changed no value"):
        sudare.publish(toy, recipe)
    path = sudare.write(toy, tmp_path / "toy.parquet")
    with pytest.raises(SettingError, match="changed no value"):
        sudare.publish(sudare.open(path), recipe, measures=["uniques: columns = ['region']"])


def test_apply_without_methods_is_no_release(toy: sudare.Microdata) -> None:
    assert sudare.apply(toy, []).data is toy
