"""Which project belongs to a table: the only one in its folder that names it."""

from collections.abc import Mapping
from pathlib import Path

from sudare.core import InputError
from sudare.engine.formats import toml_content, utf8_text

ENDING = ".sudare.toml"


def projects_in(folder: Path) -> list[Path]:
    """Return the project files of a folder, by name."""
    return sorted(path for path in folder.glob(f"*{ENDING}") if path.is_file())


def projects_for(source: Path) -> list[Path]:
    """Return the project files in the folder of a table that name it as their source."""
    return [path for path in projects_in(source.parent) if _names(path, source)]


def only_one(projects: list[Path], folder: Path) -> Path:
    """Return the only project; refuse none and several, which are named."""
    if not projects:
        raise InputError(
            "there is no project in '{folder}'; make one: sudare init data.csv.",
            folder=str(folder),
        )
    if len(projects) > 1:
        raise InputError(
            "there are several projects in '{folder}': {projects}; say which one with -p.",
            folder=str(folder),
            projects=", ".join(path.name for path in projects),
        )
    return projects[0]


def read_text(path: Path) -> str:
    """Return the text of a project file."""
    if not path.is_file():
        raise InputError("there is no file '{path}'.", path=str(path))
    return utf8_text(path)


def _names(path: Path, source: Path) -> bool:
    data = toml_content(read_text(path), path).get("data")
    given = data.get("source") if isinstance(data, Mapping) else None
    return isinstance(given, str) and (path.parent / given).resolve() == source.resolve()
