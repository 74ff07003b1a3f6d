"""A separate process for each file: with limits on memory and time, and nothing to lose."""

import ctypes
import errno
import json
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from sudare.web import log_error

_POLL = 0.005  # seconds between two looks at the child, at first
_SLOWEST_POLL = 0.25
_WALL_CLOCK_FACTOR = 10  # on a busy machine a second of the processor may take as many of the clock
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_CRASH, _MEMORY, _UNAVAILABLE, _RULES = 1, 3, 4, 5  # how a child leaves that found nothing


class EvaluationFailed(Exception):  # noqa: N818
    """A child that found nothing: ``reason`` is "time", "memory", "rules" or "crash".

    A crash may be nobody's fault: the system ends processes when its memory is short.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class RulesFailed(Exception):  # noqa: N818
    """An organizer's package broke on a file; it would break again."""


class ContestUnavailable(Exception):  # noqa: N818
    """The contest's own files could not be read or written; no fault of the file's."""


class EvaluationCancelled(Exception):  # noqa: N818
    """The work was given up because ``alive`` said so."""


@dataclass(frozen=True)
class Sandbox:
    """Limits for one file: seconds of the processor, and bytes beyond what the worker has."""

    seconds: float
    memory_bytes: int

    def run(
        self, work: Callable[[], dict[str, Any]], answer: Path, alive: Callable[[], bool]
    ) -> dict[str, Any]:
        """Do some work in a forked process and return what it found.

        Parameters
        ----------
        work
            What is done. It sees the memory of this process as it is now, and changes none of it.
        answer
            A file of our own into which the child writes what it found.
        alive
            Asked again and again meanwhile; false gives the work up.
        """
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():  # threads of other libraries stay behind; work needs none
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            self.confine(work, answer)
        return self._result(child, answer, alive)

    def run_module(
        self, module: str, *arguments: str, answer: Path, alive: Callable[[], bool]
    ) -> dict[str, Any]:
        """Do the work of a module in a fresh process and return what it found.

        For work with libraries whose threads do not live on in a fork. The module is started with
        the arguments given and confines itself (:meth:`confine`).
        """
        program = [sys.executable, "-m", module, *arguments]
        return self._result(os.posix_spawn(sys.executable, program, os.environ), answer, alive)

    def _result(self, child: int, answer: Path, alive: Callable[[], bool]) -> dict[str, Any]:
        try:
            status = self._wait(child, alive)
        finally:
            _kill(child)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == _UNAVAILABLE:
            raise ContestUnavailable
        if status != 0:
            raise EvaluationFailed(_reason(status))
        try:
            result: dict[str, Any] = json.loads(answer.read_bytes())
        except ValueError:  # it left before it had an answer
            raise EvaluationFailed("rules") from None
        return result

    def _wait(self, child: int, alive: Callable[[], bool]) -> int:
        began, pause = time.monotonic(), _POLL
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
            if time.monotonic() - began > _WALL_CLOCK_FACTOR * self.seconds:
                raise EvaluationFailed("time")
            if not alive():
                raise EvaluationCancelled
            time.sleep(pause)
            pause = min(2 * pause, _SLOWEST_POLL)

    def confine(self, work: Callable[[], dict[str, Any]], answer: Path) -> NoReturn:
        """Work within the limits and leave, whatever happens, without the parent's clean-up."""
        code = _CRASH
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            _die_with_parent()
            whole = round(self.seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            most = _address_space() + self.memory_bytes
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.memory_bytes, self.memory_bytes))
            answer.write_text(json.dumps(work()), encoding="utf-8")
            code = 0
        except BaseException as error:  # noqa: BLE001
            code = _code(error)
            log_error(error)
        finally:
            os._exit(code)


def _code(error: BaseException) -> int:
    """Return how a child leaves; an error of the system has a number, others only the name."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number in (errno.ENOMEM, errno.EFBIG):
        return _MEMORY
    if isinstance(error, RulesFailed):
        return _RULES
    return _UNAVAILABLE if isinstance(error, ContestUnavailable) or number is not None else _CRASH


def _reason(status: int) -> str:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return "time"
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else _CRASH
    return {_MEMORY: "memory", _RULES: "rules"}.get(code, "crash")


def _kill(child: int) -> None:
    """Make sure that the child is gone, and its record too."""
    try:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        return


def _address_space() -> int:
    """Return the bytes of address space that this process has."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:  # not Linux
        return 4 << 30
    return pages * resource.getpagesize()


def _die_with_parent() -> None:
    """Ask Linux to end this process when the worker ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
