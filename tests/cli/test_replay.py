"""A release replays elsewhere, and is read back for what it is."""

import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare import catalog
from sudare.core import MismatchError
from sudare.release import Recipe
from tests.cli.test_cli import leave

KEYS = ["-k", "地域", "-k", "性別", "-k", "年齢"]
SEED = ["--seed", "17", "--secret"]
STEPS = """
[hierarchies]
"地域" = "outside/areas.csv"

[[steps]]
method = "mondrian"
k = 5
columns = ["年齢", "性別"]

[[steps]]
method = "full-domain"
k = 3
suppression_limit = 0.5
columns = ["地域"]

[[steps]]
method = "pram"
retain = 0.8
columns = ["健康"]
"""


def original(folder: Path) -> Path:
    """Write a table as an office has it: notes above, its own words for absent values, CP932."""
    draws = np.random.default_rng(4)
    areas = ["札幌", "函館", "東京", "横浜", "大阪"]
    lines = ["調査の結果,,,,", "地域,性別,年齢,健康,理由"]
    for _ in range(300):
        cells = [
            areas[draws.integers(5)],
            ("男", "女")[draws.integers(2)],
            str(draws.integers(20, 70)) if draws.random() > 0.1 else "不詳",
            ("よい", "ふつう", "=わるい")[draws.integers(3)],
            ("A", "B", "")[draws.integers(3)],
        ]
        lines.append(",".join(cells))
    path = folder / "survey.csv"
    path.write_text("\n".join(lines) + "\n", encoding="cp932")
    return path


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Make a release with a hierarchy from a file and options of reading."""
    office = tmp_path / "office"
    (office / "outside").mkdir(parents=True)
    survey = original(office)
    areas = "札幌,北\n函館,北\n東京,東\n横浜,東\n大阪,西\n"
    (office / "outside" / "areas.csv").write_text(areas, encoding="utf-8")
    (office / "steps.toml").write_text(STEPS, encoding="utf-8")
    words = ["--missing", "年齢=不詳", "--not-applicable", "理由="]
    how = [*KEYS, *words, *SEED, office / "private", "--out-encoding", "utf-8-sig"]
    how += ["--recipe", office / "steps.toml", "--folder", tmp_path / "release"]
    assert leave("report", survey, *how) == 0
    return tmp_path / "release"


def elsewhere(tmp_path: Path, release: Path) -> Path:
    """Return an empty folder with the original, the released recipe and the private file."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for path in (tmp_path / "office/survey.csv", tmp_path / "office/private"):
        shutil.copy(path, folder)
    shutil.copy(release / "recipe.toml", folder)
    shutil.rmtree(tmp_path / "office")
    return folder


