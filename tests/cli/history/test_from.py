"""``sudare history from``."""

import json
from pathlib import Path

import pytest

from tests.cli.test_cli import leave

TABLE = """member,day,jan,price,units,store
1001.0,2024-04-01 10:20:00,4901234567894,120,2.0,Shibuya
1002.0,2024-05-01 10:20:00,4901234567000,98.5,1,Shibuya
,2024-05-03 10:20:00,4901234567000,98.5,1,Shibuya
"""
NAMES = tuple(
    word
    for name in ("customer=member", "date=day", "item=jan", "quantity=units")
    for word in ("--column", name)
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_table_becomes_a_history_that_other_commands_take(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "T.csv"
    assert leave("history", "from", table, "-o", history, *NAMES, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["rows"], printed["left_out"]) == (2, {"no customer": 1})
    assert printed["unused_columns"] == ["store"]
    assert history.read_text().startswith("1001,2024/4/1,4901234567894,120,2\n")
    masked = ("-o", tmp_path / "A.csv", "--step", "coarse-dates", "--internal")
    assert leave("history", "mask", history, "--rules", printed["rules"], *masked) == 0


def test_columns_that_are_not_there_are_asked_for(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave("history", "from", table, "-o", tmp_path / "T.csv") == 2
    assert "--column customer=NAME" in capsys.readouterr().err
    assert leave("history", "from", table, "-o", tmp_path / "T.csv", "--column", "who=member") == 2
    assert not (tmp_path / "T.csv").exists()
