"""Processes that are killed in the middle of things: at the n-th of the events on their way.

Events are: a file is opened, moved or removed, a process is forked or waited for, a statement goes
to the database or comes back, a transaction is committed, a part of a request or answer passes.
"""

import mmap
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from hypothesis import settings
from sqlalchemy import event

from sudare.contest import Contest

EXAMPLES = settings().max_examples // 6  # each is several processes
_AUDITED = ("open", "os.rename", "os.fork", "os.remove", "os.truncate", "time.sleep")
_LATER = 1000.0  # seconds by which every life begins after the one before: leases have run out


class Life:
    """A forked process that does some work, and dies at an event unless it is done before."""

    def __init__(self, work: Callable[["Life"], None], dies_at: int | None = None) -> None:
        self._seen = mmap.mmap(-1, 8)  # shared with the child
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads that are not needed
            self.process = os.fork()
        if self.process == 0:
            self._lead(work, dies_at)

    def _lead(self, work: Callable[["Life"], None], dies_at: int | None) -> NoReturn:
        self.process, self._dies_at = os.getpid(), dies_at
        sys.addaudithook(lambda name, _: self.tick() if name in _AUDITED else None)
        code = 1
        try:
            work(self)
            code = 0
        finally:
            os._exit(code)

    def tick(self, *_: object) -> None:
        """Count an event; children of the process are not counted, and die with it."""
        if os.getpid() != self.process:
            return
        self._seen[:] = (self.events + 1).to_bytes(8, "big")
        if self.events == self._dies_at:
            os.kill(self.process, signal.SIGKILL)

    def watch(self, contest: Contest) -> Contest:
        """Count what goes to the database of a contest, too."""
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(contest.database.engine, name, self.tick)
        return contest

    @property
    def events(self) -> int:
        """How many there were."""
        return int.from_bytes(self._seen[:], "big")

    def killed(self) -> bool:
        """Wait for the end; return whether it came too early."""
        _, status = os.waitpid(self.process, 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the work failed by itself"
        return os.WIFSIGNALED(status)

    def end(self) -> None:
        """Kill it now."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def points(seed: int, events: int) -> list[int]:
    """Draw where the first one or two lives end; all points are as likely."""
    drawn = random.Random(seed)  # noqa: S311
    return [drawn.randint(1, events) for _ in range(drawn.randint(1, 2))]


def later(turn: int) -> float:
    """How far the clock of a life is put forward."""
    return _LATER * turn


def noted(path: Path) -> dict[str, int]:
    """What was told to those who asked for it, by what they had asked."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {asked: int(number) for asked, _, number in (line.rpartition(" ") for line in lines)}
