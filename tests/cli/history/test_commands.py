"""``sudare history`` as a user runs it."""

import json
from pathlib import Path

import pytest

import sudare
from sudare.transactions import read_history, read_masked, write_history
from tests.cli.test_cli import leave

ALONE = "exact-numbers:date,item,price,quantity"


@pytest.fixture
def original(tmp_path: Path) -> Path:
    path = tmp_path / "T.csv"
    write_history(sudare.datasets.purchases_like(8, seed=2), path)
    return path


def test_a_history_is_masked_checked_and_scored(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    masked, out = tmp_path / "A.csv", tmp_path / "B.csv"
    words = ["--step", "coarse-dates", "--step", "row-deletion: share = 0.2"]
    words += ["--confirm", ALONE]
    assert leave("history", "mask", original, "-o", masked, "--published", out, *words) == 0
    assert read_masked(masked).rows == read_history(original).rows > read_masked(out).rows
    assert leave("history", "check", original, masked) == 0
    assert "valid" in capsys.readouterr().err
    assert leave("history", "score", original, masked, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert 0 < printed["value"] < 1
    assert set(printed["parts"]) == {"date", "item", "price", "quantity"}
    assert leave("history", "score", original, masked, "--at-most", "0.001") == 1
    assert leave("history", "mask", original, "-o", masked, "--step", "pseudonyms") == 2


def test_a_masked_history_passes_the_gate_or_is_not_for_release(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    masked, out = tmp_path / "A.csv", tmp_path / "B.csv"
    words = ("history", "mask", original, "-o", masked, "--step", "coarse-dates")
    assert leave(*words, "--published", out) == 1
    assert f"--confirm {ALONE}" in capsys.readouterr().err
    assert leave(*words, "--json") == 1
    assert "exact-numbers" in capsys.readouterr().out
    assert leave(*words, "--published", out, "--internal") == 2
    assert not masked.exists()
    assert not out.exists()
    assert leave(*words, "--internal") == 0
    assert "Do not release this file." in capsys.readouterr().err
    alike = ("--step", "customer-anonymity: k = 2", "--force")
    assert leave(*words[:-2], *alike, "--published", out) == 0
    assert out.exists()


def test_a_wrong_file_leaves_with_one_and_names_the_line(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "A.csv"
    lines = original.read_text().splitlines()
    lines[4] = lines[4].replace(",", ",[", 1)
    wrong.write_text("\n".join(lines))
    assert leave("history", "check", original, wrong) == 1
    assert "line 5, date: a range is written" in capsys.readouterr().err
    assert leave("history", "check", original, wrong, "--json") == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [(problem["line"], problem["column"]) for problem in problems] == [(5, "date")]
    assert leave("history", "score", original, wrong) == 2


def test_recipes_are_compared_with_a_report(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("month", "year"):
        recipe = sudare.Recipe(name, [sudare.transactions.CoarseDates(period=name)])
        recipe.write(tmp_path / f"{name}.toml")
    recipes = ["--recipe", tmp_path / "month.toml", "--recipe", tmp_path / "year.toml"]
    report = tmp_path / "map.html"
    assert leave("history", "compare", original, *recipes, "--report", report, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["recipe"] for row in printed["recipes"]] == ["month", "year"]
    assert "CoarseDates" in report.read_text() or "Dates to periods" in report.read_text()


@pytest.mark.parametrize("command", [("study", "history"), ("history", "study")])
def test_the_study_prints_its_tables_and_saves_them(
    command: tuple[str, str],
    original: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    masked, folder = tmp_path / "months.csv", tmp_path / "out"
    assert (
        leave("history", "mask", original, "-o", masked, "--internal", "--step", "coarse-dates")
        == 0
    )
    capsys.readouterr()
    words = (*command, original, masked, "--samples", 1, "--folder", folder)
    assert leave(*words, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["file"] for row in printed["table_7_items"]] == ["months", "correlation"]
    assert (folder / "report.html").exists()
    assert leave(*words) == 2  # the results are there already
    assert leave(*words, "--force") == 0
    assert "table_10_quantities" in capsys.readouterr().out


def test_the_study_takes_a_file_or_a_data_set(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("study", "history") == 2
    assert leave("study", "history", original, "--dataset", "purchases-like") == 2
    assert leave("study", "history", "--dataset", "census-like") == 2
    assert "purchases-like" in capsys.readouterr().err
    made = ("--dataset", "purchases-like", "--customers", 8, "--samples", 1)
    assert leave("study", "history", *made, "--folder", tmp_path / "made") == 0


def test_a_release_of_a_history(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipes = {
        "alike": [sudare.transactions.CustomerAnonymity(k=7)],  # safe by any draw
        "months": [sudare.transactions.CoarseDates()],
    }
    for name, maskers in recipes.items():
        sudare.Recipe(name, maskers).write(tmp_path / f"{name}.toml")  # type: ignore[arg-type]
    words = ["--recipe", tmp_path / "alike.toml", "--limit", "reidentification < 1"]
    words += ["--seed", 3, "--secret", tmp_path / "history.secret"]
    words += ["--compare", tmp_path / "months.toml", "--internal", tmp_path / "inside.html"]
    within = ["history", "report", original, "--folder", tmp_path / "out", *words[:2]]
    for option in ("--secret", "--internal"):
        assert leave(*within, option, tmp_path / "out" / "confidential") == 2
        assert f"{option} names a file in the folder of the release" in capsys.readouterr().err
    assert leave("history", "report", original, "--folder", tmp_path / "out", *words) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("ledger.json", "masked.csv", "recipe.toml", "report.html"),
    }
    assert '"recipe": "months"' in (tmp_path / "inside.html").read_text(encoding="utf-8")
    capsys.readouterr()
    words = ["--recipe", tmp_path / "months.toml", "--limit", "reidentification < 1", "--json"]
    assert leave("history", "report", original, "--folder", tmp_path / "no", *words) == 1
    assert json.loads(capsys.readouterr().out)["limits_missed"] == ["reidentification < 1"]
    assert not (tmp_path / "no").exists()
