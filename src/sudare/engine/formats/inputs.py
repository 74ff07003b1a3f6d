"""What can be read at all, and what was read: an input of a command is never its output."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from sudare.core import InputError, OutputError, say

_INPUTS: ContextVar[set[Path] | None] = ContextVar("inputs", default=None)


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
    """Refuse a path without a file; a pipe is none, as it can be read only once, or never.

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
                "'{given}', which is to be read, is a folder, and '{path}' lies in it; give a "
                "file, or write elsewhere.",
                given=str(read[0]),
                path=str(path),
            )
        if read:
            raise OutputError(
                "'{path}' is a file that is read; choose another name for what is written.",
                path=str(path),
            )


def check_apart(folder: Path) -> None:
    """Refuse a folder that is to be replaced and that is an input, or in which one is."""
    for given in _INPUTS.get() or ():
        above = {given, *given.parents, given.resolve(), *given.resolve().parents}
        if any(_same(folder, parent) for parent in above):
            raise OutputError(
                "'{path}' holds a file that is read; choose another folder.", path=str(folder)
            )


def _same(path: Path, given: Path) -> bool:
    return path.exists() and given.exists() and path.samefile(given)
