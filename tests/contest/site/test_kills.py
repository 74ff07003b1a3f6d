"""The server is killed while files arrive: what it accepted is there afterwards."""

import hashlib
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import pytest
import uvicorn
from hypothesis import given, note, settings, strategies as st
from sqlalchemy import func, select
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudare.contest import Contest, Phase
from sudare.contest.client import Client, UnreachableError
from sudare.contest.scoring.worker import Worker
from sudare.contest.site import create_app
from sudare.contest.storage.database import ResultRow
from tests.contest.conftest import NewAddress
from tests.contest.lives import EXAMPLES, Life, later, points
from tests.contest.site import material
from tests.contest.site.commands import served
from tests.contest.site.serving import PASSWORD, RULES, no_rate_limit

pytestmark = pytest.mark.xdist_group("server-kills")
FILES = {f"{level}.csv": material.masked(level, level=level) for level in range(3)}


def made(folder: Path, original: Path, address: str) -> Path:
    """Make a contest in which teams may send masked files."""
    rules = replace(RULES, database=address)
    with Contest.create(folder, rules, original, password=PASSWORD) as contest:
        contest.register("Iwashi", PASSWORD)
        contest.open_phase(Phase.FINAL_MASKING)
    return folder


@dataclass(frozen=True)
class Ticking:
    """An application of which every message in and out is an event."""

    app: ASGIApp
    life: Life

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_counted() -> Message:
            message = await receive()
            self.life.tick()
            return message

        async def send_counted(message: Message) -> None:
            self.life.tick()
            await send(message)
            self.life.tick()

        await self.app(scope, receive_counted, send_counted)


@dataclass
class Team:
    """A team that sends its files whenever there is a server."""

    folder: Path
    token: str = ""
    told: dict[str, int] = field(default_factory=dict)

    def meet(self, dies_at: int | None = None) -> Life:
        """Start a server and send it what was not accepted yet, until it dies or all is sent."""
        with socket.create_server(("127.0.0.1", 0)) as listening:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            life = Life(lambda life: self._serve(life, listening), dies_at)
        with suppress(httpx.TransportError), httpx.Client(base_url=url, timeout=60) as http:
            self._log_in(http)
            for name, content in FILES.items():
                if name not in self.told:
                    answer = http.post(f"/api/masks?filename={name}", content=_pieces(content))
                    assert answer.status_code == 202
                    self.told[name] = answer.json()["id"]
            seen = {entry["id"] for entry in http.get("/api/entries").json()}
            assert set(self.told.values()) <= seen
        life.end()
        return life

    def _log_in(self, http: httpx.Client) -> None:
        if not self.token:
            who = {"team": "Iwashi", "password": PASSWORD}
            self.token = http.post("/api/sessions", json=who).json()["token"]
        http.headers["authorization"] = f"Bearer {self.token}"  # holds with the next server too

    def _serve(self, life: Life, listening: socket.socket) -> None:
        contest = life.watch(Contest.open(self.folder))
        app = create_app(contest, logins=no_rate_limit(), uploads=no_rate_limit())
        config = uvicorn.Config(Ticking(app, life), log_level="critical", lifespan="off")
        uvicorn.Server(config).run(sockets=[listening])


def _pieces(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), 400):
        yield content[start : start + 400]


def nothing_is_lost_or_scored_twice(folder: Path, told: dict[str, int]) -> None:
    """Everything that was accepted is whole, and is scored once."""
    with Contest.open(folder, clock=lambda: time.time() + later(1)) as contest:
        Worker(contest).run(until_idle=True)
        entries = {entry.id: entry for entry in contest.entries(contest.referee())}
        with contest.database.reading() as session:
            results = session.scalar(select(func.count()).select_from(ResultRow))
        assert results == len(entries)
        assert {entry.status for entry in entries.values()} <= {"accepted"}
        for entry in entries.values():
            content = contest.store.path(entry.file).read_bytes()
            assert hashlib.sha256(content).hexdigest() == entry.file
        for name, number in told.items():
            assert contest.store.path(entries[number].file).read_bytes() == FILES[name]
            assert entries[number].filename == name


@pytest.fixture(scope="module")
def events(
    tmp_path_factory: pytest.TempPathFactory, original: Path, new_address: NewAddress
) -> int:
    """How many there are for a server that nobody kills."""
    team = Team(made(tmp_path_factory.mktemp("kills") / "contest", original, new_address()))
    seen = team.meet().events
    assert len(team.told) == len(FILES)
    nothing_is_lost_or_scored_twice(team.folder, team.told)
    return seen


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES)
def test_a_server_keeps_all_that_it_accepted_wherever_it_is_killed(
    tmp_path_factory: pytest.TempPathFactory,
    original: Path,
    new_address: NewAddress,
    events: int,
    seed: int,
) -> None:
    team = Team(made(tmp_path_factory.mktemp("kills") / "contest", original, new_address()))
    for point in points(seed, events):
        note(f"killed at {point} of {events}")
        team.meet(point)
    team.meet()
    assert len(team.told) == len(FILES)
    nothing_is_lost_or_scored_twice(team.folder, team.told)


class Sender(threading.Thread):
    """A team that sends a file again and again until the server is gone."""

    def __init__(self, url: str, path: Path) -> None:
        super().__init__()
        self.url, self.path = url, path
        self.begun = threading.Event()
        self.accepted: list[int] = []

    def run(self) -> None:
        try:
            with suppress(UnreachableError), Client(self.url, "Iwashi", PASSWORD) as client:
                self.begun.set()
                while True:
                    self.accepted.append(client.submit_mask(self.path)["id"])
                    time.sleep(0.05)
        finally:
            self.begun.set()


@pytest.mark.parametrize(("seconds", "workers"), [(0.1, 0), (1.0, 1)])
def test_the_command_is_killed_while_files_arrive_and_are_evaluated(
    tmp_path: Path, original: Path, address: str, seconds: float, workers: int
) -> None:
    folder, path = made(tmp_path / "contest", original, address), tmp_path / "0.csv"
    path.write_bytes(FILES[path.name])
    with served(folder, workers=workers) as (process, url):
        sender = Sender(url, path)
        sender.start()
        sender.begun.wait()
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        sender.join()
    for number in sender.accepted:
        nothing_is_lost_or_scored_twice(folder, {path.name: number})
