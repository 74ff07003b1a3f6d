"""Atomic writing: a file appears whole or not at all, and an old one stays until then."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sudare.core import OutputError
from sudare.engine.formats.inputs import refuse_inputs
from sudare.engine.formats.temporary import remove_leftovers, temporary_name

_PRIVATE = 0o600


@contextmanager
def writing(
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    private: bool = False,
    updates: bool = False,
) -> Iterator[Path]:
    """Give a path to write to; on success it takes the place of ``path``, else it vanishes.

    What is ``private`` can be read by its owner alone. What ``updates`` a file may replace one
    that was read.

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
    check_free(target, overwrite=overwrite, updates=updates)
    remove_leftovers(target.parent)
    draft = target.with_name(f"{temporary_name()}.part")
    try:
        kept = target.stat().st_mode if target.exists() else 0o666  # stays as private
        draft.touch(mode=_PRIVATE if private else kept)
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
        with suppress(OSError):  # where nothing can be removed, nothing was written
            draft.unlink(missing_ok=True)


def check_free(path: Path, *, overwrite: bool, updates: bool = False) -> None:
    """Refuse a path that cannot be written, before any work is done.

    One that leads to an input of the command is refused even where files may be overwritten, unless
    what is written ``updates`` it.
    """
    if path.is_dir():
        raise OutputError("'{path}' is a directory; give a file name.", path=str(path))
    if not path.parent.is_dir():
        raise OutputError("there is no directory '{path}'.", path=str(path.parent))
    if path.exists() and not path.is_file():
        raise OutputError("'{path}' is not a file but a pipe or a device.", path=str(path))
    if not updates:
        refuse_inputs(path)
    if path.exists() and not overwrite:
        raise OutputError(
            "'{path}' exists; choose another name, or allow overwriting (overwrite=True, --force).",
            path=str(path),
        )
