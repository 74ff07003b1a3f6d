"""The fields of a form, one for each setting that a method declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import tomli_w

from sudare.core import AtLeast, Between, Checked, Setting, say, settings_of

Widget = Literal["number", "whole", "switch", "choice", "columns", "text", "toml"]


@dataclass(frozen=True)
class SettingField:
    """A field of a form.

    Attributes
    ----------
    name
        That of the setting, and of the field.
    help
        What the setting means, in the current language.
    widget
        "number" and "whole" (a number with a step of 1), "switch" (a box to tick), "choice" (one of
        ``choices``), "columns" (several of ``choices``), "text", or "toml": a value as the project
        file writes it.
    text
        What the field holds; empty for the default.
    chosen
        Of "columns", those that are ticked; of a switch, whether it is on.
    default
        What holds where the field is left empty, in words.
    low, high
        Limits of a number.
    is_hidden
        Whether what it holds is not shown, and cannot be changed.
    """

    name: str
    help: str
    widget: Widget
    text: str = ""
    chosen: tuple[str, ...] = ()
    default: str = ""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    required: bool = False
    limit: str = ""
    is_hidden: bool = False


def setting_fields(
    method: type[Checked],
    values: Mapping[str, Any],
    columns: Sequence[str] = (),
    hidden: Sequence[str] = (),
) -> list[SettingField]:
    """Return the fields of a method's form.

    The values of ``hidden`` settings are not shown.

    Examples
    --------
    >>> import sudare
    >>> field = setting_fields(sudare.mask.Pram, {"retain": 0.9})[1]
    >>> field.name, field.widget, field.text, field.low, field.high
    ('retain', 'number', '0.9', 0.0, 1.0)
    """
    return [
        SettingField(
            setting.name, _help(setting), "text", required=setting.required, is_hidden=True
        )
        if setting.name in hidden
        else _field(setting, values.get(setting.name), columns)
        for setting in settings_of(method)
    ]


def widget_of(setting: Setting) -> Widget:
    """Return by what kind of field a setting is stated."""
    kinds = _alternatives(setting.kind)
    if tuple[str, ...] in kinds:  # no method takes a list of other texts
        return "columns"
    if len(kinds) > 1:
        return "toml"
    (kind,) = kinds
    simple: dict[Any, Widget] = {float: "number", int: "whole", bool: "switch", str: "text"}
    return "choice" if get_origin(kind) is Literal else simple.get(kind, "toml")


def _alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the kinds of value that a setting takes, besides none at all."""
    kinds = get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)
    return tuple(part for part in kinds if part is not NoneType)


def _field(setting: Setting, value: Any, columns: Sequence[str]) -> SettingField:
    widget = widget_of(setting)
    choices: tuple[str, ...] = tuple(columns) if widget == "columns" else ()
    if widget == "choice":
        choices = tuple(map(str, get_args(_alternatives(setting.kind)[0])))
    chosen: tuple[str, ...] = ()
    if widget == "columns":
        chosen = tuple(value or ())
    elif widget == "switch":
        chosen = ("yes",) if (setting.default if value is None else value) else ()
    limit = setting.limit
    return SettingField(
        name=setting.name,
        help=_help(setting),
        widget=widget,
        text="" if value is None or widget in {"columns", "switch"} else _written(widget, value),
        chosen=chosen,
        default="" if setting.default is None else _written(widget, setting.default),
        choices=choices,
        low=float(limit.low) if isinstance(limit, Between | AtLeast) else None,
        high=float(limit.high) if isinstance(limit, Between) else None,
        required=setting.required,
        limit=limit.words() if limit is not None else "",
    )


def _help(setting: Setting) -> str:
    return say(setting.help) if setting.help else ""


def _written(widget: Widget, value: Any) -> str:
    """Return a value as its field holds it."""
    if widget == "toml":
        return toml_value(value)
    return str(value)


def toml_value(value: Any) -> str:
    """Return a value as the project file writes it, on one line.

    Examples
    --------
    >>> toml_value({"age": [18, 65]}), toml_value(0.5)
    ('{ age = [18, 65] }', '0.5')
    """
    if isinstance(value, Mapping):
        parts = (f"{_key(name)} = {toml_value(part)}" for name, part in value.items())
        return f"{{ {', '.join(parts)} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return tomli_w.dumps({"v": value}).removeprefix("v = ").rstrip("\n")


def _key(name: object) -> str:
    return tomli_w.dumps({str(name): 0}).removesuffix(" = 0\n")
