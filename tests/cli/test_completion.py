"""What a shell is told to complete, and what installing this says."""

from pathlib import Path

import pytest

from sudare.cli import main


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("measure -m k-", "k-anonymity"),
        ("compare -m k-", "k-anonymity"),
        ("report -m k-", "k-anonymity"),
        ("mask --step mond", "mondrian"),
        ("history mask --step coarse", "coarse-dates"),
    ],
)
def test_names_of_methods_are_completed(
    typed: str, completed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_SUDARE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"sudare {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    with pytest.raises(SystemExit):
        main([])
    assert completed in capsys.readouterr().out.split()


def test_installing_completion_answers_in_the_language_of_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    for home in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(home, str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["--install-completion", "fish", "--lang", "ja"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == "補完を設定しました。これから開く端末で使えます。\n"
    assert (tmp_path / ".config/fish/completions/sudare.fish").exists()
