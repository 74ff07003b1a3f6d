"""What a project does: read, mask, compare, publish, and what it proposes."""

from dataclasses import fields
from pathlib import Path

import polars as pl
import pytest

import sudare
from sudare.catalog import METHODS
from sudare.core import speaking
from sudare.core.errors import InputError, OutputError, SettingError
from sudare.release.project.sections.project_sections import ColumnSection
from sudare.release.recipe import FILE_SETTINGS

FOR_EVERYBODY = {"method": "full-domain", "k": 3, "suppression_limit": 0.0}
COARSE = {"name": "coarse", "steps": [FOR_EVERYBODY]}
RANDOM = {"name": "random", "steps": [{"method": "pram", "retain": 0.9}]}


@pytest.fixture
def reviewed(project: sudare.Project) -> sudare.Project:
    return project.edited({"reviewed": True, "recipes": [COARSE, RANDOM]}).save()


def test_roles_and_scales_come_from_the_file(project: sudare.Project) -> None:
    changed = project.edited(
        {
            "columns": {
                "age": {"role": "key", "scale": "ordinal"},
                "household": {"role": "household"},
                "education": {
                    "scale": "ordinal",
                    "order": ["primary", "secondary", "college", "university", "graduate"],
                },
            }
        }
    )
    data = changed.data()
    assert data["age"].scale == "ordinal"
    assert data.with_role("household") == ("household",)
    assert data["education"].coded.labels[0] == "primary"


def test_words_for_absent_values_hold_for_all_columns_or_for_one(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["1", "NA", "-"], "b": ["x", "NA", "-"]})
    frame.write_csv(tmp_path / "t.csv")
    path = tmp_path / "t.sudare.toml"
    path.write_text(
        'version = 1\n[data]\nsource = "t.csv"\nmissing = ["NA"]\n'
        '[columns.a]\nnot_applicable = ["-"]\n',
        encoding="utf-8",
    )
    data = sudare.Project.open(path).data()
    assert data["a"].not_applicable.tolist() == [False, False, True]
    assert data["b"].not_applicable.tolist() == [False, False, False]
    assert data["a"].missing.tolist() == data["b"].missing.tolist() == [False, True, False]


