"""What can be read at all: a file that is there, and that is a file."""

from pathlib import Path

from sudare.core import InputError


def check_there(path: Path) -> None:
    """Refuse a path without a file; a pipe is none, as it can be read only once, or never."""
    if path.is_dir():
        raise InputError("'{path}' is a directory; give a file.", path=str(path))
    if not path.exists():
        raise InputError("there is no file '{path}'.", path=str(path))
    if not path.is_file():
        raise InputError(
            "'{path}' is a pipe or a device, not a file; save what it gives to a file first.",
            path=str(path),
        )
