"""The first call of every method of the catalog, beyond a warm one: cold, and in a second process.

Each method runs in processes of its own: the first with an empty cache of machine code, the second
with what the first left. Times are CPU seconds; what a method imports when it is first used counts.
``python -m benchmarks.first_call --json FILE`` writes the table as JSON too.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

COLD_LIMIT, SECOND_LIMIT, SUM_LIMIT = 1.5, 0.2, 20.0  # seconds of CPU
_ROUNDS = 3
NEEDED = {  # settings without a default
    "MembershipInference": {"control": "held"},
    "SurvivalOverlap": {"time": "age", "event": "held"},
}


def work_of(number: int, rows: int = 400, customers: int = 60) -> Callable[[], object]:
    """Return one call of a method on a made-up table, with what it needs prepared."""
    import numpy as np

    import sudare
    from sudare import catalog, mask, transactions
    from sudare.core import Categorical

    entry = catalog.METHODS[number]  # by number: a name may be that of two methods
    method: Any = entry.method
    if entry.subject == "history":
        history = sudare.datasets.purchases_like(customers, 1)
        if entry.family == "mask":
            return lambda: method().mask(history, seed=1)
        masked = transactions.CustomerAnonymity(k=3, rounds=1).mask(history, seed=1)
        return lambda: method()(history, masked)
    toy = sudare.datasets.toy(rows)
    held = Categorical("held", np.arange(rows) % 3 == 0, (0, 1), role="other")
    data = sudare.Microdata((*toy.columns, held))
    if entry.family == "mask":
        return lambda: sudare.apply(toy, method(), seed=1)
    randomized = sudare.apply(data, mask.PkAnonymization(k=2), seed=1)
    if entry.family == "reconstruct":
        columns = ("sex", "age", "education", "occupation", "condition")
        return lambda: method(columns=columns).fit(randomized.data, randomized.steps)
    measure = method(**NEEDED.get(entry.name, {}))
    if getattr(measure, "control", None):  # control records are not in a release
        members = randomized.data.take(np.flatnonzero(held.codes == 0))
        return lambda: measure(data, members)
    return lambda: measure(data, randomized.data)


def timed(number: int) -> dict[str, float]:
    """Return the CPU time of the first call in this process, and of the best of some more."""
    work = work_of(number)
    times = []
    for _ in range(1 + _ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return {"first": times[0], "warm": min(times[1:])}


def in_process(number: int, cache: str) -> dict[str, float]:
    """Return the same, of a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.first_call", "--one", str(number)],
        env={**os.environ, "SUDARE_CACHE": cache},
        capture_output=True,
        check=True,
        text=True,
    )
    times: dict[str, float] = json.loads(run.stdout)
    return times


def measured(number: int) -> dict[str, Any]:
    """Return a line of the table: CPU seconds beyond warm, cold and in a second process."""
    with tempfile.TemporaryDirectory() as folder:
        cold = in_process(number, f"{folder}/cache")
        second = in_process(number, f"{folder}/cache")
    warm = min(cold["warm"], second["warm"])
    return {
        "cold": cold["first"] - warm,
        "second": second["first"] - warm,
        "warm": warm,
    }


def start_time(program: list[str]) -> float:
    """Return the CPU time of a process, the best of some."""
    times = []
    for _ in range(_ROUNDS):
        before = os.times()
        subprocess.run(program, capture_output=True, check=True)
        after = os.times()
        children = after.children_user + after.children_system
        times.append(children - before.children_user - before.children_system)
    return min(times)


def main(json_file: Path | None = None) -> None:
    from sudare import catalog

    print(f"{'CPU seconds beyond warm':28} {'cold':>7} {'second':>7} {'warm':>7}")
    rows = []
    for number, entry in enumerate(catalog.METHODS):
        row = {"method": entry.name, "subject": entry.subject, **measured(number)}
        rows.append(row)
        print(f"{entry.name:28} {row['cold']:7.2f} {row['second']:7.2f} {row['warm']:7.3f}")
    total, worst = sum(row["cold"] for row in rows), max(row["cold"] for row in rows)
    second = max(row["second"] for row in rows)
    starts = {
        "import sudare": start_time([sys.executable, "-c", "import sudare"]),
        "sudare --help": start_time([str(Path(sys.executable).parent / "sudare"), "--help"]),
    }
    print(f"sum of {len(rows)} methods: {total:.1f} s, ratio to the limit {total / SUM_LIMIT:.2f}")
    print(f"worst first call: {worst:.2f} s, ratio to the limit {worst / COLD_LIMIT:.2f}")
    print(f"worst in a second process: {second:.2f} s, ratio {second / SECOND_LIMIT:.2f}")
    for name, seconds in starts.items():
        print(f"{name}: {seconds:.2f} s")
    if json_file is not None:
        table = {"methods": rows, "starts": starts, "sum": total}
        json_file.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    if "--one" in sys.argv:
        print(json.dumps(timed(int(sys.argv[-1]))))
    else:
        main(Path(sys.argv[-1]) if "--json" in sys.argv else None)
