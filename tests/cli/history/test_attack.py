"""``sudare history attack``."""

import json
from pathlib import Path

import pytest

from sudare.datasets import purchases_like
from sudare.transactions import MaskedHistory, RowDeletion, write_history, write_masked
from tests.cli.test_cli import leave


@pytest.fixture
def original(tmp_path: Path) -> Path:
    path = tmp_path / "T.csv"
    write_history(purchases_like(20, seed=2), path)
    return path


def test_an_effective_attack_leaves_with_1_and_names_nobody(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = purchases_like(20, seed=2)
    write_masked(MaskedHistory.of(history), tmp_path / "A.csv")
    secret = tmp_path / "secret.csv"
    assert leave("history", "attack", original, tmp_path / "A.csv", "--at-risk", secret) == 1
    shown = capsys.readouterr()
    assert "not safe" in shown.err
    assert "confidential" in shown.err
    assert not any(name in shown.out + shown.err for name in history.customer_ids)
    known = [line.split(",")[0] for line in secret.read_text().splitlines()]
    assert sorted(known) == list(history.customer_ids)


def test_a_file_of_nothing_leaves_with_0_and_tells_a_program_so(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = purchases_like(20, seed=2)
    write_masked(RowDeletion(share=1).mask(history), tmp_path / "A.csv")
    code = leave("history", "attack", original, tmp_path / "A.csv", "--json", "--bound", "tight")
    assert code == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["effective"] is False
    assert len(printed["attacks"]) == 22
    assert printed["attacks"][0]["needed"] == {"contest": 1, "tight": 1}


def test_files_that_do_not_belong_together_are_refused(original: Path, tmp_path: Path) -> None:
    write_masked(MaskedHistory.of(purchases_like(5, seed=9)), tmp_path / "A.csv")
    assert leave("history", "attack", original, tmp_path / "A.csv") == 2
