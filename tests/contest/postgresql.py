"""A real PostgreSQL for the tests: a cluster of its own in a folder that vanishes afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


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
    """Run a server that listens on a socket in the folder that is given."""
    folder = Path(tempfile.mkdtemp(prefix="sudare-pg-"))
    user, group = _owner() or (None, None)
    if user is not None and group is not None:
        os.chown(folder, user, group)

    def run(*words: str) -> None:
        done = subprocess.run(
            [programs / words[0], *words[1:]],
            user=user,
            group=group,
            cwd=folder,
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
        )
        assert done.returncode == 0, done.stderr.decode()

    data = str(folder / "data")
    run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync")
    options = f"-c listen_addresses='' -c fsync=off -c max_connections=200 -k {folder}"
    run("pg_ctl", "-D", data, "-w", "-o", options, "-l", str(folder / "log"), "start")
    try:
        yield folder
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


def new_schema(folder: Path, name: str) -> str:
    """Make an empty schema and return the address of a database that has no other."""
    with psycopg.connect(host=str(folder), user="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"postgresql://postgres@/postgres?host={folder}&options=-csearch_path%3D{name}"
