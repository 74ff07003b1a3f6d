"""A contest of synthetic cohorts among six of our own recipes and as many attackers.

::

    python examples/contest_cohort.py --folder contest

The people are made up. Everything goes through the front door: the commands of ``sudare contest``,
and the client that teams use from their scripts. Every team has a recipe, and attacks
everybody else in its own way.
"""

import argparse
import csv
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import sudare
from sudare.contest.client import Client
from sudare.core import Floats, Microdata, Numeric
from sudare.describe.distances import Space
from sudare.mask import Noise, Pram, RankSwapping, SequentialSynthesis
from sudare.risk.inference import ATTACKERS, Knowledge

sys.path.insert(0, str(Path(__file__).parent))

from contest_2018 import command, drained, serving

NUMBERS = ("age", "bmi", "pressure", "drugs", "creatinine", "glucose", "time")
LABELS = ("sex", "region", "education", "smoker", "diabetes", "rare", "state")
SECRETS = ("creatinine", "state")
TEAMS: Mapping[str, Sequence[Any]] = {
    "the cohort itself": [],
    "noise": [Noise(columns=NUMBERS), Pram(retain=0.9, columns=LABELS)],
    "rank swapping": [RankSwapping(columns=NUMBERS), Pram(retain=0.8, columns=LABELS)],
    "trees": [SequentialSynthesis(survival={"time": "state"})],
    "regressions": [SequentialSynthesis(model="regression", survival={"time": "state"})],
    "shuffled columns": [],
}
RULES = """
title = "Synthetic cohorts"
subject = "synthetic-cohort"
rounds = ["final"]

[settings]
members = {members}
background = {members}

[limits]
teams = {teams}
"""


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Hold the contest and print who won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=1000, help="records of a cohort")
    parser.add_argument("--folder", type=Path, help="of the contest; by default one that vanishes")
    parser.add_argument("--database", help="address of a PostgreSQL database, else SQLite")
    parser.add_argument("--workers", type=int, default=2, help="processes that evaluate files")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as spare:
        results = hold(asked, asked.folder or Path(spare) / "contest", Path(spare))
    print(table(results))
    return results


def hold(asked: argparse.Namespace, folder: Path, files: Path) -> dict[str, Any]:
    """Hold a contest from its founding to its results."""
    rules = files / "rules.toml"
    rules.write_text(RULES.format(members=asked.members, teams=len(TEAMS)))
    os.environ["SUDARE_REFEREE_PASSWORD"] = "the referee's own word"  # noqa: S105
    database = ("--database", asked.database) if asked.database else ()
    command("contest", "new", folder, "--rules", rules, *database)
    with serving(folder, asked.workers) as url, ExitStack() as logged_in:
        clients = {
            team: logged_in.enter_context(Client.register(url, team, f"the password of {team}"))
            for team in TEAMS
        }
        command("contest", "close-phase", folder)
        for number, (team, client) in enumerate(clients.items()):
            client.download(f"final/cohort/{team}", files / "cohort.csv", overwrite=True)
            synthetic = made_up(team, read(files / "cohort.csv"), seed=number)
            sudare.write(synthetic, files / "synthetic.csv", overwrite=True)
            client.submit_mask(files / "synthetic.csv")
        drained(clients, len(TEAMS))
        command("contest", "close-phase", folder)
        sent = attack(clients, files)
        drained(clients, len(TEAMS) + sent)
        command("contest", "close-phase", folder)
        results: dict[str, Any] = json.loads(command("contest", "results", folder, "--json"))
    return results


def read(path: Path) -> Microdata:
    """Read a table of people."""
    roles = {column.name: column.role for column in sudare.datasets.cohort_like(1).columns}
    with path.open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    return sudare.read(path, roles={name: roles[name] for name in header if name in roles})


def made_up(team: str, cohort: Microdata, seed: int) -> Microdata:
    """Return the table that a team sends."""
    if team == "shuffled columns":
        rng = np.random.default_rng(seed)
        return cohort.replacing(
            cohort.take(rng.permutation(cohort.rows))[name] for name in cohort.names
        )
    masked: Microdata = sudare.apply(cohort, list(TEAMS[team]), seed=seed).data
    return masked


def attack(clients: Mapping[str, Client], files: Path) -> int:
    """Let every team attack all others; return how many attacks were sent."""
    sent = 0
    reader = next(iter(clients.values()))
    reader.download("final/background", files / "background.csv", overwrite=True)
    background = read(files / "background.csv")
    for target in clients:
        tables = {}
        for name in ("published", "candidates", "persons"):
            path = files / f"{name}.csv"
            reader.download(f"final/{name}/{target}", path, overwrite=True)
            tables[name] = read(path)
        for team, (kind, guess) in zip(clients, ways(tables, background).items(), strict=True):
            if team != target:
                path = files / "guess.csv"
                path.write_text("\n".join(guess()) + "\n")
                clients[team].submit_attack(target, path, kind=kind.partition(" ")[0])
                sent += 1
    return sent


def ways(
    tables: Mapping[str, Microdata], background: Microdata
) -> dict[str, Callable[[], list[str]]]:
    """Return the six attacks on one table, each as a function that gives its lines."""
    candidates, published = tables["candidates"].without(["candidate"]), tables["published"]
    space = Space.of(candidates, published, candidates.names)
    population = Space.of(candidates, background, candidates.names).released
    known = Knowledge(space.released, population, space.labeled)
    sources = {"the table": published, "the background": background}
    attacks: dict[str, Callable[[], list[str]]] = {
        f"membership by {name}": partial(
            lambda scores: confidences(scores(space.original, known)), scores
        )
        for name, scores in ATTACKERS.items()
    }
    return attacks | {
        f"attribute from {name}": partial(guesses, tables["persons"], others)
        for name, others in sources.items()
    }


def confidences(scores: Floats) -> list[str]:
    """Return scores as confidences, by their rank; equal scores are equally sure."""
    levels = np.searchsorted(np.sort(scores), scores) / len(scores)
    return [f"{at},{level:.6f}" for at, level in enumerate(levels, 1)]


def guesses(persons: Microdata, others: Microdata) -> list[str]:
    """Return the secrets of the nearest of other records as guesses."""
    keys = [name for name in persons.names if name != "person"]
    space = Space.of(persons, others, keys)
    labeled = np.array(space.labeled)
    lines = []
    for at, point in enumerate(space.original, 1):
        apart = np.abs(space.released - point)
        apart[:, labeled] = apart[:, labeled] > 0
        row = int(apart.sum(axis=1).argmin())
        for name in SECRETS:
            column = others[name]
            values = column.values if isinstance(column, Numeric) else column.coded.codes
            known = values[row] if isinstance(column, Numeric) else column.coded.labels[values[row]]
            lines.append(f"{at},{name},{known}")
    return lines


def table(results: Mapping[str, Any]) -> str:
    """Return the leaderboard as a table in Markdown."""
    names = list(results["leaderboard"][0]["parts"])
    lines = [f"| rank | team | points | {' | '.join(names)} | effective attacks |"]
    lines.append("| ---: | --- |" + " ---: |" * (len(names) + 2))
    for line in results["leaderboard"]:
        parts = " | ".join(f"{line['parts'][name]:.3f}" for name in names)
        lines.append(
            f"| {line['rank']} | {line['team']} | {line['score']:.3f} | {parts} | {line['hits']} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
