"""A contest in the manner of PWSCUP 2018, with fourteen teams that are our own methods.

::

    python examples/contest_2018.py --data T.csv --folder contest

Without ``--data`` the contest is about made-up purchases. Everything goes through the front door:
the commands of ``sudare contest``, and the client that teams use from their scripts.
"""

import argparse
import contextlib
import io
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from sudare import apply
from sudare.cli import main as sudare
from sudare.contest.client import Client
from sudare.datasets import purchases_like
from sudare.transactions import (
    ATTACKERS,
    CellDeletion,
    CoarseDates,
    CustomerAnonymity,
    History,
    ItemFamilies,
    PriceBands,
    Pseudonyms,
    QuantityBands,
    RowDeletion,
    read_history,
    read_masked,
    write_guess,
    write_history,
    write_masked,
)
from sudare.transactions.attack.evidence import Evidence
from sudare.transactions.methods import HistoryMasker

TEAMS: Mapping[str, Sequence[HistoryMasker]] = {
    "as it is": [],
    "months": [CoarseDates()],
    "price bands": [PriceBands(width=2.0)],
    "packs": [QuantityBands()],
    "families": [ItemFamilies(size=10)],
    "everything coarser": [CoarseDates(), PriceBands(), QuantityBands(), ItemFamilies()],
    "every second row": [RowDeletion(share=0.5)],
    "no quantities": [CellDeletion(columns=("quantity",))],
    "only days": [CellDeletion(columns=("item", "price", "quantity"))],
    "pairs": [CustomerAnonymity(k=2)],
    "threes": [CustomerAnonymity(k=3)],
    "fours": [CustomerAnonymity(k=4)],
    "sevens": [CustomerAnonymity(k=7)],
    "cycles": [CustomerAnonymity(k=2, structure="cycles")],
}
RULES = """
title = "PWSCUP 2018 again"
rounds = ["final"]

[limits]
samples = {samples}
"""


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Hold the contest and print who won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="T; by default purchases are made up")
    parser.add_argument("--customers", type=int, default=1000, help="of made-up purchases")
    parser.add_argument("--folder", type=Path, help="of the contest; by default one that vanishes")
    parser.add_argument("--database", help="address of a PostgreSQL database, else SQLite")
    parser.add_argument("--workers", type=int, default=2, help="processes that evaluate files")
    parser.add_argument("--samples", type=int, default=10, help="histories drawn for statistics")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as spare:
        files = Path(spare)
        if asked.data is None:
            asked.data = files / "T.csv"
            write_history(purchases_like(asked.customers, seed=2018), asked.data)
        outcome = hold(asked, asked.folder or files / "contest", files)
    print(table(outcome))
    return outcome


def hold(asked: argparse.Namespace, folder: Path, files: Path) -> dict[str, Any]:
    """Hold a contest from its founding to its results."""
    (files / "rules.toml").write_text(RULES.format(samples=asked.samples))
    os.environ["SUDARE_REFEREE_PASSWORD"] = "the referee's own word"  # noqa: S105
    database = ("--database", asked.database) if asked.database else ()
    rules = files / "rules.toml"
    command("contest", "new", folder, "--data", asked.data, "--rules", rules, *database)
    history = read_history(asked.data)
    with serving(folder, asked.workers) as url:
        with contextlib.ExitStack() as logged_in:
            clients = {}
            for team in TEAMS:
                secret = f"the password of {team}"
                httpx.post(f"{url}/api/teams", json={"team": team, "password": secret}, timeout=60)
                clients[team] = logged_in.enter_context(Client(url, team, secret))
            command("contest", "close-phase", folder)
            masking(clients, history, files)
            command("contest", "close-phase", folder)
            attacking(clients, history, files)
            command("contest", "close-phase", folder)
            if asked.samples:
                timed("statistics", lambda: drained(clients, len(TEAMS) * (len(TEAMS) + 1)))
        results: dict[str, Any] = json.loads(command("contest", "results", folder, "--json"))
        return results


def masking(clients: Mapping[str, Client], history: History, files: Path) -> None:
    """Let every team mask T and send what came out."""
    sent = {}
    for number, (team, client) in enumerate(clients.items()):
        path = files / f"{number}.csv"
        masked = apply(history, [*TEAMS[team], Pseudonyms()], seed=number)
        write_masked(masked.data, path)
        sent[team] = client.submit_mask(path)["id"]
    for team, client in clients.items():
        entry = client.wait(sent[team], every=0.2)
        print(f"{team}: {entry['status']}, U = {entry['score']:.4f}", file=sys.stderr)


def attacking(clients: Mapping[str, Client], history: History, files: Path) -> None:
    """Let every team attack every other: the n-th team is the n-th of the built-in attackers."""
    guesses = {}
    for target in clients:
        path = files / "published.csv"
        next(iter(clients.values())).download(f"final/published/{target}", path, overwrite=True)
        evidence = Evidence(history, read_masked(path))
        for number, attacker in enumerate(ATTACKERS):
            guesses[target, number] = attacker.suspect(evidence).aimed().as_dict()

    def send() -> None:
        for number, (team, client) in enumerate(clients.items()):
            for target in clients:
                if target != team:
                    path = files / "guess.csv"
                    write_guess(guesses[target, number % len(ATTACKERS)], path, overwrite=True)
                    client.submit_attack(target, path)

    timed("attacks sent", send)
    timed("attacks evaluated", lambda: drained(clients, len(TEAMS) ** 2))


def drained(clients: Mapping[str, Client], evaluations: int) -> None:
    """Wait until so many files are evaluated: one mask and thirteen attacks of each team."""
    client = next(iter(clients.values()))
    while client.status()["progress"]["done"] < evaluations:
        time.sleep(0.2)


def timed(what: str, work: Any) -> None:
    """Do some work and say how long it took."""
    began = time.monotonic()
    work()
    print(f"{what}: {time.monotonic() - began:.1f} s", file=sys.stderr)


@contextlib.contextmanager
def serving(folder: Path, workers: int) -> Iterator[str]:
    """Serve the contest on a port that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["contest", "serve", str(folder), "--port", str(port), "--workers", str(workers)]
    server = subprocess.Popen([sys.executable, "-m", "sudare", *words])
    url = f"http://127.0.0.1:{port}"
    try:
        while server.poll() is None:
            with contextlib.suppress(httpx.TransportError):
                httpx.get(url, timeout=60)
                break
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait()


def command(*words: object) -> str:
    """Run a command of sudare and return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            sudare([str(word) for word in words])
        except SystemExit as end:
            if end.code:
                raise
    return printed.getvalue()


def table(outcome: Mapping[str, Any]) -> str:
    """Return the leaderboard as a table in Markdown."""
    lines = ["| rank | team | U | hit by |", "| ---: | --- | ---: | ---: |"]
    for line in outcome["leaderboard"]:
        rank = line["rank"] or "–"
        lines.append(f"| {rank} | {line['team']} | {line['score']:.4f} | {line['hits']} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
