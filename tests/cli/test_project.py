"""The command line with a project: roles are not repeated, and options override."""

import json
from pathlib import Path

import polars as pl
import pytest

import sudare
from tests.cli.test_cli import leave

RECIPES = """
[[recipes]]
name = "coarse"
[[recipes.steps]]
method = "full-domain"
k = 3
[[recipes]]
name = "random"
[[recipes.steps]]
method = "pram"
retain = 0.5
"""


@pytest.fixture
def project(survey: Path) -> Path:
    made = sudare.Project.create(survey).edited({"reviewed": True})
    path = survey.with_name("survey.sudare.toml")
    path.write_text(made.text + RECIPES, encoding="utf-8")
    return path


def test_init_writes_a_project_that_everything_else_reads(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("init", survey) == 0
    printed = capsys.readouterr()
    assert "identifier" in printed.out
    assert "set reviewed = true" in printed.err
    project = sudare.Project.open(survey.with_name("survey.sudare.toml"))
    assert project.data().with_role("identifier") == ("id",)
    assert leave("init", survey) == 2
    assert leave("init", survey, "--force") == 0


def test_init_keeps_what_is_stated(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("-k", "condition", "--not-applicable", "not applicable", "--json")
    assert leave("init", survey, "-o", survey.with_name("a.sudare.toml"), *words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["columns"]["condition"]["role"] == "key"
    project = sudare.Project.open(told["project"])
    assert project.data()["occupation"].not_applicable.any()


def test_init_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("init", "--schema") == 0
    assert json.loads(capsys.readouterr().out)["required"] == ["version", "data"]


def test_init_needs_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("init") == 2
    assert "give the table" in capsys.readouterr().err


def test_update_takes_new_columns_into_the_project(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.read_csv(survey, infer_schema=False).with_columns(extra=pl.lit("a")).write_csv(survey)
    assert leave("describe", survey) == 2
    assert "extra" in capsys.readouterr().err
    assert leave("init", "--update", "-p", project) == 0
    assert leave("describe", survey) == 0
    assert leave("mask", survey, "-o", survey.with_name("m.csv"), "--recipe", "coarse") == 2
    assert "set reviewed = true" in capsys.readouterr().err


def test_the_project_in_the_folder_of_the_table_is_found(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("describe", survey, "--json") == 0
    printed = capsys.readouterr()
    roles = {column["name"]: column["role"] for column in json.loads(printed.out)["columns"]}
    assert roles["sex"] == "key"
    assert "read as survey.sudare.toml says." in printed.err
    assert leave("describe", survey, "--json", "--no-project") == 0
    told = json.loads(capsys.readouterr().out)
    assert {column["role"] for column in told["columns"]} == {"other"}


def test_a_project_needs_no_table_on_the_line(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert leave("describe", "-p", project) == 0
    monkeypatch.chdir(project.parent)
    assert leave("describe") == 0
    assert leave("describe", "--no-project") == 2
    assert "give a table, or a project" in capsys.readouterr().err


def test_two_projects_of_one_table_are_both_named(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = project.with_name("other.sudare.toml")
    other.write_text(project.read_text(encoding="utf-8"), encoding="utf-8")
    assert leave("describe", survey) == 2
    error = capsys.readouterr().err
    assert "other.sudare.toml, survey.sudare.toml; say which one with -p." in error
    assert leave("describe", survey, "-p", other) == 0


def test_the_project_of_another_table_is_not_used_silently(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = sudare.write(sudare.datasets.toy(), survey.with_name("other.csv"))
    assert leave("describe", other, "--json") == 0
    printed = capsys.readouterr()
    assert {column["role"] for column in json.loads(printed.out)["columns"]} == {"other"}
    assert "survey.sudare.toml is for another table" in printed.err
    assert leave("describe", other, "-p", project, "--json") == 0
    assert '"key"' in capsys.readouterr().out


def test_a_masked_file_measured_by_itself_is_not_taken_for_the_original(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = project.read_text(encoding="utf-8").replace(
        'encoding = "utf-8"', 'encoding = "ascii"', 1
    )
    project.write_text(text, encoding="utf-8")
    masked = survey.with_name("masked.csv")
    lines = survey.read_text(encoding="utf-8").splitlines()
    masked.write_text("\n".join([lines[0], *(f"…{line}" for line in lines[1:])]), encoding="utf-8")
    assert leave("measure", masked, "-p", project, "-m", "k-anonymity") == 0
    told = capsys.readouterr().err
    assert "masked.csv is not the table of" in told
    assert leave("measure", masked, "-k", "sex", "-m", "k-anonymity") == 0
    assert "may be its masked file" in capsys.readouterr().err
    assert leave("measure", masked, "--encoding", "cp932") == 2
    told = capsys.readouterr().err
    assert "encoding='utf-8' (--encoding utf-8)" in told


def test_options_override_the_project(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("-k", "income", "--identifier", "condition", "--scale", "age=ordinal")
    assert leave("describe", survey, *words, "--json") == 0
    columns = {c["name"]: c for c in json.loads(capsys.readouterr().out)["columns"]}
    keys = [name for name, c in columns.items() if c["role"] == "key"]
    assert keys == ["sex", "age", "region", "education", "occupation", "income"]
    identifiers = [name for name, c in columns.items() if c["role"] == "identifier"]
    assert identifiers == ["id", "condition"]  # those of the project stay
    assert columns["age"]["scale"] == "ordinal"


def test_a_project_that_is_not_reviewed_releases_nothing(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = project.read_text(encoding="utf-8").replace("reviewed = true", "reviewed = false")
    project.write_text(text, encoding="utf-8")
    output, folder = survey.with_name("masked.csv"), survey.with_name("release")
    assert leave("mask", survey, "-o", output, "--recipe", "coarse") == 2
    assert leave("report", survey, "--folder", folder, "--recipe", "coarse") == 2
    assert not output.exists()
    assert not folder.exists()
    capsys.readouterr()
    assert leave("describe", survey) == 0
    assert "is not reviewed yet: it holds proposals." in capsys.readouterr().err


def test_mask_measure_and_report_by_recipe_and_limits_of_the_project(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = sudare.Project.open(project).edited(
        {
            "columns": {"household": {"role": "identifier"}},
            "limits": {"keep": ["k-anonymity >= 3"]},
            "release": {"encoding": "cp932"},
            "report": {"title": "集計表"},
        }
    )
    made.save()
    masked = tmp_path / "masked.csv"
    assert leave("mask", "-p", project, "-o", masked) == 2
    assert "several recipes: coarse, random" in capsys.readouterr().err
    assert leave("mask", "-p", project, "-o", masked, "--recipe", "coarse", "--seed", 1) == 0
    assert "id" not in sudare.read(masked)
    capsys.readouterr()
    assert leave("measure", made.source, masked, "-m", "uniques", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    values = {result["measure"]: result["value"] for result in told["results"]}
    assert values["Uniques"] == 0
    assert values["KAnonymity"] >= 3
    folder = tmp_path / "release"
    assert leave("report", "-p", project, "--recipe", "random", "--folder", folder) == 1
    assert leave("report", "-p", project, "--recipe", "coarse", "--folder", folder) == 0
    (folder / "masked.csv").read_text(encoding="cp932")
    assert "集計表" in (folder / "report.html").read_text(encoding="utf-8")


def test_mask_writes_nothing_that_misses_a_limit_of_the_project_or_the_line(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    changes = {
        "columns": {"household": {"role": "identifier"}},
        "limits": {"keep": ["k-anonymity >= 3"]},
    }
    sudare.Project.open(project).edited(changes).save()
    recipe = tmp_path / "mild.toml"
    recipe.write_text('[[steps]]\nmethod = "rounding"\ncolumns = ["age"]\n', encoding="utf-8")
    output = tmp_path / "rounded.csv"
    words = ("mask", "-p", project, "-o", output, "--recipe", recipe)
    capsys.readouterr()
    assert leave(*words) == 1
    assert "the limit k-anonymity >= 3 is not met" in capsys.readouterr().err
    assert not output.exists()
    assert leave(*words, "--limit", "k-anonymity >= 1", "--json") == 0
    (judged,) = json.loads(capsys.readouterr().out)["limits"]
    assert (judged["limit"], judged["kept"]) == ("k-anonymity >= 1", True)


def test_a_review_is_written_and_its_code_says_whether_the_gate_would_stop(
    project: Path, tmp_path: Path
) -> None:
    words = (
        "report",
        "-p",
        project,
        "--recipe",
        "coarse",
        "-m",
        "uniques",
        "--review",
        "--seed",
        1,
    )
    assert leave(*words, "--folder", tmp_path / "stopped") == 1
    left_out = {"columns": {"household": {"role": "identifier"}}}
    sudare.Project.open(project).edited(left_out).save()
    assert leave(*words, "--folder", tmp_path / "passed") == 0
    files = [{path.name for path in (tmp_path / name).iterdir()} for name in ("stopped", "passed")]
    assert files[0] == {"report.html", "recipe.toml"}  # no list of categories that may not leave
    assert files[1] == {"report.html", "recipe.toml", "codebook.xml"}


def test_measure_reads_a_masked_table_whose_values_are_intervals(
    survey: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = {
        "household": {"role": "identifier"},
        "age": {"type": "number"},
        "education": {"order": EDUCATION},
    }
    sudare.Project.open(project).edited({"columns": columns}).save()
    masked = survey.with_name("masked.csv")
    assert leave("mask", survey, "-o", masked, "--recipe", "coarse", "--seed", 1) == 0
    capsys.readouterr()
    assert leave("measure", survey, masked, "-m", "k-anonymity", "--json") == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["value"] >= 3


EDUCATION = ["primary", "secondary", "college", "university", "graduate"]


def test_compare_takes_all_recipes_and_measures_of_the_project(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sudare.Project.open(project).edited(
        {"measures": {"risk": ["uniques"], "loss": ["direct-comparison"]}}
    ).save()
    assert leave("compare", "-p", project, "--seed", 1, "--json") == 0
    rows = json.loads(capsys.readouterr().out)["recipes"]
    assert [row["recipe"] for row in rows] == ["coarse", "random"]
    assert set(rows[0]) == {"recipe", "Uniques", "DirectComparison"}
    assert leave("compare", "-p", project, "--recipe", "random", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["recipes"]) == 1


def test_search_takes_limits_and_losses_of_the_project(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("search", "-p", project, "--method", "full-domain", "--trials", 2, "--seed", 1)
    assert leave(*words) == 2
    assert "needs a limit" in capsys.readouterr().err
    sudare.Project.open(project).edited(
        {"limits": {"keep": ["uniques <= 0.9"]}, "measures": {"loss": ["direct-comparison"]}}
    ).save()
    assert leave(*words, "--json") in {0, 1}
    assert json.loads(capsys.readouterr().out)["tried"] >= 1


def test_a_project_may_name_files_outside_its_folder_only_where_allowed(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    path = inner / "x.sudare.toml"
    assert leave("init", survey, "-o", path) == 2
    assert "--allow-path" in capsys.readouterr().err
    assert leave("init", survey, "-o", path, "--allow-path", tmp_path) == 0
    assert leave("describe", "-p", path) == 2
    assert leave("describe", "-p", path, "--allow-path", tmp_path) == 0


def test_studies_read_the_project(project: Path, tmp_path: Path) -> None:
    words = ("--column", "sex", "--column", "region", "--share", "0.2", "--folder", tmp_path / "s")
    assert leave("study", "recoding", "-p", project, *words) == 0
    assert leave("study", "recoding", "-p", project, "--dataset", "census-like") == 2


def test_the_private_file_of_a_project_makes_a_seed_fit_for_a_release(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    accepted = (
        *("--confirm", "twin:household,region", "--confirm", "exact-numbers:age"),
        *("--confirm", "undeclared-key:sex,age,occupation,region,education"),
    )
    words = ("mask", "-p", project, "--recipe", "random", "--seed", 1, *accepted)
    first, again, other = (tmp_path / f"{name}.csv" for name in ("first", "again", "other"))
    assert leave(*words, "-o", first) == 0
    secret = project.with_name("survey.sudare.secret")
    assert secret.stat().st_mode & 0o777 == 0o600
    assert leave(*words, "-o", again) == 0
    assert first.read_bytes() == again.read_bytes()
    secret.unlink()
    assert leave(*words, "-o", other) == 0
    assert first.read_bytes() != other.read_bytes()
    assert "trial" not in capsys.readouterr().err
    assert leave(*words, "-o", other, "--save-recipe", secret, "--force") == 2
    assert "is a file that is read" in capsys.readouterr().err


def test_a_short_seed_without_a_private_file_is_called_a_trial(
    survey: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = ("-k", "sex", "--sensitive", "income", "--identifier", "id", "--identifier", "age")
    accepted = ("--confirm", "undeclared-key:region,education,occupation")
    output = ("--step", "pram", "-o", tmp_path / "masked.csv", *accepted)
    words = ("mask", survey, *table, "--household", "household", "--weights", "weight", *output)
    assert leave(*words, "--seed", 1, "--force") == 1
    assert "This is a trial, not to be handed out" in capsys.readouterr().err
    assert leave(*words, "--seed", 1, "--secret", tmp_path / "own.secret", "--force") == 0
    assert "trial" not in capsys.readouterr().err
    assert leave(*words, "--force") == 0
    assert "trial" not in capsys.readouterr().err
