"""Spark sessions: Java found, the master reached, settings that suit our blocks."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from sudare.core import InputError, MissingPartError, SettingError
from sudare.engine.formats import Folder
from sudare.engine.frames import part
from sudare.engine.spark.rows import quietly

OLDEST_JAVA = 17
_SECONDS = 5.0  # a master that does not answer by then cannot be reached
_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_ADDRESS = re.compile(r"(?P<host>[^:/,\s]+|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})")
_OTHER_MASTERS = re.compile(r"local(\[[^\]]+\])?|yarn|k8s://.+")


def spark_session(master: str) -> Any:
    """Return a session of a Spark cluster; say what is missing where there can be none.

    Parameters
    ----------
    master
        "spark://host:port" (several with commas), "local[2]", "yarn" or "k8s://…".
    """
    addresses = master_addresses(master)
    sql, errors = part("pyspark.sql", "spark"), part("pyspark.errors", "spark")
    from py4j.protocol import Py4JJavaError

    os.environ["JAVA_HOME"] = java_home()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if addresses and not any(_answers(host, port) for host, port in addresses):
        raise _unanswered(master)
    builder = sql.SparkSession.builder.master(master).appName("sudare")
    for name, value in settings(addresses).items():
        builder = builder.config(name, value)
    try:
        with _undisturbed():
            if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as by nohup, and to stay so:
                with ThreadPoolExecutor(1) as thread:  # PySpark listens in the main thread only
                    return thread.submit(quietly, builder.getOrCreate).result()
            return quietly(builder.getOrCreate)
    except Py4JJavaError:
        if not addresses:
            raise
        raise _unanswered(master) from None  # something answers that is not a Spark master
    except errors.PySparkRuntimeError:
        raise InputError(
            "the Java in '{path}' does not start Spark; set JAVA_HOME to a complete Java {oldest} "
            "or later.",
            path=os.environ["JAVA_HOME"],
            oldest=OLDEST_JAVA,
        ) from None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let a signal that ends the process wait until Java has started.

    PySpark forgets a Java that it was interrupted in starting, and that Java never ends.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []

    def keep(number: int, _frame: FrameType | None) -> None:
        waiting.append(number)

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    listening = [n for n in numbers if signal.getsignal(n) not in {signal.SIG_IGN, None}]
    before = {number: signal.signal(number, keep) for number in listening}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is keep:  # PySpark may have set its own meanwhile
                signal.signal(number, handler)
        for number in waiting[:1]:
            signal.raise_signal(number)


def _unanswered(master: str) -> InputError:
    return InputError(
        "no Spark master answers at {master}; check that the address is right and that it is "
        "running.",
        master=master,
    )


def settings(addresses: list[tuple[str, int]]) -> dict[str, str]:
    """Return the settings of a session of ours; a session given by the user keeps its own."""
    chosen = {
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if "SPARK_LOCAL_DIRS" not in os.environ:
        chosen["spark.local.dir"] = str(_private_folder().path)
    if addresses and all(host in _LOOPBACK for host, _ in addresses):
        # A cluster on this machine has no business with the network.
        chosen |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return chosen


@cache
def _private_folder() -> Folder:
    """Return where Spark has records of this process on disk, in folders that all could read."""
    return Folder()


def master_addresses(master: str) -> list[tuple[str, int]]:
    """Return host and port of each standalone master named; none for other kinds of cluster.

    Examples
    --------
    >>> master_addresses("spark://first:7077,second:7077")
    [('first', 7077), ('second', 7077)]
    """
    if _OTHER_MASTERS.fullmatch(master):
        return []
    addresses = [_ADDRESS.fullmatch(text) for text in master.removeprefix("spark://").split(",")]
    if not master.startswith("spark://") or not all(addresses):
        raise SettingError(
            "'{master}' is not a Spark master; write spark://host:port, local[2], yarn or k8s://….",
            master=master,
        )
    return [(match["host"].strip("[]"), int(match["port"])) for match in addresses if match]


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=_SECONDS):
            return True
    except (OSError, OverflowError):
        return False


def java_home() -> str:
    """Return the folder of a Java that Spark can use: JAVA_HOME, or the one on the path."""
    for home in _homes():
        if _version(home) >= OLDEST_JAVA:
            return str(home)
    raise MissingPartError(
        "Spark needs Java {version} or later, and none was found: install one, or set JAVA_HOME.",
        version=OLDEST_JAVA,
    )


def _homes() -> list[Path]:
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    on_path = shutil.which("java")
    if on_path:
        homes.append(Path(on_path).resolve().parents[1])
    return homes


def _version(home: Path) -> int:
    """Return the version number of Java, 0 if it is not installed."""
    try:
        process = subprocess.run(
            [home / "bin" / "java", "-version"], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 0
    match = re.search(rb'version "(\d+)', process.stderr)
    return int(match[1]) if match else 0
