"""The process of a job: what it does, how it ends, and what it logs."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from sudare.core import SudareError

GRACE_SECONDS = 3.0  # between the request to end and the end by force


class JobError(SudareError):
    """Work that ended without a result."""


def run_work(sender: "Connection[Any, Any]", work: bytes) -> None:
    """Do the work of a job, and report its progress and result; runs in its process."""
    if hasattr(os, "setsid"):
        os.setsid()  # what the work starts ends with it, and an interrupt reaches the server only
    threading.Thread(target=_end_with_server, daemon=True).start()

    def report(stage: str, share: float) -> None:
        sender.send({"stage": stage, "share": share})

    try:
        function, arguments = pickle.loads(work)  # noqa: S301 - the server has just written it
        sender.send({"state": "done", "share": 1.0, "result": function(report, *arguments)})
    except SudareError as error:
        sender.send({"state": "failed", "error": error})
    except BaseException as error:  # noqa: BLE001 - its message may hold a cell of the data
        sender.send({"state": "failed", "error": unexpected_end(), "fault": fault_line(error)})


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        signal_group(os.getpid(), signal.SIGTERM)


def end_process(process: BaseProcess) -> None:
    """Make sure that a process is gone that has done its work, or was asked to end."""
    process.join(GRACE_SECONDS)
    if process.is_alive():
        signal_group(process.pid, signal.SIGKILL)
        process.join()


def signal_group(pid: int | None, number: int) -> None:
    """Send a signal to a process and all that it has started."""
    if pid is None:
        return
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg") and os.getpgid(pid) == pid:
            os.killpg(pid, number)
        else:  # it has not come to that yet, or the system has no groups
            os.kill(pid, number)


def unexpected_end() -> JobError:
    """Return the error of work that ended silently, or because of a bug of ours."""
    return JobError("the work ended unexpectedly; the log of the server says where.")


def log_error(error: BaseException) -> None:
    """Log what went wrong and where."""
    log(fault_line(error))


def fault_line(error: BaseException) -> str:
    """Return what went wrong and where; not the message, which may hold a cell of the data."""
    while error.__cause__ is not None:
        error = error.__cause__
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    reason = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    return f"sudare: {type(error).__name__} in {where}{reason}"


def log(line: str) -> None:
    """Write a line to the log of the server."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201
