"""``sudare contest`` as it is typed."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sudare.contest import Contest, ContestRules
from sudare.contest.client import Client
from sudare.datasets import purchases_like
from sudare.faces.cli import main
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


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Serve a contest in a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["contest", "serve", str(folder), "--port", str(port), "--workers", "1"]
    server = subprocess.Popen([sys.executable, "-m", "sudare", *words], stderr=subprocess.DEVNULL)
    try:
        while True:
            assert server.poll() is None
            try:
                httpx.get(f"http://127.0.0.1:{port}", timeout=60)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield server, f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def workers_of(server: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes that a server has started."""
    found = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text()
    return [int(number) for number in found.split()]


def gone(process: int) -> bool:
    """Return whether a process has ended within some seconds."""
    for _ in range(600):
        try:
            os.kill(process, 0)
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
def test_a_killed_server_loses_nothing_and_a_restarted_one_goes_on(
    tmp_path: Path, original: Path
) -> None:
    folder = tmp_path / "contest"
    with Contest.create(
        folder, ContestRules(rounds=("final",)), original, password=PASSWORD
    ) as contest:
        contest.register("alpha", PASSWORD)
        contest.close_phase()
        with served(folder) as (server, url):
            workers = workers_of(server)
            client = Client(url, "alpha", PASSWORD)
            accepted = client.submit_mask(tmp_path / "A.csv")

            def torn() -> Iterator[bytes]:
                yield (tmp_path / "A.csv").read_bytes()[:1000]
                server.send_signal(signal.SIGKILL)
                yield b"too late\n"

            with pytest.raises(httpx.TransportError):
                client._http.post("masks?filename=B.csv", content=torn())
            client._http.close()
            assert all(gone(worker) for worker in workers), "workers do not outlive their server"
        assert [entry.id for entry in contest.entries(contest.referee())] == [accepted["id"]]
        with served(folder) as (server, url):
            with Client(url, "alpha", PASSWORD) as client:
                assert client.wait(accepted["id"], every=0.1)["status"] == "accepted"
            workers = workers_of(server)
            server.send_signal(signal.SIGTERM)
            assert server.wait() == 0
            assert all(gone(worker) for worker in workers)
        assert contest.progress().done == 1


def test_without_the_extra_a_contest_says_what_to_install(tmp_path: Path, original: Path) -> None:
    code = (
        "import sys; sys.modules['argon2'] = None\n"
        "from sudare.faces.cli import main\n"
        f"main(['contest', 'new', {str(tmp_path / 'c')!r}, '--data', {str(original)!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'sudare[contest]'" in done.stderr
