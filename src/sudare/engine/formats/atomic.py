"""Files in and out: no output replaces an input, and a file appears whole or not at all."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from sudare.core import InputError, OutputError, say
from sudare.engine.formats.temporary import remove_leftovers, temporary_name

_INPUTS: ContextVar[set[Path] | None] = ContextVar("inputs", default=None)
_PRIVATE = 0o600
_PLAIN = 0o666  # less what the user's umask takes away


@contextmanager
def protecting_inputs() -> Iterator[None]:
    """Refuse, in the block, to write over a file that the block has read, or to remove it.

    Examples
    --------
    >>> import tempfile
    >>> table = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = table.write_text("a")
    >>> with protecting_inputs():  # doctest: +ELLIPSIS
    ...     check_there(table)
    ...     refuse_inputs(table)
    Traceback (most recent call last):
        ...
    sudare.core.errors.OutputError: ... is a file that is read; choose another name...
    """
    token = _INPUTS.set(set())
    try:
        yield
    finally:
        _INPUTS.reset(token)


def note_inputs(*paths: Path | None) -> None:
    """Take files, or folders of files, for inputs: read already, or to be read later."""
    inputs = _INPUTS.get()
    if inputs is not None:
        inputs.update(path.absolute() for path in paths if path is not None)


def check_there(path: Path) -> None:
    """Refuse a path without a file, or a pipe, which can be read only once, or never.

    The file is an input from now on.
    """
    if path.is_dir():
        raise InputError("'{path}' is a directory; give a file.", path=str(path))
    if not path.exists():
        raise InputError("there is no file '{path}'.", path=str(path))
    if not path.is_file():
        raise InputError(
            "'{path}' is a pipe or a device, not a file; save what it gives to a file first.",
            path=str(path),
        )
    note_inputs(path)


def utf8_text(path: Path) -> str:
    """Return the text of a file; a mark that editors put at the start is left out."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("'{path}' is not UTF-8; save it as UTF-8.", path=str(path)) from None


def toml_content(text: str, path: Path) -> dict[str, Any]:
    """Return what a text in TOML holds; the path says in errors where it is from."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(
            "'{path}' is not a TOML file: {reason}.", path=str(path), reason=say("nested too deep")
        ) from None
    except ValueError as error:  # also numbers of too many digits
        raise InputError(
            "'{path}' is not a TOML file: {reason}.", path=str(path), reason=str(error)
        ) from None


def refuse_inputs(*outputs: Path) -> None:
    """Refuse outputs that lead to an input, by whatever name, or into a folder that is one."""
    for path in outputs:
        places = (path, *path.resolve().parents)
        read = [g for g in _INPUTS.get() or () if any(_same(output, g) for output in places)]
        if read and read[0].is_dir():
            raise OutputError(
                "'{given}' is a folder that is read, and '{path}' is inside it; give a file, or "
                "write elsewhere.",
                given=str(read[0]),
                path=str(path),
            )
        if read:
            raise OutputError(
                "'{path}' is a file that is read; choose another name for what is written.",
                path=str(path),
            )


def check_apart(folder: Path) -> None:
    """Refuse to replace a folder that is an input or contains one."""
    for given in _INPUTS.get() or ():
        above = {given, *given.parents, given.resolve(), *given.resolve().parents}
        if any(_same(folder, parent) for parent in above):
            raise OutputError(
                "'{path}' holds a file that is read; choose another folder.", path=str(folder)
            )


def _same(path: Path, given: Path) -> bool:
    return path.exists() and given.exists() and path.samefile(given)


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
    that was read. A symbolic link stays: the file that it leads to is replaced. Without
    ``overwrite``, nor is a file replaced that another command has written meanwhile.

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
    real = Path(os.path.realpath(target)) if target.is_symlink() else target
    remove_leftovers(real.parent)
    draft = real.with_name(f"{temporary_name()}.part")
    try:
        kept = real.stat().st_mode if real.exists() else _PLAIN  # stays as private
        draft.touch(mode=_PRIVATE if private else kept & _PLAIN)
        yield draft
        with draft.open("rb+") as written:
            os.fsync(written.fileno())
        _put(draft, real, overwrite=overwrite)
    except OSError as error:
        raise OutputError(
            "could not write '{path}': {reason}; what was there before is unchanged.",
            path=str(target),
            reason=error.strerror or str(error) or type(error).__name__,
        ) from error
    finally:
        with suppress(OSError):  # where nothing can be removed, nothing was written
            draft.unlink(missing_ok=True)


def _put(draft: Path, real: Path, *, overwrite: bool) -> None:
    if not overwrite:
        with suppress(OSError):  # a file system without links, or another command was faster
            os.link(draft, real)
            return
        check_free(real, overwrite=False)
    draft.replace(real)


def check_all_free(*paths: Path | None, overwrite: bool) -> None:
    """Refuse paths that cannot be written, or two that lead to one file: the second would win."""
    outputs = [path for path in paths if path is not None]
    for number, path in enumerate(outputs):
        check_free(path, overwrite=overwrite)
        if os.path.realpath(path) in map(os.path.realpath, outputs[:number]):
            raise OutputError(
                "'{path}' is given for two different outputs; choose another name for one of them.",
                path=str(path),
            )


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
