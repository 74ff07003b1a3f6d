"""Workers in processes of their own."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sudare.contest import Contest
from tests.processes import end_with_parent


@contextmanager
def working(contest: Contest) -> Iterator[Callable[[], None]]:
    """Run a worker; gives a function that waits until it has done everything.

    For tables: the library that reads them has threads in the tests' own process, and those do not
    live on in the processes that a worker forks.
    """

    def drained() -> None:
        while not contest.progress().idle:
            assert worker.poll() is None
            time.sleep(0.05)

    words = [sys.executable, "-m", "sudare.contest.scoring.worker", str(contest.folder)]
    worker = subprocess.Popen(words, preexec_fn=end_with_parent)  # noqa: PLW1509
    try:
        yield drained
    finally:
        worker.terminate()
        assert worker.wait() == 0
