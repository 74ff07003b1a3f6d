"""What is handed out: a background, and to each team a cohort; later whom to look for in it."""

import hmac
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sudare.contest.rulebooks.synthetic_cohort.cohort_settings import CohortSettings
from sudare.core import Flags, InputError, Microdata, Numeric
from sudare.datasets import cohort_like
from sudare.engine import read, write

CONTROL = "control"  # marks, in the referee's files, people who are not in the cohort
CANDIDATE, PERSON = "candidate", "person"  # the numbers of people in the files for attackers
Population = Callable[[str, int], Microdata]


def write_handouts(
    settings: CohortSettings, source: Path | None, folder: Path, seats: int, secret: bytes
) -> None:
    """Write the background, and for each seat its cohort and the files for its attackers.

    ``candidates`` are whole records, half of them members of the cohort, and ``persons`` the keys
    of others, half of them members too: nobody is in both, or the one would tell what the other
    asks for. ``trial`` and ``secrets`` say, for the referee, who is not in the cohort.
    """
    draw = _population(settings, source, secret)
    write(draw("background", settings.background), folder / "background.csv")
    for seat in range(1, seats + 1):
        own = folder / str(seat)
        own.mkdir()
        people = draw(f"seat {seat}", 2 * settings.members)
        lot = np.random.default_rng(_seed(secret, f"order {seat}"))
        _write_seat(settings, people, own, lot)


def _write_seat(
    settings: CohortSettings, people: Microdata, folder: Path, lot: np.random.Generator
) -> None:
    half, members = settings.members // 2, settings.members
    write(people.take(np.arange(members)), folder / "cohort.csv")
    known, guessed = np.arange(half), np.arange(half, 2 * half)
    candidates = lot.permutation(np.concatenate([known, members + known]))
    persons = lot.permutation(np.concatenate([guessed, members + guessed]))
    keys = set(people.names) - set(settings.columns("key"))
    write(_numbered(people.take(candidates), CANDIDATE), folder / "candidates.csv")
    write(_numbered(people.take(persons).without(keys), PERSON), folder / "persons.csv")
    write(_marked(people.take(candidates), candidates >= members), folder / "trial.csv")
    write(_marked(people.take(persons), persons >= members), folder / "secrets.csv")


def _numbered(people: Microdata, name: str) -> Microdata:
    number = Numeric(name, np.arange(1.0, people.rows + 1), role="other")
    return Microdata((number, *people.columns), people.origin)


def _marked(people: Microdata, outside: Flags) -> Microdata:
    mark = Numeric(CONTROL, outside.astype(float), role="other")
    return Microdata((*people.columns, mark), people.origin)


def _population(settings: CohortSettings, source: Path | None, secret: bytes) -> Population:
    """Return a function that draws people: made up, or from the organizer's table.

    Of a table, the people of the background are in no team's data; two teams may have some people
    in common, which tells neither who is in the other's cohort.
    """
    if source is None:
        return lambda name, count: cohort_like(count, seed=_seed(secret, name) % (1 << 63))
    table = read(source, roles=settings.roles)
    table = table.without(name for name in table.names if name not in settings.roles)
    needed = settings.background + 2 * settings.members
    taken = {CONTROL, CANDIDATE, PERSON} & set(table.names)
    if table.rows < needed or taken:
        raise InputError(
            "'{path}' needs at least {rows} rows, and no column called {names}.",
            path=str(source),
            rows=needed,
            names=", ".join((CONTROL, CANDIDATE, PERSON)),
        )
    order = np.random.default_rng(_seed(secret, "background")).permutation(table.rows)

    def draw(name: str, count: int) -> Microdata:
        if name == "background":
            return table.take(order[:count])
        rng = np.random.default_rng(_seed(secret, name))
        return table.take(rng.choice(order[settings.background :], count, replace=False))

    return draw


def _seed(secret: bytes, name: str) -> int:
    return int.from_bytes(hmac.digest(secret, name.encode(), "sha256"))