def test_the_released_recipe_gives_the_same_bytes_in_an_empty_folder(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = elsewhere(tmp_path, release)
    monkeypatch.chdir(folder)
    how = ["survey.csv", "--recipe", "recipe.toml", *SEED, "private"]
    assert leave("mask", *how, "-o", "again.csv") == 0
    assert Path("again.csv").read_bytes() == (release / "masked.csv").read_bytes()
    assert leave("report", *how, "--folder", "again") == 0
    for path in release.iterdir():
        assert (folder / "again" / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_released_recipe_replays_in_python(release: Path, tmp_path: Path) -> None:
    folder = elsewhere(tmp_path, release)
    recipe = Recipe.read(folder / "recipe.toml")
    data = sudare.read(folder / "survey.csv", **recipe.reading, roles=recipe.roles)
    again = sudare.publish(data, recipe, measures=(), seed=17, secret=folder / "private")
    again.write(folder / "again", encoding=recipe.released["encoding"])
    assert (folder / "again/masked.csv").read_bytes() == (release / "masked.csv").read_bytes()


def test_the_released_recipe_holds_every_setting_and_version(release: Path) -> None:
    content = tomllib.loads((release / "recipe.toml").read_text(encoding="utf-8"))
    for step in content["steps"]:
        stated = catalog.masker(step["method"], {}).all_settings()
        assert {name for name, value in stated.items() if value is not None} <= step.keys()
    assert content["steps"][1]["hierarchies"]["地域"]["ways"]
    assert content["made_with"].keys() >= {"python", "sudare", "numpy", "pyarrow", "polars"}
    assert content["reading"]["encoding"] == "cp932"
    assert content["reading"]["missing"] == {"年齢": ["不詳"]}
    assert "areas.csv" not in (release / "recipe.toml").read_text(encoding="utf-8")
    assert "seed" not in content


def test_another_version_is_told(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = elsewhere(tmp_path, release)
    recipe = folder / "recipe.toml"
    version = tomllib.loads(recipe.read_text(encoding="utf-8"))["made_with"]["numpy"]
    changed = recipe.read_text(encoding="utf-8").replace(f'"{version}"', '"1.0"')
    recipe.write_text(changed, encoding="utf-8")
    how = ["--recipe", recipe, *SEED, folder / "private", "-o", folder / "again.csv"]
    assert leave("mask", folder / "survey.csv", *how) == 0
    assert "other versions of numpy (1.0)" in capsys.readouterr().err


@pytest.mark.parametrize("name", [e.name for e in catalog.METHODS if e.family == "mask"])
def test_every_masker_is_the_same_after_its_released_recipe_was_read(name: str) -> None:
    masker = catalog.masker(name, {})
    recipe = Recipe("x", [masker], made_with={"sudare": "0"})
    assert Recipe.from_mapping(tomllib.loads(recipe.to_toml())).maskers == [masker]


def test_a_setting_without_limit_stays_so() -> None:
    recipe = Recipe("x", [sudare.mask.FullDomain(seconds=None)])
    again = Recipe.from_mapping(tomllib.loads(recipe.to_toml()))
    assert again.maskers[0].all_settings()["seconds"] == float("inf")


def test_a_release_is_read_back_with_its_texts(release: Path) -> None:
    raw = (release / "masked.csv").read_text(encoding="utf-8-sig")
    assert "'=わるい" in raw
    assert "=わるい" in sudare.read(release / "masked.csv")["健康"].coded.labels
    table = sudare.open(release / "masked.csv", memory="1GB")
    assert "=わるい" in table.outlined("健康").coded.labels


def test_a_shuffled_release_is_never_compared_record_by_record(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey = tmp_path / "office/survey.csv"
    lone = Path(shutil.copy(release / "masked.csv", tmp_path / "lone.csv"))
    for masked in (release / "masked.csv", lone):
        assert leave("measure", survey, masked, "-k", "性別", "-m", "reidentification") == 2
        assert "in another order" in capsys.readouterr().err
        with pytest.raises(MismatchError, match="another order"):
            sudare.loss.DirectComparison(columns=("性別",))(
                sudare.read(survey), sudare.read(masked)
            )


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_suppressed_and_not_applicable_stay_apart_in_the_file(suffix: str, tmp_path: Path) -> None:
    rows = [("a", "p")] * 6 + [("b", "q")] * 6 + [("b", "p")] + [("", "p")] * 5
    table = "key,other\n" + "".join(f"{key},{other}\n" for key, other in rows)
    (tmp_path / "survey.csv").write_text(table)
    data = sudare.read(
        tmp_path / "survey.csv", roles={"key": "key", "other": "key"}, not_applicable={"key": [""]}
    )
    recipe = Recipe("k", [sudare.mask.LocalSuppression(k=3, importance={"key": 1, "other": 9})])
    publication = sudare.publish(
        data,
        recipe,
        measures=["k-anonymity"],
        seed=3**50,
        confirmations=["broken-promise:key,other"],
    )
    kind: object = suffix
    publication.write(tmp_path / "release", kind=kind)  # type: ignore[arg-type]
    path = tmp_path / "release" / f"masked.{suffix}"
    ledger = json.loads((tmp_path / "release/ledger.json").read_text(encoding="utf-8"))
    assert ledger["released"]["suppressed"] == ["key"]
    released = sudare.read(path, roles={"key": "key", "other": "key"}, not_applicable={"key": [""]})
    steps = publication.steps
    in_memory = publication.measured[0][1].value
    assert in_memory >= 3
    assert sudare.risk.KAnonymity()(released, steps=steps).value == in_memory
    assert leave(
        "measure", tmp_path / "survey.csv", path, "-k", "key", "-k", "other",
        "--not-applicable", "key=", "--limit", "k-anonymity >= 3",
    ) == 0  # fmt: skip


def test_suppressed_numbers_are_a_word_in_text_and_refused_where_they_cannot_be(
    tmp_path: Path,
) -> None:
    rows = [("20", "p")] * 6 + [("30", "q")] * 6 + [("30", "p")] + [("", "p")] * 5
    table = "key,other\n" + "".join(f"{key},{other}\n" for key, other in rows)
    (tmp_path / "survey.csv").write_text(table)
    how = ["-k", "key", "-k", "other", "--not-applicable", "key="]
    how += ["--step", "local-suppression: k = 3, importance = {key = 1, other = 9}"]
    how += ["--confirm", "broken-promise:key,other"]
    survey = tmp_path / "survey.csv"
    assert leave("mask", survey, *how, "-o", tmp_path / "out.csv") == 0
    cells = [row.split(",")[0] for row in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    assert cells.count("*") == 1
    assert cells.count("") == 5
    assert leave("mask", survey, *how, "-o", tmp_path / "out.parquet") == 1
