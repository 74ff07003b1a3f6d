"""Recipes: roles and masking steps in a TOML file that anybody can read and replay.

::

    name = "coarse regions"

    [roles]
    region = "key"

    [[steps]]
    method = "global-recode"
    min_share = 0.05

The recipe of a release says more, so that it can be replayed elsewhere: every setting, how the
original is read, versions, and how the released file was written.
"""

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from sudare.catalog import entry_of, masker
from sudare.core import (
    AnyMasker,
    Declared,
    InputError,
    LargeTable,
    Masked,
    Microdata,
    OnProgress,
    Role,
    Scale,
    Seed,
    apply,
    by_column,
    say,
    unknown_name,
    versions,
)
from sudare.describe import Hierarchy, Tree
from sudare.describe.hierarchies import Declaration
from sudare.engine.formats import check_there, toml_content, utf8_text, writing
from sudare.release.confined_paths import confined
from sudare.release.library_versions import library_versions

Table = TypeVar("Table", Microdata, LargeTable, Microdata | LargeTable)
_OF_RELEASES = ("reading", "made_with", "released")
_PARTS = {"name", "description", "roles", "scales", "hierarchies", "steps", *_OF_RELEASES}
_KNOWN = ", ".join(sorted(_PARTS))
# Settings that hold, by column, a file or what a file says.
FILE_SETTINGS = ("hierarchies", "trees", "graphs")
Method = TypeVar("Method", bound=Declared)
Find = Callable[[str], Path]


