"""The commands for purchase histories, by the rules of a contest."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

import sudare
from sudare.transactions import MaskedHistory, write_history, write_masked
from tests.cli.test_cli import leave

RULES = """
title = "Our contest"
bound = "tight"

[history]
first_date = 2024-01-01
last_date = 2025-12-31
set_size = 2
"""
FOURTEEN_YEARS = (date(2024, 1, 1) - date(2010, 1, 1)).days

ALONE = "exact-numbers:date,item,price,quantity"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sudare.datasets.purchases_like(20, seed=2)
    history = replace(before, dates=before.dates + FOURTEEN_YEARS)
    monkeypatch.chdir(tmp_path)
    write_history(history, Path("T.csv"))
    write_masked(MaskedHistory.of(history), Path("A.csv"))
    Path("contest.toml").write_text(RULES)
    Path("months.toml").write_text('[[steps]]\nmethod = "coarse-dates"\n')


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("check T.csv A.csv", 0),
        ("score T.csv A.csv", 0),
        ("attack T.csv A.csv", 1),
        ("mask T.csv -o B.csv --internal --step coarse-dates --seed 1", 0),
        ("compare T.csv --recipe months.toml --seed 1", 0),
        ("search T.csv --limit cell-error<2 --lose cell-error --method coarse-dates --trials 2", 0),
        (
            f"report T.csv --recipe months.toml --folder out -m cell-error --confirm {ALONE}",
            0,
        ),
        ("study T.csv A.csv --samples 1", 0),
    ],
)
def test_every_command_reads_a_history_by_the_rules_of_its_contest(words: str, code: int) -> None:
    assert leave("history", *words.split()) == 2
    assert leave("history", *words.split(), "--rules", "contest.toml") == code


@pytest.mark.usefixtures("files")
def test_what_is_masked_passes_the_check_of_the_contest(capsys: pytest.CaptureFixture[str]) -> None:
    ours = ["--rules", "contest.toml"]
    steps = ["--step", "customer-anonymity: k = 3", "--step", "coarse-dates"]
    assert leave("history", "mask", "T.csv", "-o", "B.csv", *steps, "--internal", *ours) == 0
    assert leave("history", "check", "T.csv", "B.csv", *ours) == 0
    capsys.readouterr()
    assert leave("history", "attack", "T.csv", "A.csv", "--json", *ours) == 1
    assert json.loads(capsys.readouterr().out)["bound"] == "tight"


@pytest.mark.usefixtures("files")
def test_a_score_counts_columns_as_the_contest_does(capsys: pytest.CaptureFixture[str]) -> None:
    Path("items.toml").write_text(RULES + "[weights]\ndate = 0\nprice = 0\nquantity = 0\n")
    steps = ["--step", "coarse-dates", "--rules", "contest.toml", "--seed", 1]
    assert leave("history", "mask", "T.csv", "-o", "B.csv", "--internal", *steps) == 0
    capsys.readouterr()
    scores = {}
    for rules in ("contest.toml", "items.toml"):
        assert leave("history", "score", "T.csv", "B.csv", "--json", "--rules", rules) == 0
        scores[rules] = json.loads(capsys.readouterr().out)["value"]
    assert scores["contest.toml"] > scores["items.toml"] == 0
    options = ["compare", "T.csv", "--recipe", "months.toml", "--seed", 1, "--json"]
    assert leave("history", *options, "--rules", "items.toml") == 0
    assert '"CellError": 0.0' in capsys.readouterr().out
