"""What is missing for Spark is said in one sentence; who is interrupted leaves no Java behind."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sudare.core.errors import InputError, MissingPartError, SettingError
from sudare.engine.spark.session import java_home, settings, spark_session
from tests.engines.cluster import free_port


def test_what_spark_has_on_disk_is_where_nobody_else_can_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    folder = Path(settings([])["spark.local.dir"])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert folder == Path(settings([])["spark.local.dir"])
    monkeypatch.setenv("SPARK_LOCAL_DIRS", "chosen by the administrator")
    assert "spark.local.dir" not in settings([])


@pytest.fixture
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)


@pytest.mark.usefixtures("no_java")
def test_no_java_is_a_sentence() -> None:
    with pytest.raises(MissingPartError, match="Spark needs Java 17 or later"):
        spark_session("local[1]")


@pytest.mark.usefixtures("no_java")
def test_an_old_java_is_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingPartError, match="Spark needs Java 17 or later"):
        java_home()


@pytest.mark.usefixtures("java")
def test_java_is_found() -> None:
    assert os.access(Path(java_home()) / "bin" / "java", os.X_OK)


@pytest.mark.parametrize("host", ["127.0.0.1", "nowhere.invalid"])
def test_a_master_that_does_not_answer_is_a_sentence(host: str) -> None:
    address = f"{host}:{free_port()}"
    with pytest.raises(InputError, match=f"no Spark master answers at spark://{address}"):
        spark_session(f"spark://{address}")


@pytest.mark.parametrize("master", ["", "spark://", "spark://host", "mesos://a:1", "local[", "h:1"])
def test_an_address_that_is_none_is_a_sentence(master: str) -> None:
    with pytest.raises(SettingError, match="is not a Spark master"):
        spark_session(master)


STARTING = "from sudare.engine.spark.session import spark_session; spark_session('local[1]')"


def test_a_java_that_does_not_start_spark_is_a_sentence(tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n")
    java.chmod(0o755)
    ran = subprocess.run(  # a process of its own: PySpark leaves a pipe open
        [sys.executable, "-c", STARTING],
        env={**os.environ, "JAVA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "does not start Spark; set JAVA_HOME" in ran.stderr


def marked(mark: str) -> list[str]:
    """Return the commands of the processes that were started with a mark, and still run."""
    commands = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                commands.append((process / "cmdline").read_bytes().decode())
        except OSError:  # it has ended, or is somebody else's
            continue
    return [command for command in commands if command]


def wait_until(there: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not there():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.usefixtures("java")
def test_a_start_that_is_interrupted_leaves_no_java_behind(tmp_path: Path) -> None:
    mark = f"SUDARE_STARTED_IN={tmp_path}"
    name, _, value = mark.partition("=")
    with subprocess.Popen(
        [sys.executable, "-c", STARTING],
        env={**os.environ, name: value},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as work:
        wait_until(lambda: any("java" in command for command in marked(mark)))
        work.send_signal(signal.SIGINT)
        work.wait(timeout=120)
    wait_until(lambda: marked(mark) == [])


@pytest.mark.usefixtures("java")
def test_an_interrupt_that_is_ignored_stays_so_in_a_session() -> None:
    ignored = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    interrupted = "signal.raise_signal(signal.SIGINT); print('goes on')"
    script = f"{ignored}; {STARTING}; {interrupted}"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert ran.stdout.decode().split("\n")[-2] == "goes on"