@dataclass(frozen=True)
class Recipe:
    """A name, the roles it assumes, and masking steps in their order. It holds no seed.

    Attributes
    ----------
    name, description
        What it is called, and a sentence about it.
    maskers
        The steps.
    roles, scales
        By column; they take the place of those that the table has.
    hierarchies
        By column, a hierarchy for the steps that look at it and state none.
    reading
        How the original is read, as keywords of :func:`sudare.read`; no roles.
    made_with
        Versions of the program and its libraries; with them, all settings are written.
    released
        How the released file was written, with its digest.

    Examples
    --------
    >>> import sudare
    >>> recipe = Recipe("gentle", [sudare.mask.Pram(retain=0.95)])
    >>> print(recipe.to_toml())
    name = "gentle"
    <BLANKLINE>
    [[steps]]
    method = "pram"
    retain = 0.95
    <BLANKLINE>
    """

    name: str
    maskers: Sequence[AnyMasker]
    description: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    scales: Mapping[str, Scale] = field(default_factory=dict)
    hierarchies: Mapping[str, Declaration] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    made_with: Mapping[str, str] = field(default_factory=dict)
    released: Mapping[str, Any] = field(default_factory=dict)

    def apply(
        self, data: Any, *, seed: Seed = None, on_progress: OnProgress | None = None
    ) -> Masked[Any]:
        """Mask a table or a purchase history by the recipe; roles and scales come first."""
        prepared = self.prepare(data)
        return apply(prepared, self.maskers_for(prepared), seed=seed, on_progress=on_progress)

    def versions(
        self, data: Table, *, seed: Seed = None, on_progress: OnProgress | None = None
    ) -> tuple[Masked[Table], ...]:
        """Mask a table as often as the methods ask for; see :func:`sudare.versions`."""
        prepared: Table = self.prepare(data)
        return versions(prepared, self.maskers_for(prepared), seed=seed, on_progress=on_progress)

    def prepare(self, data: Any) -> Any:
        """Return a table with the roles and scales of the recipe; a purchase history as it is."""
        if isinstance(data, Microdata | LargeTable):
            states = self.roles or self.scales
            return data.assigning(self.roles, self.scales) if states else data
        if self.roles or self.scales or self.hierarchies:
            raise InputError("a recipe for purchase histories has no roles and no scales.")
        return data

    def maskers_for(self, prepared: Any) -> list[AnyMasker]:
        """Return the steps with the hierarchies of the columns that they look at."""
        if not self.hierarchies:
            return list(self.maskers)
        return [_with_hierarchies(masker, self.hierarchies, prepared) for masker in self.maskers]

    def complete(self, data: Microdata | LargeTable) -> "Recipe":
        """Return the recipe with all that is needed to replay it on the original elsewhere.

        That is: roles and scales of all columns, how the table was read, what files say that
        steps name, and versions.
        """
        prepared = self.prepare(data)
        hidden = set(prepared.with_role("identifier"))  # no values of columns that never leave
        reading = {
            name: {column: words for column, words in told.items() if column not in hidden}
            if isinstance(told, Mapping)
            else told
            for name, told in prepared.reading.items()
        }
        return replace(
            self.resolved(prepared),
            reading=reading,
            made_with=library_versions(),
            released={},
        )

    def resolved(self, prepared: Microdata | LargeTable) -> "Recipe":
        """Return the recipe with roles and scales of all columns, and with what its files say."""
        columns = prepared.columns
        return replace(
            self,
            maskers=[with_files(masker, Path) for masker in self.maskers_for(prepared)],
            roles={column.name: column.role for column in columns if column.role != "other"},
            scales={column.name: column.scale for column in columns},
            hierarchies={},
        )

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], *, allow_paths: Iterable[str | os.PathLike[str]] = ()
    ) -> "Recipe":
        """Read a recipe from a TOML file, with what the files say that it names.

        Parameters
        ----------
        path
            The file.
        allow_paths
            Places outside its folder in which a hierarchy, tree or graph that it names may be.
        """
        source = Path(path)
        check_there(source)
        recipe = cls.from_mapping(toml_content(utf8_text(source), source), name=source.stem)
        find = partial(confined, source.parent, allowed=[Path(path) for path in allow_paths])
        return replace(
            recipe,
            maskers=[with_files(masker, find) for masker in recipe.maskers],
            hierarchies=read_files("hierarchies", recipe.hierarchies, find),
        )

    @classmethod
    def from_mapping(cls, content: Mapping[str, Any], *, name: str = "recipe") -> "Recipe":
        """Return a recipe from the content of its file."""
        if not isinstance(content, Mapping):
            raise InputError("a recipe is a table with the parts: {known}.", known=_KNOWN)
        strange = [part for part in content if part not in _PARTS]
        if strange:
            reason = str(unknown_name("entry", str(strange[0]), sorted(_PARTS)))
            raise InputError("{where}: {reason}", where=say("a recipe"), reason=reason)
        for part in ("name", "description"):
            if not isinstance(content.get(part, ""), str):
                raise InputError("the {part} of a recipe must be text.", part=part)
        steps = content.get("steps", [])
        listed = isinstance(steps, list | tuple)
        if not listed or not all(isinstance(s, Mapping) and "method" in s for s in steps):
            raise InputError("each step of a recipe is a table with a method.")
        return cls(
            name=content.get("name", name),
            maskers=[
                masker(str(step["method"]), {k: v for k, v in step.items() if k != "method"})
                for step in steps
            ],
            description=content.get("description", ""),
            roles=by_column("roles", content.get("roles")),
            scales=by_column("scales", content.get("scales")),
            hierarchies=by_column("hierarchies", content.get("hierarchies")),
            reading=by_column("reading", content.get("reading")),
            made_with=by_column("made_with", content.get("made_with")),
            released=by_column("released", content.get("released")),
        )

    def to_toml(self) -> str:
        """Return the recipe as the text of its file."""
        content: dict[str, Any] = {"name": self.name}
        for part in ("description", "roles", "scales", "hierarchies", *_OF_RELEASES):
            if getattr(self, part):
                content[part] = _worded(getattr(self, part))
        text = tomli_w.dumps(content)
        for step in self.maskers:
            plain = {"method": entry_of(step).slug, **_plain(step, every=bool(self.made_with))}
            tables = {name: value for name, value in plain.items() if isinstance(value, Mapping)}
            plain = {name: value for name, value in plain.items() if name not in tables}
            text += "\n[[steps]]\n" + tomli_w.dumps(plain)
            # As [steps.name], so that a table belongs to the step above it.
            text += "\n" + tomli_w.dumps({"steps": tables}) if tables else ""
        return text

    def decisions(self) -> str:
        """Return all that decides masked values, but the table and the seed, in one spelling.

        That is: roles, scales and the steps in their order, with every setting. Neither the name
        nor how the file is read and written, which change no value of the table.
        """
        hidden = {name for name, role in self.roles.items() if role == "identifier"}
        steps = [[entry_of(step).slug, _plain(step, every=True)] for step in self.maskers]
        scales = {name: scale for name, scale in self.scales.items() if name not in hidden}
        told = [dict(self.roles), scales, _worded(self.hierarchies), steps]
        return json.dumps(_spelled(told), sort_keys=True, default=str)

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the recipe to a TOML file."""
        with writing(path, overwrite=overwrite) as draft:
            draft.write_text(self.to_toml(), encoding="utf-8")


def _with_hierarchies(
    masker: Any, hierarchies: Mapping[str, Declaration], data: Microdata | LargeTable
) -> Any:
    if not hasattr(masker, "hierarchies"):
        return masker
    looked_at = set(masker.looks_at(data))
    known = {name: declared for name, declared in hierarchies.items() if name in looked_at}
    merged = {**known, **(masker.hierarchies or {})}
    return replace(masker, hierarchies=merged) if merged else masker


def _plain(method: AnyMasker, *, every: bool) -> dict[str, Any]:
    """Return settings as TOML knows them: what is nothing is left out, no limit is infinite."""
    stated = {name for name in method.settings() if getattr(method, name) is None}
    settings = method.all_settings() if every else method.settings()
    return {
        name: math.inf if name in stated else _worded(value)
        for name, value in settings.items()
        if value is not None or name in stated
    }


def _spelled(value: Any) -> Any:
    """Return settings with 1.0 as 1, and names as text."""
    if isinstance(value, Mapping):
        return {str(name): _spelled(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _worded(value: object) -> Any:
    if isinstance(value, Hierarchy):
        return {"ways": [list(way) for way in value.ways()]}
    if isinstance(value, Tree):
        return {"parents": value.parents}
    if isinstance(value, Mapping):
        return {name: _worded(part) for name, part in value.items()}
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


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
