"""Files that a project or recipe names: inside its folder, unless another place is allowed."""

from collections.abc import Iterable
from pathlib import Path

from sudare.core import InputError


def confined(folder: Path, given: str, allowed: Iterable[Path] = ()) -> Path:
    """Return the path that a project or recipe names; refuse one outside its folder.

    Links are followed first, so that none leads out.

    Parameters
    ----------
    folder
        The folder of the project or recipe.
    given
        What it says, as a rule relative to the folder.
    allowed
        Further folders, or files, that may be named.
    """
    path = (folder / given).resolve()
    if not any(path.is_relative_to(parent.resolve()) for parent in (folder, *allowed)):
        raise InputError(
            "'{path}' is outside '{folder}', the folder of the file that names it; move it there, "
            "or allow its place (--allow-path, allow_paths=).",
            path=given,
            folder=str(folder),
        )
    return path
