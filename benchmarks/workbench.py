"""The workbench on 1,000,000 × 20: what every interaction takes once the table is counted.

The real server in a process of its own, asked over a socket as a browser asks it.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np

import sudare
from sudare.core import Categorical, Microdata, Numeric

RECORDS = 1_000_000
ROUNDS = 20
LIMIT_MS = 200.0
_LEVELS = (2, 5, 8, 12, 16, 20, 40, 9, 7, 6, 5, 4, 3, 3, 2, 10, 50)


def table(records: int) -> Microdata:
    """Return a table with ages, incomes and weights, and 17 columns of categories."""
    draw = np.random.default_rng(1)
    columns = [
        Categorical(f"c{number}", _skewed(draw, levels, records), _labels(levels))
        for number, levels in enumerate(_LEVELS)
    ]
    ages = draw.integers(0, 100, records).astype(float)
    incomes = np.round(draw.lognormal(8, 1, records), -1)
    weights = np.round(draw.uniform(5, 50, records), 1)
    numbers = {"age": ages, "income": incomes, "weight": weights}
    return Microdata((*columns, *(Numeric(name, values=v) for name, v in numbers.items())))


def _skewed(draw: np.random.Generator, levels: int, records: int) -> np.ndarray:
    shares = 1 / np.arange(1, levels + 1)
    return draw.choice(levels, records, p=shares / shares.sum()).astype(np.int32)


def _labels(levels: int) -> tuple[str, ...]:
    return tuple(f"label {number:02d}" for number in range(levels))


@contextmanager
def served(path: Path, state: Path) -> Iterator[tuple[httpx.Client, str, int]]:
    """Serve a table; yield a client with a session, the address of the project, the process."""
    command = [sys.executable, "-m", "sudare", "serve", str(path), "--no-browser", "--port", "0"]
    environment = {**os.environ, "SUDARE_STATE": str(state), "SUDARE_LANG": "en"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stderr is not None
            told = re.search(r"(http://[\d.:]+)(/\S*)#(\S+)", server.stderr.readline())
            assert told is not None
            with httpx.Client(base_url=told[1], headers={"origin": told[1]}, timeout=120) as client:
                client.post("/session", content=told[3]).raise_for_status()
                address = told[2]
                while "/opening/" in address:
                    time.sleep(0.2)
                    address = str(client.get(address, follow_redirects=True).url.path)
                project = address.rpartition("/")[0]
                while "data-job" in client.get(f"{project}/columns").text:
                    time.sleep(0.2)
                yield client, project, server.pid
        finally:
            server.terminate()


def timed(ask: Callable[[int], httpx.Response]) -> list[float]:
    """Return the milliseconds of each round."""
    taken = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        answer = ask(number)
        taken.append(1000 * (time.perf_counter() - start))
        assert answer.status_code < 400, (
            answer.status_code,
            re.findall("<p>.*?</p>", answer.text)[:3],
        )
    return taken


def hidden(page: str, name: str) -> str:
    match = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert match is not None
    return match[1]


def main(records: int = RECORDS) -> None:
    """Print what each interaction takes: median, 95th percentile, and the share of the limit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "people.parquet")
        sudare.write(table(records), path)
        keys = ("c0", "c2", "c3", "c4", "c7", "c8", "age", "c11")
        project = sudare.Project.create(path, data=sudare.read(path).take(np.arange(20_000)))
        changes = {name: {"role": "key" if name in keys else "other"} for name in table(1).names}
        recipes = [{"name": name, "steps": [{"method": "pram"}]} for name in ("first", "second")]
        columns = {**changes, "weight": {"role": "weight"}}
        project.edited({"columns": columns, "recipes": recipes, "reviewed": True}).save()
        start = time.perf_counter()
        with served(path, Path(folder, "state")) as (client, at, server):
            print(f"first count: {time.perf_counter() - start:.1f} s")
            _interactions(client, at, keys, server)


def _interactions(client: httpx.Client, at: str, keys: tuple[str, ...], server: int) -> None:
    def form(path: str, page: str, **fields: str) -> httpx.Response:
        shown = client.get(f"{at}/{page}").text
        sent = {"csrf_token": hidden(shown, "csrf_token"), "revision": hidden(shown, "revision")}
        start.append(time.perf_counter())
        answer = client.post(f"{at}/{path}", data={**sent, **fields}, follow_redirects=True)
        posts.append(1000 * (time.perf_counter() - start[-1]))
        return answer

    start: list[float] = []
    posts: list[float] = []
    cases: dict[str, Callable[[int], httpx.Response]] = {
        "columns": lambda _: client.get(f"{at}/columns"),
        "roles": lambda _: client.get(f"{at}/roles"),
        "risk": lambda _: client.get(f"{at}/risk"),
        "threshold": lambda n: client.get(f"{at}/risk/threshold", params={"k": 2 + n}),
        "population": lambda _: client.get(f"{at}/risk/population"),
        "recode": lambda n: client.get(f"{at}/recode", params={"column": keys[n % len(keys)]}),
        "blame": lambda _: client.get(f"{at}/risk/blame"),
        "preview": lambda n: client.get(
            f"{at}/recode/preview",
            params={"column": "c4", "action": "merge", "code": [str(n % 12), "13"]},
        ),
        "compare": lambda _: client.get(f"{at}/compare"),
        "release": lambda _: client.get(f"{at}/release"),
        "steps": lambda _: client.get(f"{at}/steps"),
    }
    for name, ask in cases.items():
        used = cpu_ms(server)
        taken = timed(ask)
        _tell(name, taken, (cpu_ms(server) - used) / len(taken))
    changing: dict[str, Callable[[int], httpx.Response]] = {
        "set a role, see roles": lambda n: form(
            "roles", "roles", column="c11", role=("other", "key")[n % 2]
        ),
        "merge, see who is alone": lambda n: form(
            "recode",
            "recode",
            column="c4",
            action="merge" if n % 2 else "reset",
            code="3",
            onto="4",
        ),
        "accept a finding": lambda n: form(
            "release/confirm",
            "release",
            kind="twin",
            columns="c1",
            by="a",
            reason="b",
            action="withdraw" if n % 2 else "confirm",
        ),
        "texts of the report": lambda n: form("release/texts", "release", title=f"title {n}"),
        "undo, see the risk": lambda n: form(("undo", "redo")[n % 2], "risk", next=f"{at}/risk"),
    }
    for name, ask in changing.items():
        posts.clear()
        used = cpu_ms(server)
        timed(ask)
        _tell(name, posts, (cpu_ms(server) - used) / len(posts))


def cpu_ms(process: int) -> float:
    """Return the milliseconds that a process has computed; a busy machine does not change them."""
    words = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return 1000 * (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _tell(name: str, taken: list[float], cpu: float) -> None:
    median, high = np.quantile(taken, [0.5, 0.95])
    print(
        f"{name:26} {median:7.0f} ms  p95 {high:7.0f} ms  {high / LIMIT_MS:5.2f} of the limit, "
        f"{cpu:.0f} ms CPU"
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
