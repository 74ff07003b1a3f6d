"""The folder of a release: it appears whole or not at all, and an old one stays until then."""

import ctypes
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sudare.core import OutputError
from sudare.engine.formats import Folder, check_apart

_WRITTEN = {"masked", "report", "ledger", "recipe", "codebook"}  # what a release consists of
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux


def write_folder(target: Path, fill: Callable[[Path], None], *, overwrite: bool) -> Path:
    """Write a folder that appears whole or not at all; an old one stays until then."""
    check_apart(target)
    if target.exists() and not overwrite:
        raise _exists(target)
    if target.exists() and not _is_release(target):
        raise OutputError(
            "'{path}' is not an old release: it holds other files, which would be lost; choose "
            "another folder.",
            path=str(target),
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with Folder(target.parent) as draft:
            _fill(draft, fill, target)
            draft.chmod(0o755)
            # Another command may have made the folder since; to rename onto it then fails.
            (_replace if overwrite else Path.rename)(draft, target)
    except OSError as error:
        if target.exists() and not overwrite:
            raise _exists(target) from error
        raise OutputError(
            "could not write '{path}': {reason}; what was there before is unchanged.",
            path=str(target),
            reason=error.strerror or type(error).__name__,
        ) from error
    return target


def _exists(target: Path) -> OutputError:
    return OutputError(
        "'{path}' exists; choose another name, or allow overwriting (overwrite=True, --force).",
        path=str(target),
    )


def _is_release(target: Path) -> bool:
    """Return whether a folder holds nothing but files that a release consists of."""
    return target.is_dir() and all(
        path.is_file() and path.stem in _WRITTEN for path in target.iterdir()
    )


def _fill(draft: Path, fill: Callable[[Path], None], target: Path) -> None:
    """Write the files; one that cannot be written is called as it would have been in the end."""
    try:
        fill(draft)
    except OutputError as error:
        written = {
            name: fact.replace(str(draft), str(target)) if isinstance(fact, str) else fact
            for name, fact in error.facts.items()
        }
        raise OutputError(error.template, **written) from error


def _replace(draft: Path, target: Path) -> None:
    """Put a folder in the place of another, which goes only once the new one stands."""
    if _exchanged(draft, target):
        return  # the old folder goes as the draft
    if not target.exists():
        draft.rename(target)
        return
    # Under a name that nobody sweeps up: until the new folder stands, it is the only release.
    old = target.with_name(f".{target.name}.{secrets.token_hex(8)}.old")
    try:
        target.rename(old)
        draft.rename(target)
    finally:
        if old.exists() and not target.exists():
            old.rename(target)
        elif old.exists():
            with Folder(target.parent) as leaving:
                old.rename(leaving / "old")


def _exchanged(draft: Path, target: Path) -> bool:
    """Exchange two folders at once, so that there is a release at any moment; Linux only."""
    rename: Any = None
    if sys.platform == "linux":
        rename = getattr(ctypes.CDLL(None), "renameat2", None)  # not on every libc
    first, second = os.fsencode(draft), os.fsencode(target)
    return rename is not None and rename(_HERE, first, _HERE, second, _EXCHANGE) == 0
