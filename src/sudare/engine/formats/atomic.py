"""Atomic writing: a file appears whole or not at all, and an old one stays until then."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sudare.core import OutputError


@contextmanager
def writing(path: str | os.PathLike[str], *, overwrite: bool = False) -> Iterator[Path]:
    """Give a path to write to; on success it takes the place of ``path``, else it vanishes.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with writing(folder / "a.txt") as draft:
    ...     _ = draft.write_text("whole")
    >>> (folder / "a.txt").read_text(), len(list(folder.iterdir()))
    ('whole', 1)
    """
    target = Path(path)
    check_free(target, overwrite=overwrite)
    draft = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        draft.touch(mode=target.stat().st_mode if target.exists() else 0o666)  # stays as private
        yield draft
        with draft.open("rb+") as written:
            os.fsync(written.fileno())
        draft.replace(target)
    except OSError as error:
        raise OutputError(
            "could not write '{path}': {reason}; what was there before is unchanged.",
            path=str(target),
            reason=error.strerror or str(error) or type(error).__name__,
        ) from error
    finally:
        draft.unlink(missing_ok=True)


def check_free(path: Path, *, overwrite: bool) -> None:
    """Refuse a path that cannot be written, before any work is done."""
    if path.is_dir():
        raise OutputError("'{path}' is a directory; give a file name.", path=str(path))
    if not path.parent.is_dir():
        raise OutputError("there is no directory '{path}'.", path=str(path.parent))
    if path.exists() and not overwrite:
        raise OutputError(
            "'{path}' exists; choose another name, or allow overwriting (overwrite=True, --force).",
            path=str(path),
        )
