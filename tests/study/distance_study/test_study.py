"""The distance study: the paper's figures, and the same question on anybody's columns."""

from pathlib import Path

import pytest

import sudare
from sudare.cli import main
from sudare.core.errors import ColumnError, SettingError
from sudare.study import distance

PARENTS = {"farming": "outdoor", "manual": "outdoor", "clerical": "office", "manager": "office"}
PARENTS |= {"sales": "service", "specialist": "office"}
PARENTS |= dict.fromkeys(("outdoor", "office", "service"), "any")


def test_the_papers_figures_stand_beside_ours() -> None:
    study = distance()
    assert [row["holds"] for row in study.tables["findings"]] == [True]
    assert [row["ILD (paper)"] for row in study.tables["paper"]][:4] == [0.2, 0.778, 1, 0.14285]
    assert "losses" not in study.tables


def test_numbers_and_trees_of_a_table_are_studied_and_the_rest_is_named() -> None:
    study = distance(sudare.datasets.toy(), k=[3, 10], trees={"occupation": PARENTS})
    assert all(row["holds"] for row in study.tables["findings"])
    studied = {row["column"] for row in study.tables["losses"]}
    assert studied == {"age", "income", "occupation"}
    assert study.left_out == ("sex", "region", "education", "condition")
    assert study.report().html().count('class="chart"') == 1


def test_categories_without_a_tree_are_refused_by_name() -> None:
    with pytest.raises(ColumnError, match="'region' holds categories; give it a tree"):
        distance(sudare.datasets.toy(), columns=["region"])


def test_groups_of_one_are_refused() -> None:
    with pytest.raises(SettingError, match="2 or more"):
        distance(k=[1])


def test_the_command_writes_the_study(tmp_path: Path) -> None:
    sudare.write(sudare.datasets.toy(), tmp_path / "survey.csv")
    folder = tmp_path / "out"
    words = ["study", "distance", str(tmp_path / "survey.csv"), "--at-least", "5"]
    words += ["--not-applicable", "not applicable"]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--column", "income", "--folder", str(folder)])
    assert ended.value.code == 0
    assert {path.name for path in folder.iterdir()} >= {"report.html", "losses.csv", "paper.csv"}
