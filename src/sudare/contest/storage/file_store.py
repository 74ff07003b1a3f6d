"""Files by what they hold: each under the hash of its content, whole or not at all."""

import hashlib
import os
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sudare.contest.errors import EntryError, NotFoundError

_BLOCK = 1 << 20
_STALE_SECONDS = 3600.0  # after which a file that is still being received is given up


class FileStore:
    """A folder of files that never change; what was stored twice is there once.

    Examples
    --------
    >>> import tempfile
    >>> store = FileStore(Path(tempfile.mkdtemp()))
    >>> key = store.put([b"1,2", b",3"])
    >>> store.path(key).read_bytes(), store.put([b"1,2,3"]) == key
    (b'1,2,3', True)
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.incoming = folder / "incoming"
        self.incoming.mkdir(parents=True, exist_ok=True, mode=0o700)

    def draft(self) -> Path:
        """Return the path of a new file, to write to and then to :meth:`take`."""
        path = self.incoming / f"{secrets.token_hex(16)}.part"
        path.touch(mode=0o600)
        return path

    def put(self, blocks: Iterable[bytes], *, most: int | None = None) -> str:
        """Store content that comes in blocks; return its hash. Nothing larger than ``most``."""
        draft = self.draft()
        try:
            size = 0
            with draft.open("wb") as file:
                for block in blocks:
                    size += len(block)
                    _check_size(size, most)
                    file.write(block)
            return self.take(draft)
        finally:
            draft.unlink(missing_ok=True)

    def put_file(self, path: Path, *, most: int | None = None) -> str:
        """Store a copy of a file; return its hash."""
        with path.open("rb") as file:
            return self.put(iter(lambda: file.read(_BLOCK), b""), most=most)

    def receive(self, path: Path, *, most: int | None = None) -> str:
        """Move a file into the store that was written to ``incoming``, else copy it."""
        if path.parent == self.incoming:
            return self.take(path, most=most)
        return self.put_file(path, most=most)

    def take(self, draft: Path, *, most: int | None = None) -> str:
        """Move a file of the same file system into the store; return its hash."""
        if draft.is_symlink() or not draft.is_file():  # its author may have replaced it
            raise EntryError("only plain files are taken.")
        _check_size(draft.stat().st_size, most)
        with draft.open("rb+") as file:
            key = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        target = self._path(key)
        target.parent.mkdir(exist_ok=True, mode=0o700)
        draft.replace(target)
        _sync_folder(target.parent)
        return key

    def path(self, key: str) -> Path:
        """Return where a content is stored."""
        path = self._path(key)
        if not path.is_file():
            raise NotFoundError("contest: a file is missing from the store.")
        return path

    def sweep(self, *, now: float | None = None) -> int:
        """Remove what uploads that broke off have left behind; return how many files."""
        oldest = (time.time() if now is None else now) - _STALE_SECONDS
        removed = 0
        for path in self.incoming.iterdir():
            with suppress(FileNotFoundError):  # it has arrived meanwhile
                if path.stat().st_mtime < oldest:
                    path.unlink()
                    removed += 1
        return removed

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]


def _check_size(size: int, most: int | None) -> None:
    if most is not None and size > most:
        raise EntryError("the file is larger than {limit} bytes.", limit=most)


def _sync_folder(folder: Path) -> None:
    """Wait until the name itself is on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
