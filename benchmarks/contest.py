"""The contest server: views of the leaderboard against a bare page, and the rush before a close.

Both are served by processes of their own and asked over the loopback by four connections at once.
"""

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sudare.contest import Contest, ContestRules, Phase
from sudare.contest.accounts import Account
from sudare.contest.client import Client
from sudare.contest.rules.contest_rules import ContestLimits
from sudare.contest.scoring.worker import Worker
from sudare.datasets import purchases_like
from sudare.transactions import (
    CoarseDates,
    ItemFamilies,
    PriceBands,
    Pseudonyms,
    write_history,
    write_masked,
)

PASSWORD = "correct horse battery"  # noqa: S105
WANTED = 200  # views of the leaderboard per second
CONNECTIONS = 4
HELLO = """
import sys, uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
app = FastAPI()
@app.get("/leaderboard", response_class=HTMLResponse)
def hello(): return "<p>hello</p>"
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def running(*command: str) -> Iterator[tuple[int, int]]:
    """Run a server until the block ends; give its port and the number of its process."""
    port = free_port()
    arguments = [part.replace("PORT", str(port)) for part in command]
    process = subprocess.Popen([sys.executable, *arguments], env={**os.environ, "LANG": "C"})
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def processor(process: int) -> float:
    """Return the seconds of processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def views(server: tuple[int, int], seconds: float) -> tuple[float, float]:
    """Return how many times the leaderboard is shown, a second and a second of processor time."""
    port, process = server
    used = processor(process)
    end = time.monotonic() + seconds
    counts = [0] * CONNECTIONS

    def look(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while time.monotonic() < end:
            connection.request("GET", "/leaderboard")
            answer = connection.getresponse()
            assert answer.status == 200
            answer.read()
            counts[number] += 1
        connection.close()

    threads = [threading.Thread(target=look, args=(number,)) for number in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds, sum(counts) / (processor(process) - used)


def prepare(folder: Path, teams: int, customers: int) -> list[Account]:
    """Make a contest in which every team has a masked file that counts."""
    history = purchases_like(customers)
    write_history(history, folder / "T.csv")
    rules = ContestRules(title="Rush", rounds=("final",), limits=ContestLimits(samples=1))
    contest = Contest.create(folder / "contest", rules, folder / "T.csv", password=PASSWORD)
    contest.open_phase(Phase.FINAL_MASKING)
    steps = (CoarseDates(), PriceBands(), ItemFamilies(prefix=4))
    for number in range(teams):
        team = contest.register(f"Team {number + 1}", PASSWORD, by=contest.referee())
        masked = Pseudonyms().mask(history, seed=number)
        for step in steps[: number % 4]:
            masked = step.mask(masked)
        path = folder / f"masked-{number}.csv"
        write_masked(masked, path)
        contest.accept_mask(team, path, path.name)
    Worker(contest).run(until_idle=True)
    contest.open_phase(Phase.FINAL_ATTACK)
    names = [*range(1, 1 + len(history.customer_ids))]
    guess = zip(names, history.customer_ids, strict=True)
    (folder / "attack.csv").write_text("".join(f"{a},{b}\n" for a, b in guess))
    accounts = contest.teams()
    contest.close()
    return accounts


def rush(port: int, teams: list[Account], attack: Path) -> tuple[float, float]:
    """Let every team attack every other at once; return seconds to accept, and to evaluate."""
    start = time.monotonic()

    def assail(team: Account) -> None:
        with Client(f"http://127.0.0.1:{port}", team.name, PASSWORD) as client:
            for other in teams:
                if other != team:
                    client.submit_attack(other.name, attack)

    threads = [threading.Thread(target=assail, args=(team,)) for team in teams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    accepted = time.monotonic() - start
    with Client(f"http://127.0.0.1:{port}", "referee", PASSWORD) as referee:
        while (status := referee.status())["progress"]["done"] < len(teams) * len(teams):
            time.sleep(0.5)
    assert {entry["status"] for entry in status["entries"]} == {"accepted"}
    return accepted, time.monotonic() - start


def main(teams: int = 14, customers: int = 1000, seconds: float = 5.0) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = prepare(folder, teams, customers)
        serve = ("-m", "sudare", "contest", "serve", str(folder / "contest"), "--port", "PORT")
        with running(*serve) as (port, _):
            accepted, evaluated = rush(port, known, folder / "attack.csv")
            count = teams * (teams - 1)
            print(
                f"{count} attacks at once: all accepted after {accepted:.1f} s,"
                f" evaluated after {evaluated:.0f} s ({count / evaluated:.1f} per second)"
            )
        contest = Contest.open(folder / "contest")
        contest.open_phase(Phase.FINAL_RESULT)
        contest.close()
        with running("-c", HELLO, "PORT") as bare, running(*serve, "--workers", "0") as site:
            views(bare, 1), views(site, 1)  # warm up
            hello, board = views(bare, seconds), views(site, seconds)
        print(
            f"leaderboard of {teams} teams: {board[0]:.0f} views per second, {board[1]:.0f} per"
            f" second of processor time, {board[1] / WANTED:.1f} times the {WANTED} wanted;"
            f" a bare FastAPI page {hello[0]:.0f} and {hello[1]:.0f}, {hello[1] / board[1]:.1f}"
            " times as many"
        )


if __name__ == "__main__":
    main()
