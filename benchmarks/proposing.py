"""Proposals for 220,000 × 29 in CPU time, against reading the file they are about."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import sudare
from benchmarks.timing import report
from sudare.datasets import write_survey_like

ROWS = 220_000


def core_time(work: Callable[[], object]) -> float:
    """Return the CPU time of a work, the shorter of two."""
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Time the proposals, each on a table just read, so that nothing was coded before."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "survey.csv")
        write_survey_like(path, ROWS, seed=1)
        reading = core_time(lambda: sudare.read(path))
        both = core_time(lambda: sudare.describe.proposals(sudare.read(path)))
    report(f"proposals for {ROWS:,} × 29 (CPU)", both - reading, "reading the file", reading)
