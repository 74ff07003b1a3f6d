"""``sudare contest`` in processes of its own, as it is typed."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.contest.site.serving import PASSWORD
from tests.processes import end_with_parent

ENVIRONMENT = {"SUDARE_LANG": "en", "SUDARE_REFEREE_PASSWORD": PASSWORD}


def words(*given: object) -> list[str]:
    """The command line."""
    return [sys.executable, "-m", "sudare", "contest", *map(str, given)]


def told(*given: object) -> Any:
    """Run a command to its end and return the JSON that it prints."""
    done = subprocess.run(
        words(*given, "--json"),
        env={**os.environ, **ENVIRONMENT},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@contextmanager
def served(folder: Path, *, workers: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Serve a contest on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = words("serve", folder, "--port", port, "--workers", workers)
    process = subprocess.Popen(
        command,
        stderr=subprocess.DEVNULL,
        preexec_fn=end_with_parent,  # noqa: PLW1509 - it makes one system call
    )
    try:
        while True:
            assert process.poll() is None, "the server did not start"
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
