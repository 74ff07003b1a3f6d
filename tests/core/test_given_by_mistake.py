"""Mistakes in Python get the sentence of a manual, not the words of the interpreter."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sudare
from sudare.core import LANGUAGES, ColumnError, InputError, SettingError, speaking
from sudare.mask import Pram

untyped: Any = sudare  # mistakes are what a type checker would find


def test_a_class_in_place_of_a_method_is_named(toy: sudare.Microdata) -> None:
    for maskers in (Pram, [Pram]):
        with pytest.raises(SettingError, match=r"write Pram\(\)"):
            untyped.apply(toy, maskers)
    with pytest.raises(SettingError, match=r"write Uniques\(\)"):
        untyped.compare(toy, {"pram": Pram()}, [sudare.risk.Uniques])


@pytest.mark.parametrize("maskers", [3, None, "pram", [3]])
def test_what_is_no_masker_is_refused(toy: sudare.Microdata, maskers: object) -> None:
    with pytest.raises(SettingError, match="takes maskers"):
        untyped.apply(toy, maskers)


def test_roles_by_list_are_refused(toy: sudare.Microdata) -> None:
    frame = pl.DataFrame({"age": [31, 40]})
    for setting in ("roles", "scales", "types", "orders"):
        with pytest.raises(SettingError, match="by column"):
            untyped.read(frame, **{setting: ["age"]})
    with pytest.raises(SettingError, match="by column"):
        toy.assigning(roles=["age"])  # type: ignore[arg-type]


def test_measures_in_words_are_taken_or_get_a_suggestion(toy: sudare.Microdata) -> None:
    recipes = {"pram": Pram()}
    with pytest.raises(SettingError, match="did you mean 'uniques'"):
        sudare.compare(toy, recipes, ["uniqes"])
    assert "Uniques" in sudare.compare(toy, recipes, ["uniques"], seed=1).measures
    with pytest.raises(SettingError, match="give measures such as"):
        untyped.compare(toy, recipes, [3])
    with pytest.raises(SettingError, match="takes recipes"):
        untyped.compare(toy, [Pram()], ["uniques"])
    with pytest.raises(SettingError, match="takes a recipe"):
        untyped.publish(toy, [Pram()])


def test_a_misspelt_setting_gets_a_suggestion() -> None:
    made: Any = Pram
    with pytest.raises(SettingError, match="did you mean 'retain'"):
        made(retian=0.9)
    with pytest.raises(SettingError, match="by name"):
        made(0.9)


def test_a_frame_that_was_not_read_is_named(toy: sudare.Microdata) -> None:
    frame = pl.DataFrame({"age": [31, 40]})
    with pytest.raises(InputError, match=r"sudare\.read"):
        untyped.apply(frame, Pram())
    with pytest.raises(InputError, match=r"sudare\.read"):
        untyped.risk.Uniques()(frame)
    with pytest.raises(InputError, match="purchase histories"):
        untyped.apply(sudare.datasets.purchases_like(20, seed=1), Pram())
    with pytest.raises(InputError, match=r"sudare\.read"):
        untyped.risk.Uniques()(toy, frame)


def test_the_table_of_a_masked_one_is_asked_for(toy: sudare.Microdata, tmp_path: Path) -> None:
    masked = sudare.apply(toy, Pram(), seed=1)
    recipe = sudare.Recipe("again", [Pram()])
    calls: tuple[Callable[[], object], ...] = (
        lambda: untyped.apply(masked, Pram()),
        lambda: untyped.risk.Uniques()(toy, masked),
        lambda: untyped.write(masked, tmp_path / "out.csv"),
        lambda: untyped.to_frame(masked),
        lambda: untyped.publish(masked, recipe),
    )
    for call in calls:
        with pytest.raises(InputError, match=r"which is its \.data"):
            call()
    with pytest.raises(InputError, match=r"sudare\.read"):
        untyped.write(pl.DataFrame({"age": [31, 40]}), tmp_path / "out.csv")
    with pytest.raises(InputError, match="purchase histories"):
        untyped.write(sudare.datasets.purchases_like(20, seed=1), tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_numpy_scalars_are_settings() -> None:
    made: Any = Pram
    assert made(retain=np.float32(0.5)).retain == 0.5
    assert made(retain=np.int64(1)).retain == 1.0
    rounded: Any = sudare.mask.Microaggregation
    assert type(rounded(k=np.int64(3)).k) is int
    recode: Any = sudare.mask.GlobalRecode
    assert recode(ranges=np.bool_(True)).ranges is True
    with pytest.raises(SettingError):
        made(retain=np.array([0.5, 0.6]))
    with pytest.raises(SettingError):
        rounded(k=np.float64(3.5))


def test_a_table_without_keys_is_said_to_have_none(toy: sudare.Microdata) -> None:
    bare = toy.assigning(roles=dict.fromkeys(toy.names, "other"))
    sentences = "no column has the role key; ", "役割 key の列がありません。"
    for language, said in zip(LANGUAGES, sentences, strict=True):
        with speaking(language), pytest.raises(ColumnError, match=said):
            sudare.risk.KAnonymity()(bare)
