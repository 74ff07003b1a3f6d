"""``sudare contest serve`` is killed while files arrive: what it accepted is there afterwards."""

import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from sudare.contest import Contest, Phase
from sudare.contest.client import Client
from sudare.contest.worker import Worker
from tests.contest.server import material
from tests.contest.server.serving import PASSWORD, RULES


@contextmanager
def served(folder: Path, *, workers: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run the command in a process of its own, on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = ["contest", "serve", str(folder), "--port", str(port), "--workers", str(workers)]
    process = subprocess.Popen([sys.executable, "-m", "sudare", *words], stderr=subprocess.DEVNULL)
    try:
        while True:
            assert process.poll() is None, "the server did not start"
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def made(folder: Path, original: Path) -> Path:
    """Make a contest in which a team may send masked files."""
    contest = Contest.create(folder, RULES, original, password=PASSWORD)
    contest.register("Iwashi", PASSWORD)
    contest.open_phase(Phase.FINAL_MASKING)
    contest.close()
    return folder


class Sender(threading.Thread):
    """A team that sends a file again and again until the server is gone."""

    def __init__(self, url: str, path: Path) -> None:
        super().__init__()
        self.url, self.path = url, path
        self.begun = threading.Event()
        self.accepted: list[int] = []

    def run(self) -> None:
        with (
            suppress(httpx.TransportError),
            Client(self.url, "Iwashi", PASSWORD) as client,
        ):
            self.begun.set()
            while True:
                self.accepted.append(client.submit_mask(self.path)["id"])


@pytest.mark.parametrize(("seconds", "workers"), [(0.1, 0), (1.5, 1)])
def test_a_killed_server_has_kept_all_that_it_accepted(
    tmp_path: Path, original: Path, seconds: float, workers: int
) -> None:
    folder, path = made(tmp_path / "contest", original), tmp_path / "masked.csv"
    path.write_bytes(material.masked())
    with served(folder, workers=workers) as (process, url):
        sender = Sender(url, path)
        sender.start()
        sender.begun.wait()
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        sender.join()
    later = Contest.open(folder, clock=lambda: time.time() + 1000)  # leases have run out
    Worker(later).run(until_idle=True)
    entries = {entry.id: entry for entry in later.entries(later.referee())}
    assert set(sender.accepted) <= set(entries)
    assert {entry.status for entry in entries.values()} <= {"accepted"}
    for entry in entries.values():
        content = later.store.path(entry.file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry.file
        assert entry.score == 0
    later.close()


def test_the_command_ends_cleanly_when_it_is_told_to(tmp_path: Path, original: Path) -> None:
    folder = made(tmp_path / "contest", original)
    with served(folder, workers=1) as (process, url):
        assert httpx.get(url).status_code == 200
        process.terminate()
        assert process.wait(60) == 0
