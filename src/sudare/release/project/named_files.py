"""Hierarchies, trees and graphs: those that a project declares, and the files that it names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from sudare.core import Declared, LargeTable, Microdata
from sudare.describe import Hierarchy, Tree
from sudare.release.recipe import Recipe

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
        Returns the path of a file by the name that the project gives it, or refuses it.
    """
    held: dict[str, Any] = {
        name: {column: _read(name, given, find) for column, given in told.items()}
        for name in FILE_SETTINGS
        if (told := getattr(method, name, None))
    }
    return replace(method, **held) if held else method  # type: ignore[type-var]


def _read(setting: str, given: object, find: Find) -> object:
    if not isinstance(given, str | Path):
        return given
    path = find(str(given))
    if setting == "hierarchies":
        return Hierarchy.read(path)
    if setting == "trees":
        return {str(child): str(up) for child, up in Tree.read(path).parents.items()}
    return str(path)


def with_hierarchies(
    recipe: Recipe, hierarchies: Mapping[str, Any], data: Microdata | LargeTable
) -> Recipe:
    """Return a recipe whose steps know the hierarchies of the columns that they look at.

    A hierarchy that a step states itself stays.
    """
    if not hierarchies:
        return recipe
    prepared = recipe.prepare(data)
    return replace(
        recipe, maskers=[_informed(masker, hierarchies, prepared) for masker in recipe.maskers]
    )


def _informed(masker: Any, hierarchies: Mapping[str, Any], data: Any) -> Any:
    if not hasattr(masker, "hierarchies"):
        return masker
    looked_at = set(masker.looks_at(data))
    known = {name: told for name, told in hierarchies.items() if name in looked_at}
    merged = {**known, **(masker.hierarchies or {})}
    return replace(masker, hierarchies=merged) if merged else masker
