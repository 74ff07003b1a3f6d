"""The PostgreSQL of the tests ends with the process that started it."""

import subprocess
import sys
import time
from pathlib import Path

from tests.contest import postgresql

_RUN = """
from tests.contest.postgresql import binaries, cluster
with cluster(binaries()) as folder:
    print(folder, flush=True)
    input()
"""


def test_a_killed_run_leaves_no_server_and_the_next_start_no_folder(server: Path) -> None:
    del server  # skips where there is no PostgreSQL
    words = [sys.executable, "-c", _RUN]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        folder = Path(run.stdout.readline().strip())
        assert postgresql.answers(folder)
        run.kill()
    while postgresql.answers(folder):  # until the kernel has stopped it
        time.sleep(0.05)
    postgresql.remove_stale_folders()
    assert not folder.exists()
