"""Edits of the recipes of a project: each returns the changes that the project file needs."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sudare.core import SettingError, unknown_name
from sudare.release import Project


@dataclass(frozen=True)
class RecipeEdits:
    """The recipes of a project file, to be edited.

    Examples
    --------
    >>> edits = RecipeEdits(({"name": "a", "steps": [{"method": "pram"}]},))
    >>> edits.duplicated("a", "b")["recipes"][1]["name"]
    'b'
    """

    recipes: tuple[Mapping[str, Any], ...]
    starred: str = ""  # the recipe that is chosen for the release

    @classmethod
    def of(cls, project: Project) -> "RecipeEdits":
        """Return the recipes that a project states."""
        return cls(tuple(project.sections.recipes), project.sections.release.recipe)

    @property
    def names(self) -> list[str]:
        """The names of the recipes."""
        return [str(recipe.get("name", "recipe")) for recipe in self.recipes]

    def steps(self, name: str) -> list[dict[str, Any]]:
        """Return the steps of a recipe, to be changed."""
        return copy.deepcopy(list(self.recipe(name).get("steps", [])))

    def free_name(self, wanted: str) -> str:
        """Return a name that no recipe has: the one wanted, or with a number behind it."""
        number, name = 2, wanted
        while name in self.names:
            number, name = number + 1, f"{wanted} {number}"
        return name

    def added(self, recipe: Mapping[str, Any]) -> dict[str, Any]:
        """Return the changes that add a recipe."""
        return {"recipes": [*map(_plain, self.recipes), _plain(recipe)]}

    def duplicated(self, name: str, copy_name: str) -> dict[str, Any]:
        """Return the changes that add a copy of a recipe under another name."""
        return self.added({**self.recipe(name), "name": copy_name})

    def removed(self, name: str) -> dict[str, Any]:
        """Return the changes that take a recipe away."""
        self.recipe(name)
        left = [_plain(r) for r, n in zip(self.recipes, self.names, strict=True) if n != name]
        return {"recipes": left or None, **self._chosen_after(name, None)}

    def renamed(self, name: str, new: str) -> dict[str, Any]:
        """Return the changes that give a recipe another name."""
        if not new.strip():
            raise SettingError("a variant needs a name.")
        if new != name and new in self.names:
            raise SettingError("there is a variant '{name}' already.", name=new)
        return {**self._changed(name, {"name": new}), **self._chosen_after(name, new)}

    def with_steps(self, name: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the changes that give a recipe other steps."""
        return self._changed(name, {"steps": steps})

    def step_moved(self, name: str, number: int, by: int) -> dict[str, Any]:
        """Return the changes that move a step up or down."""
        steps = self.steps(name)
        to = number + by
        if not 0 <= number < len(steps) or not 0 <= to < len(steps):
            raise SettingError("there is no such step.")
        steps.insert(to, steps.pop(number))
        return self.with_steps(name, steps)

    def step_removed(self, name: str, number: int) -> dict[str, Any]:
        """Return the changes that take a step away."""
        steps = self.steps(name)
        if not 0 <= number < len(steps):
            raise SettingError("there is no such step.")
        del steps[number]
        return self.with_steps(name, steps)

    def step_set(self, name: str, number: int, step: Mapping[str, Any]) -> dict[str, Any]:
        """Return the changes that put a step in a place, or behind the last one."""
        steps = self.steps(name)
        steps[number : number + 1] = [dict(step)]
        return self.with_steps(name, steps)

    def _changed(self, name: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        self.recipe(name)
        return {
            "recipes": [
                _plain({**recipe, **changes} if known == name else recipe)
                for recipe, known in zip(self.recipes, self.names, strict=True)
            ]
        }

    def _chosen_after(self, name: str, new: str | None) -> dict[str, Any]:
        """Return the change of what is released, where a recipe is renamed or taken away."""
        return {"release": {"recipe": new}} if name == self.starred else {}

    def recipe(self, name: str) -> Mapping[str, Any]:
        """Return what the project file says of a recipe."""
        if name not in self.names:
            raise unknown_name("recipe", name, self.names)
        return self.recipes[self.names.index(name)]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
