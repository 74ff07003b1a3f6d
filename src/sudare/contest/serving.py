"""The web server and its workers, started together and ended together."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Self

import uvicorn
from starlette.types import ASGIApp

from sudare.contest.contest import Contest
from sudare.contest.mail import MailSender
from sudare.contest.site import contest_names, create_app, create_server
from sudare.web import listening

GRACE_SECONDS = 10  # for requests and workers to come to an end
_WATCH_SECONDS = 1.0  # between two looks at the workers
# One thread each: workers are as many as there are cores, and what they do is forked.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1")


class WorkerProcesses:
    """Worker processes; one that dies is replaced."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size
        self.processes: list[subprocess.Popen[bytes]] = []
        self._stopping = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self.processes = [self._start() for _ in range(self.size)]
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ask the workers to stop, and end those that do not."""
        self._stopping.set()
        self._watcher.join()
        for process in self.processes:
            process.terminate()
        deadline = time.monotonic() + GRACE_SECONDS
        for process in self.processes:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        # A group of its own: an interrupt from the keyboard reaches the server, which ends them.
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "sudare.contest.scoring.worker", str(self.folder)),
                *("--parent", str(os.getpid())),
            ],
            env={**os.environ, **_ONE_THREAD},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _watch(self) -> None:
        while not self._stopping.wait(_WATCH_SECONDS):
            self.processes = [
                process if process.poll() is None else self._start() for process in self.processes
            ]


def serve(
    folders: Sequence[Path],
    *,
    host: str = "127.0.0.1",
    port: int = 8018,
    workers: int = 2,
    proxy: str = "",
    on_start: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve contests until a signal ends it.

    One contest is served from ``/`` on, several each under the name of its folder.

    Parameters
    ----------
    folders
        The folders of the contests.
    host, port
        Where to listen.
    workers
        How many processes evaluate files, for each contest.
    proxy
        Address of a proxy before the server whose word on the caller's address and on HTTPS counts.
    on_start
        Called with the address of the site, once others can reach it.
    """
    names = contest_names(list(folders)) if len(folders) > 1 else {"": folders[0]}
    # uvicorn raises the signal again once it has stopped; the workers must still be ended then.
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        with ExitStack() as running:
            contests = {
                name: running.enter_context(Contest.open(path)) for name, path in names.items()
            }
            app = create_server(contests) if len(contests) > 1 else create_app(contests[""])
            listener = running.enter_context(listening(host, port))
            for contest in contests.values():
                running.enter_context(MailSender(contest))
            for path in names.values():
                running.enter_context(WorkerProcesses(path, workers))
            shown_host = f"[{host}]" if ":" in host else host
            on_start(f"http://{shown_host}:{listener.getsockname()[1]}")
            uvicorn.Server(_configuration(app, proxy)).run(sockets=[listener])
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGTERM, previous)


def _configuration(app: ASGIApp, proxy: str) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or None,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
