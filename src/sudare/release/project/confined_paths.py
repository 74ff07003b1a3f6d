"""Files that a project names: inside its own folder, unless the caller allows another place."""

from collections.abc import Iterable
from pathlib import Path

from sudare.core import InputError


def confined(folder: Path, given: str, allowed: Iterable[Path] = ()) -> Path:
    """Return the path that a project names; refuse one outside its folder.

    Links are followed first, so that none leads out.

    Parameters
    ----------
    folder
        The folder of the project.
    given
        What the project says, as a rule relative to the folder.
    allowed
        Further folders, or files, that may be named.
    """
    path = (folder / given).resolve()
    places = [folder, *allowed]
    if not any(path.is_relative_to(place.resolve()) for place in places):
        raise InputError(
            "the project names '{path}', which is outside its folder '{folder}'; move the file "
            "there, or allow its place (--allow-path, allow_paths=).",
            path=given,
            folder=str(folder),
        )
    return path
