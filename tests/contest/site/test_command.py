"""``sudare contest new``, ``serve``, ``close-phase`` and ``results`` on either database."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sudare.contest import Contest
from sudare.contest.client import Client
from sudare.web import listening
from tests.contest.site import material
from tests.contest.site.commands import served, told
from tests.contest.site.serving import PASSWORD


def workers_of(server: int) -> list[int]:
    """Return the processes that a server has started."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text()
    return [int(number) for number in children.split()]


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


def founded(folder: Path, original: Path, address: str) -> Path:
    """Make a contest of one round."""
    (folder / "rules.toml").write_text('rounds = ["final"]\n[limits]\nsamples = 0\n')
    files = ["--data", original, "--rules", folder / "rules.toml"]
    database = ["--database", address] if address else []
    assert told("new", folder / "contest", *files, *database)["referee"] == "referee"
    assert (folder / "contest" / "contest.db").exists() == (address == "")
    return folder / "contest"


def register(url: str, *teams: str) -> None:
    """Register teams."""
    for team in teams:
        account = {"team": team, "password": PASSWORD}
        assert httpx.post(f"{url}/api/teams", json=account, timeout=60).status_code == 201


def send_half(client: Client, content: bytes, server: subprocess.Popen[bytes]) -> None:
    """Send the first half of a file, kill the server, and go on sending."""

    def torn() -> Iterator[bytes]:
        yield content[: len(content) // 2]
        server.send_signal(signal.SIGKILL)
        yield content[len(content) // 2 :]

    with pytest.raises(httpx.TransportError):
        client._http.post("masks?filename=B.csv", content=torn())
    client._http.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
def test_a_contest_is_held_on_the_command_line_though_its_server_is_killed(
    tmp_path: Path, original: Path, address: str
) -> None:
    folder, mask = founded(tmp_path, original, address), tmp_path / "A.csv"
    mask.write_bytes(material.masked(3))
    with served(folder, workers=1) as (server, url):
        register(url, "Iwashi", "Saba")
        assert told("close-phase", folder) == {"phase": "final-masking", "open": True}
        client = Client(url, "Iwashi", PASSWORD)
        accepted = client.submit_mask(mask)["id"]
        assert client.wait(accepted, every=0.1)["status"] == "accepted"
        workers = workers_of(server.pid)
        send_half(client, mask.read_bytes(), server)
        assert all(gone(worker) for worker in workers), "workers do not outlive their server"
    with served(folder, workers=1) as (server, url):
        with Client(url, "Iwashi", PASSWORD) as client:
            assert [entry["id"] for entry in client.status()["entries"]] == [accepted]
        attack_and_end(folder, url, tmp_path / "F.csv")
        workers = workers_of(server.pid)
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
        assert all(gone(worker) for worker in workers)
    results = told("results", folder, "--round", "final")
    [line], [hit] = results["leaderboard"], results["hits"]
    assert (line["team"], line["score"], line["hits"]) == ("Iwashi", 0.0, 1)
    assert (hit["attacker"], hit["right"]) == ("Saba", 12)


def attack_and_end(folder: Path, url: str, path: Path) -> None:
    """Let a team attack, and close the round."""
    path.write_bytes(material.attack(3))
    with Contest.open(folder) as contest:
        contest.close_phase()
    with Client(url, "Saba", PASSWORD) as client:
        attack = client.submit_attack("Iwashi", path)
        assert client.wait(attack["id"], every=0.1)["named"] == 12
    with Contest.open(folder) as contest:
        contest.close_phase()


def test_small_answers_leave_at_once() -> None:
    with listening("127.0.0.1", 0) as door:
        assert door.proto == socket.IPPROTO_TCP  # without it, asyncio lets them wait for 40 ms
