"""Work for the tests of jobs; the processes of jobs import it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from sudare.core import SettingError
from sudare.web import ReportProgress


def add(report: ReportProgress, *numbers: int) -> int:
    """Add numbers, reporting half-way."""
    report("Progress", 0.5)
    return sum(numbers)


def refuse(_report: ReportProgress) -> None:
    """Meet an error that the user can understand."""
    raise SettingError("contest: {name} must be text.", name="title")


def stumble(_report: ReportProgress) -> None:
    """Meet one that nobody expected."""
    raise ValueError("a cell of the data")


def die(_report: ReportProgress) -> None:
    """End as the system ends a process when memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(report: ReportProgress, path: Path) -> None:
    """Start a process, write down the numbers of both, and sleep, deaf to requests to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    path.write_text(f"{os.getpid()} {child.pid}")
    report("Progress", 0.1)
    time.sleep(600)


def wait_for(report: ReportProgress, path: Path) -> bool:
    """Go on when a file is there."""
    report("Progress", 0.1)
    while not path.exists():
        time.sleep(0.02)
    return True
