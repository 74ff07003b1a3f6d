"""Where machine code is kept between two processes: a folder that only its owner can write.

A file is named by all that its content depends on and begins with the hash of its content, so that
a file that is damaged or foreign is not used. Where there is no such folder, nothing is kept.
"""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

FOLDER = "SUDARE_CACHE"  # the variable of the environment that names another folder
_DIGEST = hashlib.sha256().digest_size


def cached(key: str) -> bytes | None:
    """Return the code of a key, or None where none can be trusted."""
    folder = _folder()
    if folder is None:
        return None
    try:
        content = (folder / key).read_bytes()
    except OSError:
        return None
    digest, code = content[:_DIGEST], content[_DIGEST:]
    return code if hashlib.sha256(code).digest() == digest else None


def keep(key: str, code: bytes) -> None:
    """Keep the code of a key, whole or not at all, whatever other processes do meanwhile."""
    folder = _folder()
    if folder is None:
        return
    with suppress(OSError):  # a full or read-only disk: it is compiled again next time
        handle, name = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            Path(name).replace(folder / key)
        except OSError:
            Path(name).unlink()
            raise


@lru_cache(maxsize=1)
def _folder() -> Path | None:
    for folder in _candidates():
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours(folder) and os.access(folder, os.W_OK | os.X_OK):
                return folder
    return None


def _candidates() -> Iterator[Path]:
    if os.environ.get(FOLDER):
        yield Path(os.environ[FOLDER])
        return
    if os.environ.get("XDG_CACHE_HOME"):
        yield Path(os.environ["XDG_CACHE_HOME"]) / "sudare" / "kernels"
    elif sys.platform == "win32":
        if os.environ.get("LOCALAPPDATA"):
            yield Path(os.environ["LOCALAPPDATA"]) / "sudare" / "kernels"
    else:
        with suppress(RuntimeError):  # a container without a home
            home = "Library/Caches" if sys.platform == "darwin" else ".cache"
            yield Path.home() / home / "sudare" / "kernels"
    owner = str(os.getuid()) if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"sudare-kernels-{owner}"


def _is_ours(folder: Path) -> bool:
    """Return whether a folder is the user's own, and nobody else can write into it."""
    if not hasattr(os, "getuid"):
        return True  # profiles of Windows are closed to other users
    status = folder.lstat()
    open_to_others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not open_to_others
