"""From TOML tables to sections: every entry is known, and of the kind that was declared."""

from collections.abc import Mapping
from typing import TypeVar, get_args, get_origin

from sudare.core import Checked, Setting, SettingError, say, settings_of, unknown_name

Section = TypeVar("Section", bound=Checked)


def section_from(declared: type[Section], table: object, where: str = "") -> Section:
    """Return a section from its table; refuse unknown entries, and values of another kind.

    ``where`` names the section in errors.
    """
    if not isinstance(table, Mapping):
        raise SettingError("{where} must be a table.", where=f"[{where}]")
    settings = {setting.name: setting for setting in settings_of(declared)}
    heading = f"[{where}]" if where else say("top of the file")
    for name in table:
        if name == "seed":
            raise SettingError("a project holds no seed; give it when it is used (--seed, seed=).")
        if name not in settings:
            reason = str(unknown_name("entry", name, settings))
            raise SettingError("{where}: {reason}", where=heading, reason=reason)
    for name, setting in settings.items():
        if setting.required and name not in table:
            raise SettingError("{where} needs the entry '{name}'.", where=heading, name=name)
    inside = f"{where}." if where else ""
    return declared(
        **{
            name: _taken(settings[name], value, f"{inside}{name}", heading)
            for name, value in table.items()
        }
    )


def is_section(kind: object) -> bool:
    """Return whether a kind of value is a section of its own."""
    return isinstance(kind, type) and issubclass(kind, Checked)


def _taken(setting: Setting, value: object, where: str, heading: str) -> object:
    kind = setting.kind
    parts = get_args(kind)
    if is_section(kind):
        return section_from(kind, value, where)
    if get_origin(kind) is Mapping and is_section(parts[1]) and isinstance(value, Mapping):
        return {k: section_from(parts[1], v, f"{where}.{k}") for k, v in value.items()}
    if get_origin(kind) is tuple and is_section(parts[0]) and isinstance(value, list):
        return tuple(section_from(parts[0], entry, where) for entry in value)
    return setting.check(heading, value)
