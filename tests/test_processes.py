"""A test run that is killed leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

RUN = """
import subprocess, sys, time
from tests.processes import end_with_parent
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
child = subprocess.Popen(sleep, preexec_fn=end_with_parent, start_new_session=True)
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system to end children")
def test_servers_of_a_killed_run_end_with_it() -> None:
    root = Path(__file__).parents[1]
    with subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=root, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        child = Path(f"/proc/{int(run.stdout.readline())}")
        os.kill(run.pid, signal.SIGKILL)
    until = time.monotonic() + 30
    while child.exists() and "Z" not in child.joinpath("stat").read_text().rpartition(")")[2][:3]:
        assert time.monotonic() < until
        time.sleep(0.05)
