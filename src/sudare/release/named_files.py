"""Hierarchies, trees and graphs in files that a project or recipe names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from sudare.core import Declared
from sudare.describe import Hierarchy, Tree

# Settings that hold, by column, a file or what a file says.
FILE_SETTINGS = ("hierarchies", "trees", "graphs")

Method = TypeVar("Method", bound=Declared)
Find = Callable[[str], Path]


def with_files(method: Method, find: Find) -> Method:
    """Return a method that holds what its files say, so that its recipe works elsewhere too.

    Parameters
    ----------
    method
        A masker or a measure.
    find
        Returns the path of a file by the name that was given, or refuses it.
    """
    held: dict[str, Any] = {
        name: read_files(name, told, find)
        for name in FILE_SETTINGS
        if isinstance(told := getattr(method, name, None), Mapping) and told
    }
    return replace(method, **held) if held else method


def read_files(setting: str, told: Mapping[str, Any], find: Find) -> dict[str, Any]:
    """Return a setting by column with what its files say."""
    return {column: _read(setting, given, find) for column, given in told.items()}


def _read(setting: str, given: object, find: Find) -> object:
    if setting == "hierarchies" and isinstance(given, Mapping) and set(given) == {"ways"}:
        return Hierarchy.of(given["ways"])  # as a released recipe holds what its files say
    if not isinstance(given, str | Path):
        return given
    path = find(str(given))
    if setting == "hierarchies":
        return Hierarchy.read(path)
    if setting == "trees":
        return {str(child): str(up) for child, up in Tree.read(path).parents.items()}
    return str(path)
