"""``sudare contest`` as it is typed."""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sudare.cli import main
from sudare.contest import Contest, Phase
from sudare.datasets import purchases_like
from sudare.transactions import MaskedHistory, write_history, write_masked

PASSWORD = "correct horse battery"  # noqa: S105


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDARE_LANG", "en")
    monkeypatch.delenv("SUDARE_REFEREE_PASSWORD", raising=False)


@pytest.fixture
def original(tmp_path: Path) -> Path:
    history = purchases_like(12, seed=3)
    write_history(history, tmp_path / "T.csv")
    write_masked(MaskedHistory.of(history), tmp_path / "A.csv")
    return tmp_path / "T.csv"


def sudare(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([str(word) for word in words])
    return int(end.value.code or 0)


def test_a_contest_is_made_and_led_through_its_phases(
    tmp_path: Path, original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "contest"
    assert sudare("contest", "new", folder, "--data", original, "--title", "Spring") == 0
    password = re.search(r"password: (\S+)", capsys.readouterr().err)
    assert password is not None
    with Contest.open(folder) as contest:
        assert contest.rules.title == "Spring"
        assert contest.login("referee", password[1], "here")
    seen = []
    for _ in range(6):
        assert sudare("contest", "close-phase", folder, "--json") == 0
        seen.append(json.loads(capsys.readouterr().out)["phase"])
    assert seen == [str(phase) for phase in contest.rules.phases[1:]]
    assert sudare("contest", "close-phase", folder) == 2
    assert "no phase after" in capsys.readouterr().err
    assert sudare("contest", "close-phase", folder, "--open", "final-masking") == 0
    assert "'final-masking' is open" in capsys.readouterr().err
    assert sudare("contest", "close-phase", folder, "--open", "final-making") == 2
    assert "did you mean 'final-masking'" in capsys.readouterr().err


def test_whoever_leaves_the_schedule_is_told_what_it_will_not_open(
    tmp_path: Path, original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules.toml").write_text(
        "[schedule.final-attack]\nopens = 2018-09-27T09:00:00Z\n", encoding="utf-8"
    )
    words = ("--data", original, "--rules", tmp_path / "rules.toml")
    assert sudare("contest", "new", tmp_path / "contest", *words) == 0
    assert sudare("contest", "close-phase", tmp_path / "contest", "--open", "final-masking") == 0
    assert "not open by themselves; use --open: final-attack." in capsys.readouterr().err


def test_results_say_that_files_are_still_being_evaluated(
    tmp_path: Path, original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "contest"
    assert sudare("contest", "new", folder, "--data", original) == 0
    with Contest.open(folder) as contest:
        team = contest.register("Saba", PASSWORD)
        contest.open_phase(Phase.FINAL_MASKING)
        contest.accept_mask(team, tmp_path / "A.csv", "A.csv")
    assert sudare("contest", "results", folder) == 0
    assert "Files still being scored: 1." in capsys.readouterr().err
    assert sudare("contest", "results", folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)["waiting"] == 1


def test_what_cannot_be_a_contest_is_refused(
    tmp_path: Path, original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sudare("contest", "serve", tmp_path / "nowhere") == 2
    assert "there is no contest" in capsys.readouterr().err
    assert sudare("contest", "new", tmp_path, "--data", original) == 2
    assert "needs a new folder" in capsys.readouterr().err
    original.write_text("1,2,3\n")
    assert sudare("contest", "new", tmp_path / "c", "--data", original) == 2
    assert "3 cells instead of 5" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


def test_a_folder_that_fails_is_left_as_it_was(
    tmp_path: Path, original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    history = original.read_text()
    original.write_text("1,2,3\n")
    for name in ("link", "empty"):
        assert sudare("contest", "new", tmp_path / name, "--data", original) == 2
        assert "3 cells instead of 5" in capsys.readouterr().err
        assert list((tmp_path / name).iterdir()) == []
    original.write_text(history)
    assert sudare("contest", "new", original / "c", "--data", original) == 2
    assert "cannot create a contest in" in capsys.readouterr().err
    assert sudare("contest", "new", tmp_path / "link", "--data", original) == 0


def test_a_folder_in_which_something_is_broken_is_named(
    tmp_path: Path, original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "contest"
    assert sudare("contest", "new", folder, "--data", original) == 0
    (folder / "secret").rename(tmp_path / "secret")
    assert sudare("contest", "results", folder) == 2
    assert "cannot be opened: No such file or directory (secret)" in capsys.readouterr().err
    (tmp_path / "secret").rename(folder / "secret")
    (folder / "contest.db").write_bytes(b"no database" * 1000)
    assert sudare("contest", "results", folder) == 2
    assert "the database cannot be opened: file is not a database" in capsys.readouterr().err


def test_a_contest_is_open_only_where_it_can_be_reached(
    tmp_path: Path, original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sudare("contest", "new", tmp_path / "contest", "--data", original) == 0
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert sudare("contest", "serve", tmp_path / "contest", "--port", port) == 2
    printed = capsys.readouterr().err
    assert f"cannot listen at 127.0.0.1, port {port}: Address already in use" in printed
    assert "is open at" not in printed


def test_the_passwords_of_database_and_referee_are_not_printed(
    tmp_path: Path,
    original: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SUDARE_REFEREE_PASSWORD", PASSWORD)
    assert sudare("contest", "new", tmp_path / "c", "--data", original, "--json") == 0
    assert json.loads(capsys.readouterr().out)["password"] is None
    address = "postgresql://me:hush@127.0.0.1:1/none"
    words = ("--data", original, "--database", address)
    assert sudare("contest", "new", tmp_path / "d", *words) == 2
    assert "hush" not in capsys.readouterr().err


def test_without_the_extra_a_contest_says_what_to_install(tmp_path: Path, original: Path) -> None:
    code = (
        "import sys; sys.modules['argon2'] = None\n"
        "from sudare.cli import main\n"
        f"main(['contest', 'new', {str(tmp_path / 'c')!r}, '--data', {str(original)!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'sudare[contest]'" in done.stderr
