from pathlib import Path

import pytest

import sudare
from sudare.core.errors import InputError, OutputError, SettingError
from sudare.describe import Hierarchy
from sudare.release.recipe import Recipe

TEXT = """
name = "careful"
description = "coarse regions, then PRAM"

[roles]
region = "key"

[scales]
age = "ordinal"

[[steps]]
method = "global-recode"
min_share = 0.1
columns = ["region"]

[[steps]]
method = "Pram"
retain = 0.9
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    path = tmp_path / "careful.toml"
    path.write_text(TEXT, encoding="utf-8")
    return Recipe.read(path)


def test_a_recipe_is_read_with_its_roles_scales_and_steps(recipe: Recipe) -> None:
    assert recipe.name == "careful"
    assert recipe.roles == {"region": "key"}
    assert [type(masker).__name__ for masker in recipe.maskers] == ["GlobalRecode", "Pram"]


def test_a_recipe_that_is_written_and_read_masks_alike(recipe: Recipe, tmp_path: Path) -> None:
    recipe.write(tmp_path / "again.toml")
    again = Recipe.read(tmp_path / "again.toml")
    data = sudare.datasets.toy()
    assert again.apply(data, seed=3).data.equals(recipe.apply(data, seed=3).data)


def test_a_recipe_holds_no_seed(recipe: Recipe) -> None:
    assert "seed" not in recipe.to_toml()


def test_an_existing_recipe_is_not_replaced_unasked(recipe: Recipe, tmp_path: Path) -> None:
    recipe.write(tmp_path / "a.toml")
    with pytest.raises(OutputError, match="exists"):
        recipe.write(tmp_path / "a.toml")
    recipe.write(tmp_path / "a.toml", overwrite=True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"step": []}, "a recipe: there is no entry 'step'; did you mean 'steps'"),
        ({"zzz": []}, "there is no entry 'zzz'; available: description, hierarchies"),
        ({"name": [1]}, "the name of a recipe must be text"),
        ({"description": 3}, "the description of a recipe must be text"),
        ({"steps": [{"retain": 0.9}]}, "each step of a recipe is a table with a method"),
        ({"steps": [{"method": "prma"}]}, "there is no method 'prma'; did you mean 'pram'"),
        ({"steps": [{"method": "uniques"}]}, "uniques measures; it does not mask"),
        ({"steps": [{"method": "pram", "retian": 1}]}, "retian.*did you mean 'retain'"),
        ({"steps": [{"method": "pram", "retain": 2}]}, "retain must be between 0 and 1, got 2"),
    ],
)
def test_mistakes_in_a_recipe_are_named(content: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, SettingError), match=message):
        Recipe.from_mapping(content)


def test_a_file_that_is_no_recipe_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("name = ")
    with pytest.raises(InputError, match="not a TOML file"):
        Recipe.read(tmp_path / "bad.toml")
    with pytest.raises(InputError, match="there is no file"):
        Recipe.read(tmp_path / "none.toml")


def test_settings_by_column_stay_with_their_step() -> None:
    import tomllib

    steps = [
        sudare.mask.GlobalRecode(maps={"region": {"関東": "東", "東北": "東"}}),
        sudare.mask.Rounding(base={"age": 5, "income": 100}),
        sudare.mask.Noise(sd_ratio=0.2),
    ]
    again = Recipe.from_mapping(tomllib.loads(Recipe("by column", steps).to_toml()))
    assert again.maskers == steps


def test_a_recipe_names_files_of_its_own_folder_unless_others_are_allowed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "recipes", tmp_path / "outside"
    for directory in (folder, outside):
        directory.mkdir()
        (directory / "region.csv").write_text("leaf,group\nnorth,all\nsouth,all\n")
    (folder / "link.csv").symlink_to(outside / "region.csv")
    path = folder / "r.toml"
    for name in ("../outside/region.csv", str(outside / "region.csv"), "link.csv"):
        step = f'[[steps]]\nmethod = "full-domain"\n[steps.hierarchies]\nregion = "{name}"\n'
        for text in (step, f'[hierarchies]\nregion = "{name}"\n'):
            path.write_text(text)
            with pytest.raises(InputError, match="--allow-path"):
                Recipe.read(path)
            assert Recipe.read(path, allow_paths=[outside])
    path.write_text('[hierarchies]\nregion = "region.csv"\n')
    assert isinstance(Recipe.read(path).hierarchies["region"], Hierarchy)
