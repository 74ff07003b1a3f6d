"""Atomic writing: a file appears whole or not at all, and an old one stays until then."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sudare.core import OutputError
from sudare.engine.formats.temporary import remove_leftovers, temporary_name

_PRIVATE = 0o600


@contextmanager
def writing(
    path: str | os.PathLike[str], *, overwrite: bool = False, private: bool = False
) -> Iterator[Path]:
    """Give a path to write to; on success it takes the place of ``path``, else it vanishes.

    What is ``private`` can be read by its owner alone.

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


def check_free(path: Path, *, overwrite: bool, inputs: Iterable[Path | None] = ()) -> None:
    """Refuse a path that cannot be written, before any work is done.

    One that leads to an input, by whatever name, is refused even where files may be overwritten.
    """
    if path.is_dir():
        raise OutputError("'{path}' is a directory; give a file name.", path=str(path))
    if not path.parent.is_dir():
        raise OutputError("there is no directory '{path}'.", path=str(path.parent))
    if path.exists() and not path.is_file():
        raise OutputError("'{path}' is not a file but a pipe or a device.", path=str(path))
    if any(_same_file(path, given) for given in inputs):
        raise OutputError(
            "'{path}' is the file that is read; choose another name for what is written.",
            path=str(path),
        )
    if path.exists() and not overwrite:
        raise OutputError(
            "'{path}' exists; choose another name, or allow overwriting (overwrite=True, --force).",
            path=str(path),
        )


def check_apart(folder: Path, inputs: Iterable[Path | None]) -> None:
    """Refuse a folder that is to be replaced and in which an input is."""
    if not folder.is_dir():
        return
    for given in inputs:
        above = given.resolve().parents if given is not None else ()
        if any(_same_file(folder, parent) for parent in above):
            raise OutputError(
                "'{path}' holds a file that is read; choose another folder.", path=str(folder)
            )


def _same_file(path: Path, given: Path | None) -> bool:
    return given is not None and path.exists() and given.exists() and path.samefile(given)