def test_types_are_those_that_the_project_states(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("code,n\n01,1\n02,2\n", encoding="utf-8")
    path = tmp_path / "t.sudare.toml"
    path.write_text(
        'version = 1\n[data]\nsource = "t.csv"\n[columns.code]\ntype = "text"\n', encoding="utf-8"
    )
    assert sudare.Project.open(path).data()["code"].coded.labels == ("01", "02")


def test_apply_compare_and_publish_take_recipes_by_name(reviewed: sudare.Project) -> None:
    data = reviewed.data()
    masked = reviewed.apply("coarse", seed=1)
    direct = sudare.apply(data, sudare.mask.FullDomain(k=3, suppression_limit=0.0), seed=1)
    assert masked.data.equals(direct.data)
    comparison = reviewed.compare(seed=1)
    assert [candidate.recipe.name for candidate in comparison.candidates] == ["coarse", "random"]
    published = reviewed.publish("coarse", seed=1)
    assert published.released.names == tuple(name for name in data.names if name != "id")


def test_every_recipe_of_a_project_ends_with_its_edit_rules(project: sudare.Project) -> None:
    noisy = {"name": "noisy", "steps": [{"method": "noise", "columns": ["age"]}]}
    rules = ["age is whole", "age from 0 to 120"]
    changed = project.edited(
        {"columns": {"age": {"role": "key"}}, "recipes": [noisy], "rules": rules}
    )
    masked = changed.apply("noisy", seed=1)
    assert [step.method for step in masked.steps] == ["Noise", "EditRules"]
    measure = sudare.loss.RuleViolations(rules=tuple(rules))
    assert measure(changed.data(), masked.data).value == 0
    again = changed.apply(changed.recipe("noisy"), seed=1)
    assert len(again.steps) == 2
    assert again.data.equals(masked.data)


def test_a_recipe_must_be_chosen_where_there_are_several(reviewed: sudare.Project) -> None:
    with pytest.raises(SettingError, match="several recipes: coarse, random"):
        reviewed.apply()
    with pytest.raises(SettingError, match="did you mean 'coarse'"):
        reviewed.recipe("corse")
    with pytest.raises(SettingError, match="no recipes"):
        reviewed.edited({"recipes": None}).recipe()


def test_nothing_is_released_before_somebody_reviewed_it(reviewed: sudare.Project) -> None:
    with pytest.raises(OutputError, match="set reviewed = true"):
        reviewed.edited({"reviewed": False}).publish("coarse")


def test_limits_measures_and_texts_go_into_the_release(
    reviewed: sudare.Project, tmp_path: Path
) -> None:
    project = reviewed.edited(
        {
            "limits": {"keep": ["k-anonymity >= 3"]},
            "measures": {"risk": ["uniques"], "loss": ["total-variation"]},
            "report": {"title": "Survey of towns", "office": "Statistics office"},
        }
    )
    publication = project.publish("coarse", seed=1)
    assert publication.keeps_limits
    assert [result.measure for _, result in publication.measured] == [
        "Uniques",
        "TotalVariation",
        "KAnonymity",
    ]
    page = (publication.write(tmp_path / "release") / "report.html").read_text(encoding="utf-8")
    assert "Survey of towns" in page
    assert "Statistics office" in page
    assert not project.publish("random", seed=1).keeps_limits


def test_hierarchies_of_columns_reach_the_steps_that_look_at_them(
    reviewed: sudare.Project, tmp_path: Path
) -> None:
    ways = [(str(name), "all of them") for name in reviewed.data()["region"].coded.labels]
    (tmp_path / "regions.csv").write_text("\n".join(map(",".join, ways)) + "\n", encoding="utf-8")
    project = reviewed.edited(
        {
            "columns": {
                "age": {"hierarchy": {"widths": [10, 20]}},
                "region": {"hierarchy": "regions.csv"},
                "income": {"hierarchy": {"widths": [100]}},  # no step looks at it
            }
        }
    )
    masked = project.apply("coarse", seed=1)
    direct = sudare.mask.FullDomain(
        k=3,
        suppression_limit=0.0,
        hierarchies={"age": {"widths": [10, 20]}, "region": sudare.describe.Hierarchy.of(ways)},
    )
    assert masked.data.equals(sudare.apply(project.data(), direct, seed=1).data)
    released = project.publish("coarse", seed=1).recipe.to_toml()
    assert "regions.csv" not in released  # it holds what the file says
    assert "all of them" in released


def test_a_hierarchy_outside_the_folder_is_refused(
    reviewed: sudare.Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    far = tmp_path_factory.mktemp("far") / "regions.csv"
    far.write_text("a,b\n", encoding="utf-8")
    step = {"method": "full-domain", "hierarchies": {"region": str(far)}}
    for changes in (
        {"columns": {"region": {"hierarchy": str(far)}}},
        {"recipes": [{"name": "coarse", "steps": [step]}]},
    ):
        with pytest.raises(InputError, match="the folder of the file that names it"):
            reviewed.edited(changes).apply("coarse")
    stated = {"loss": [f"distance-loss: trees = {{region = '{far}'}}"]}
    with pytest.raises(InputError, match="the folder of the file that names it"):
        _ = reviewed.edited({"measures": stated}).measures


def test_every_setting_that_may_name_a_file_is_known() -> None:
    naming = {s.name for e in METHODS for s in e.settings if "Path" in str(s.kind)}
    assert naming <= set(FILE_SETTINGS)


def test_every_proposal_has_its_reason_above_it(project: sudare.Project) -> None:
    lines = project.text.splitlines()
    entries = {field.name for field in fields(ColumnSection)}
    first = lines.index("[columns.id]")
    last = lines.index("[limits]")
    active = [
        number for number in range(first, last) if lines[number].partition(" = ")[0] in entries
    ]
    assert len(active) >= 20
    assert all(lines[number - 1].startswith("#? ") for number in active)


def test_reasons_are_in_the_language_of_the_session(survey: Path) -> None:
    with speaking("ja"):
        text = sudare.Project.create(survey).text
    assert "提案" in text
    assert "#? ほぼ確実: " in text
    assert "proposal" not in text


def test_what_is_stated_is_not_proposed(survey: Path) -> None:
    project = sudare.Project.create(
        survey,
        roles={"sex": "other"},
        scales={"age": "ordinal"},
        weights="weight",
        missing=["NA"],
    )
    lines = project.text.splitlines()
    start = lines.index("[columns.sex]")
    section = lines[start : lines.index("", start)]
    assert 'role = "other"' in section
    assert not any(line.startswith("#?") and "sex" in line for line in section)
    assert project.sections.columns["weight"].role == "weight"
    assert project.sections.data.missing == ("NA",)
    assert project.data()["age"].scale == "ordinal"


def test_the_layout_of_a_text_file_is_kept(tmp_path: Path) -> None:
    text = "調査票\n注意\n年齢;性別\n31;男\n40;女\n" + "25;女\n" * 20
    (tmp_path / "調査.csv").write_bytes(text.encode("cp932"))
    project = sudare.Project.create(tmp_path / "調査.csv").save()
    data = project.sections.data
    assert (data.encoding, data.separator, data.skip_rows) == ("cp932", ";", 2)
    assert project.path.name == "調査.sudare.toml"
    assert sudare.Project.open(tmp_path).data().names == ("年齢", "性別")


def test_no_value_of_the_data_is_in_the_file(tmp_path: Path) -> None:
    names = [f"山田{number}郎" for number in range(200)]
    frame = pl.DataFrame(
        {
            "氏名": names,
            "income": [1234567 + 7919 * number for number in range(200)],
            "note": [f"lives near lake {number}" for number in range(200)],
        }
    )
    frame.write_csv(tmp_path / "t.csv")
    text = sudare.Project.create(tmp_path / "t.csv").text
    values = [str(value) for row in frame.rows() for value in row]
    assert [value for value in values if value in text] == []


def test_many_columns_make_a_project(tmp_path: Path) -> None:
    frame = pl.DataFrame({f"column {number}": ["a", "b"] for number in range(1_000)})
    frame.write_csv(tmp_path / "wide.csv")
    project = sudare.Project.create(tmp_path / "wide.csv").save()
    assert len(sudare.Project.open(project.path).data().columns) == 1_000


def test_a_sample_is_enough_for_the_proposals(tmp_path: Path) -> None:
    path = sudare.write(sudare.datasets.toy(), tmp_path / "survey.parquet")
    sample = sudare.open(path).sample(100, seed=1)
    project = sudare.Project.create(path, data=sample)
    assert project.data().rows == 400


WRITTEN = {
    "thousands": "{n:,}",
    "negative": "△{n:,}",
    "decimal commas": "{n},5",
    "percent": "{day}%",
    "era": "令和{year}年{month}月{day}日",
    "era that had ended": "平成{ended}年{month}月{day}日",
    "era and month": "令和{year}年{month}月",
    "year of an era": "平成{day}年",
    "day that does not exist": "2024/{month}/{last}",
    "day first": "{day:02d}/{month:02d}/2024",
    "month": "2024年{month}月",
    "eight digits": "2024{month:02d}{day:02d}",
    "time": "2024-{month:02d}-{day:02d} 08:30:00",
    "classes": "{day}～{last}歳",
}
STRAY = {"none": "", "a known word": "不明", "another word": "秘匿", "dash": "-", "star": "*"}


@pytest.mark.parametrize("heading", ["x", "生年月日", "weight", "所得", "年齢"])
@pytest.mark.parametrize("stray", STRAY.values(), ids=STRAY)
def test_a_new_project_can_read_its_table(tmp_path: Path, heading: str, stray: str) -> None:
    def cell(form: str, n: int) -> str:
        dates = {"year": n % 4 + 2, "ended": n % 3 + 29, "month": n % 12 + 1}
        return form.format(n=n * 7919, day=n % 28 + 1, last=n % 31 + 1, **dates)

    rows = [[cell(form, n) for form in WRITTEN.values()] for n in range(60)]
    rows += [[stray] * len(WRITTEN)] * 2
    path = tmp_path / "table.csv"
    names = [f"{heading} {name}" for name in WRITTEN]
    pl.DataFrame(rows, schema=names, orient="row").write_csv(path)
    assert sudare.Project.create(path).data().rows == len(rows)


def test_a_release_of_a_project_needs_no_seed(reviewed: sudare.Project) -> None:
    assert reviewed.secret_for(None) is None
    assert reviewed.secret_for(7) == reviewed.secret_file
    assert not reviewed.publish("coarse").trial
