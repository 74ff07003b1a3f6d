"""What a TOML file holds, checked against the annotations of the classes that it is to become."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sudare.core import SettingError, unknown_name

_SIMPLE_TYPES: Mapping[Any, tuple[tuple[type, ...], Callable[[str], SettingError]]] = {
    str: ((str,), lambda name: SettingError("contest: {name} must be text.", name=name)),
    bool: (
        (bool,),
        lambda name: SettingError("contest: {name} must be true or false.", name=name),
    ),
    int: ((int,), lambda name: SettingError("contest: {name} must be a whole number.", name=name)),
    float: (
        (int, float),
        lambda name: SettingError("contest: {name} must be a number.", name=name),
    ),
    Fraction: (
        (int, float, str),
        lambda name: SettingError("contest: {name} must be a number or a fraction.", name=name),
    ),
    date: ((date,), lambda name: SettingError("contest: {name} must be a date.", name=name)),
}


def check_type(given: object, kind: Any, name: str = "") -> None:
    """Refuse a value that an annotation does not allow, and names that a class does not have.

    Annotations that are not known here are left to the reader of the value.

    Examples
    --------
    >>> check_type({"a": 1.5}, Mapping[str, float], "weights")
    >>> check_type({"a": "1.5"}, Mapping[str, float], "weights")
    Traceback (most recent call last):
    sudare.core.errors.SettingError: contest: weights.a must be a number.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind in _SIMPLE_TYPES:
        types, refusal = _SIMPLE_TYPES[kind]
        if type(given) not in types:  # true is not a number, a time not a date
            raise refusal(name)
    elif origin is Literal:
        check_choice(name, given, inner)
    elif origin is tuple:
        if not isinstance(given, list):
            raise SettingError("contest: {name} must be a list.", name=name)
        for item in given:
            check_type(item, inner[0], name)
    elif is_dataclass(kind) or origin is Mapping:
        if not isinstance(given, dict):
            raise SettingError("contest: {name} must be a table.", name=name)
        prefix = f"{name}." if name else ""
        hints = (
            _hints(given, kind, prefix) if is_dataclass(kind) else dict.fromkeys(given, inner[1])
        )
        for key, value in given.items():
            check_type(value, hints[key], prefix + key)


def check_choice(name: str, value: object, words: tuple[str, ...]) -> None:
    """Refuse a value that is not one of some words."""
    if value not in words:
        raise SettingError(
            "contest: {name} must be one of {words}.", name=name, words=", ".join(words)
        )


def _hints(given: Mapping[str, Any], kind: Any, prefix: str) -> dict[str, Any]:
    names = [field.name for field in fields(kind)]
    for name in given:
        if name not in names:
            raise unknown_name("setting", prefix + name, [prefix + known for known in names])
    return get_type_hints(kind)
