"""The JSON Schema of a project file, from the declarations of its sections and of the methods."""

from collections.abc import Mapping
from datetime import date
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from sudare.catalog import METHODS
from sudare.core import ROLES, SCALES, Between, Checked, Setting, say, settings_of
from sudare.release.project.sections.project_sections import ProjectSections
from sudare.release.project.sections.section_reading import is_section

_PLAIN: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    date: {"type": "string", "format": "date"},
    object: {},
}
_HIERARCHY = {"type": ["string", "object"]}


def project_schema() -> dict[str, Any]:
    """Return the JSON Schema of a project file, with descriptions in the current language.

    Examples
    --------
    >>> sorted(project_schema()["properties"]["limits"]["properties"])
    ['keep']
    """
    schema = schema_of(ProjectSections)
    schema["properties"]["recipes"]["items"] = recipe_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def recipe_schema() -> dict[str, Any]:
    """Return the JSON Schema of a recipe: its steps are methods that mask."""
    methods = [entry for entry in METHODS if entry.family == "mask"]
    steps = [_method_schema(entry.slug, entry.method) for entry in methods]
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "description": {"type": "string"},
            "roles": {"type": "object", "additionalProperties": {"enum": list(ROLES)}},
            "scales": {"type": "object", "additionalProperties": {"enum": list(SCALES)}},
            "hierarchies": {"type": "object", "additionalProperties": _HIERARCHY},
            "reading": {"type": "object"},
            "made_with": {"type": "object", "additionalProperties": {"type": "string"}},
            "released": {"type": "object"},
            "steps": {"type": "array", "items": {"oneOf": steps}},
        },
        "additionalProperties": False,
    }


def schema_of(declared: type[Checked]) -> dict[str, Any]:
    """Return the JSON Schema of a declared class; texts in the current language."""
    settings = settings_of(declared)
    return {
        "type": "object",
        "description": say((declared.__doc__ or "").strip().splitlines()[0]),
        "properties": {setting.name: _described(setting) for setting in settings},
        "required": [setting.name for setting in settings if setting.required],
        "additionalProperties": False,
    }


def _method_schema(slug: str, method: type[Checked]) -> dict[str, Any]:
    schema = schema_of(method)
    named = {"method": {"const": slug}, **schema["properties"]}
    return {**schema, "properties": named, "required": ["method", *schema["required"]]}


def _described(setting: Setting) -> dict[str, Any]:
    schema = {**(_kind(setting.kind) or {}), **_limit(setting)}
    if setting.help:
        schema["description"] = say(setting.help)
    if isinstance(setting.default, str | int | float) and setting.default != "":
        schema["default"] = setting.default
    return schema


def _kind(kind: Any) -> dict[str, Any] | None:
    """Return the schema of a kind of value; None for what no TOML file holds."""
    if is_section(kind):
        return schema_of(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        alternatives = [known for part in parts if (known := _kind(part)) is not None]
        return alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is tuple:
        return {"type": "array", "items": _kind(parts[0]) or {}}
    if origin in {dict, Mapping}:
        return {"type": "object", "additionalProperties": _kind(parts[1]) or {}}
    return _PLAIN.get(kind)


def _limit(setting: Setting) -> dict[str, Any]:
    """Return the limit of a number; that of numbers in a list or table is left to the program."""
    limit = setting.limit
    if limit is None:
        return {}
    bounds = {"exclusiveMinimum" if limit.above else "minimum": limit.low}
    if isinstance(limit, Between):
        bounds["exclusiveMaximum" if limit.below else "maximum"] = limit.high
    return bounds
