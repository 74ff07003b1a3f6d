"""Timing two things in turn, so that a busy machine disturbs both alike."""

import time
from collections.abc import Callable


def best_of(*works: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the shortest time of each work over some rounds, taken in turn."""
    times = [float("inf")] * len(works)
    for _ in range(rounds):
        for place, work in enumerate(works):
            start = time.perf_counter()
            work()
            times[place] = min(times[place], time.perf_counter() - start)
    return times


def report(what: str, ours: float, peer: str, theirs: float) -> None:
    """Print one line: what was done, both times, and how many times the peer's time ours is."""
    print(f"{what}: sudare {ours:.4f} s, {peer} {theirs:.4f} s, ratio {ours / theirs:.2f}")
