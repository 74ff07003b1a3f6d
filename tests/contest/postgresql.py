"""A real PostgreSQL for the tests: a cluster of its own in a folder that vanishes afterwards."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg

from tests.processes import end_with_parent

_PREFIX = "sudare-pg-"


def binaries() -> Path | None:
    """Return where initdb and pg_ctl are: on the path, or where Debian puts them."""
    program = shutil.which("initdb")
    if program:
        return Path(program).parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


def _owner() -> tuple[int, int] | None:
    """Return the user who runs the server: root may not, and becomes postgres."""
    if os.geteuid() != 0:
        return None
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        user = pwd.getpwnam("nobody")
    return user.pw_uid, user.pw_gid


@contextmanager
def cluster(programs: Path) -> Iterator[Path]:
    """Run a server that listens on a socket in the folder that is given.

    It is a child of this process and ends with it, however that ends; the folder of a process that
    was killed goes when the next one starts.
    """
    remove_stale_folders()
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    user, group = _owner() or (None, None)
    if user is not None and group is not None:
        os.chown(folder, user, group)

    def started(program: str, *words: str) -> subprocess.Popen[bytes]:
        with (folder / "log").open("ab") as log:
            return subprocess.Popen(
                [programs / program, "-D", str(folder / "data"), *words],
                user=user,
                group=group,
                cwd=folder,
                stdout=log,
                stderr=log,
                env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
                preexec_fn=partial(end_with_parent, signal.SIGQUIT),  # noqa: PLW1509 - one system call
            )

    made = started("initdb", "-U", "postgres", "--auth=trust", "--no-sync")
    assert made.wait() == 0, (folder / "log").read_text()
    settings = ("listen_addresses=", "fsync=off", "max_connections=200")
    options = [word for setting in settings for word in ("-c", setting)]
    server = started("postgres", "-k", str(folder), *options)
    try:
        while not answers(folder):
            assert server.poll() is None, (folder / "log").read_text()
        yield folder
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait()
        shutil.rmtree(folder)


def answers(folder: Path) -> bool:
    """Return whether the server of a folder takes connections."""
    try:
        psycopg.connect(host=str(folder), user="postgres", connect_timeout=60).close()
    except psycopg.OperationalError:
        time.sleep(0.05)
        return False
    return True


def remove_stale_folders() -> None:
    """Remove the folders of processes that are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of somebody else
        return True
    return True


def new_schema(folder: Path, name: str) -> str:
    """Make an empty schema and return the address of a database that has no other."""
    with psycopg.connect(host=str(folder), user="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"postgresql://postgres@/postgres?host={folder}&options=-csearch_path%3D{name}"
