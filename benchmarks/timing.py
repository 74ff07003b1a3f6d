"""Timing two things in turn, so that a busy machine disturbs both alike."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_REST = 0.15  # seconds: threads of matrix products go on turning for a while after the last one


def best_of(*works: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the shortest time of each work over some rounds, taken in turn."""
    times = [float("inf")] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            time.sleep(_REST)
            start = time.perf_counter()
            work()
            times[number] = min(times[number], time.perf_counter() - start)
    return times


def report(what: str, ours: float, peer: str, theirs: float) -> None:
    """Print one line: what was done, both times, and how many times the peer's time ours is."""
    print(f"{what}: sudare {ours:.4f} s, {peer} {theirs:.4f} s, ratio {ours / theirs:.2f}")


def peak_memory() -> float:
    """Return the most memory, in GiB, that this process has had."""
    # Not getrusage: a new process inherits the peak of the one that started it.
    match = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    assert match is not None
    return int(match[1]) / 2**20


def core_seconds() -> float:
    """Return the core time of this process and all that came from it."""
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        process = int(stat.parent.name)
        parents[process] = int(fields[1])
        times[process] = sum(map(int, fields[11:15]))
    mine = {os.getpid()}
    while more := {p for p, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return sum(times[process] for process in mine if process in times) / _TICKS
