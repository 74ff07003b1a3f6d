"""Temporary files and folders: private, gone when nobody needs them, and swept up after a crash.

Raw records go to files without a name, which the machine frees however the process ends. Names,
where there are any, say which process of which machine made them, so that the next one can remove
what a killed one left behind, and nothing else.
"""

import hashlib
import os
import platform
import secrets
import shutil
import tempfile
import weakref
from functools import cache
from pathlib import Path

from sudare.core import OutputError

_PREFIX = ".sudare"


class Folder:
    """A folder that only its owner can read and that is there as long as this object is.

    Parameters
    ----------
    parent
        Where it is; by default where the machine has temporary files.

    Examples
    --------
    >>> folder = Folder()
    >>> path = folder.path
    >>> del folder
    >>> path.exists()
    False
    """

    def __init__(self, parent: Path | None = None) -> None:
        try:
            where = _for_temporary_files() if parent is None else parent
            remove_leftovers(where)
            self.path = where / temporary_name()
            self._finalizer = weakref.finalize(self, _remove_folder, self.path)
            self.path.mkdir(mode=0o700)
        except OSError as error:
            raise _unmade(parent, error) from error

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self._finalizer()


class UnnamedFile:
    """A file for raw records that no folder lists; it is there as long as this object is.

    However the process ends, killed or not, the machine frees it. Where files cannot be without a
    name (Windows), it is in a :class:`Folder` of its own.

    Attributes
    ----------
    path
        What this process, and no other, opens it by.

    Examples
    --------
    >>> file = UnnamedFile()
    >>> file.path.write_bytes(b"secret"), file.path.read_bytes()
    (6, b'secret')
    """

    def __init__(self) -> None:
        if os.name != "posix":  # pragma: no cover
            self._folder = Folder()
            self.path = self._folder.path / "records"
            return
        try:
            with tempfile.TemporaryFile(dir=_for_temporary_files()) as file:
                descriptor = os.dup(file.fileno())
        except OSError as error:
            raise _unmade(None, error) from error
        weakref.finalize(self, os.close, descriptor)
        self.path = Path(f"/dev/fd/{descriptor}")


def _for_temporary_files() -> Path:
    """Return the folder that was chosen: raw records must not go to another disk in its place."""
    return Path(os.environ.get("TMPDIR") or tempfile.gettempdir()).absolute()


def _unmade(parent: Path | None, error: OSError) -> OutputError:
    return OutputError(
        "could not make a temporary folder in '{path}': {reason}.",
        path=str(parent or os.environ.get("TMPDIR") or "/tmp"),  # noqa: S108 - for the reader
        reason=error.strerror or type(error).__name__,
    )


def temporary_name() -> str:
    """Return a name that nothing has yet, and that says which process it belongs to."""
    return f"{_PREFIX}-{_machine()}-{os.getpid()}-{_started(os.getpid())}-{secrets.token_hex(8)}"


def remove_leftovers(folder: Path | None = None) -> None:
    """Remove what processes that are gone left in a folder; what lives, or is not ours, stays.

    By default the folder is that of the machine's temporary files.
    """
    try:
        folder = _for_temporary_files() if folder is None else folder
        names = [entry.name for entry in os.scandir(folder) if entry.name.startswith(_PREFIX)]
    except OSError:
        return  # a later write reports the reason
    for name in names:
        if _is_leftover(name):
            _remove(folder / name)


def _is_leftover(name: str) -> bool:
    machine, pid, started, token = (*name.split("-")[1:], "", "", "", "")[:4]
    ours = machine == _machine() and pid.isdecimal() and started.isdecimal() and bool(token)
    return ours and _started(int(pid)) != int(started)


def _remove_folder(path: Path) -> None:
    try:
        shutil.rmtree(path, ignore_errors=True)
    except KeyboardInterrupt:  # it comes once
        shutil.rmtree(path, ignore_errors=True)
        raise


def _remove(path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            _remove_folder(path)
        else:
            path.unlink(missing_ok=True)
    except OSError:
        return  # of another user, or on a file system that is read-only


@cache
def _machine() -> str:
    """Return what tells this machine, and this container on it, from others on shared disks."""
    try:
        space = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - it leads nowhere
    except OSError:
        space = ""
    return hashlib.sha256(f"{platform.node()} {space}".encode()).hexdigest()[:12]


def _started(pid: int) -> int:
    """Return when a living process started, in ticks of the machine; -1 where there is none.

    Where the machine does not tell, 0 of every process that lives.
    """
    if not Path("/proc/self/stat").exists():
        return 0 if _lives(pid) else -1
    try:
        facts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return -1
    return int(facts.rpartition(")")[2].split()[19])


def _lives(pid: int) -> bool:
    if os.name != "posix":
        return True  # asking would end it there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
