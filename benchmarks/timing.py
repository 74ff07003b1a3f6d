"""Timing two things in turn, so that a busy machine disturbs both alike."""

import re
import time
from collections.abc import Callable
from pathlib import Path

_REST = 0.15  # seconds: threads of matrix products go on turning for a while after the last one


def best_of(*works: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the shortest time of each work over some rounds, taken in turn."""
    times = [float("inf")] * len(works)
    for _ in range(rounds):
        for place, work in enumerate(works):
            time.sleep(_REST)
            start = time.perf_counter()
            work()
            times[place] = min(times[place], time.perf_counter() - start)
    return times


def report(what: str, ours: float, peer: str, theirs: float) -> None:
    """Print one line: what was done, both times, and how many times the peer's time ours is."""
    print(f"{what}: sudare {ours:.4f} s, {peer} {theirs:.4f} s, ratio {ours / theirs:.2f}")


def peak_memory() -> float:
    """Return the most memory, in GiB, that this process has had."""
    # Not getrusage: a new process inherits the peak of the one that started it.
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) / 2**20
