"""Settings are declared once, on the class; check, option, form field and docs come from it.

::

    class Pram(Masker):
        retain: Annotated[float, Between(0, 1), "probability that a value stays"] = 0.8
"""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from datetime import date
from difflib import get_close_matches
from functools import cache, wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from sudare.core.errors import SettingError
from sudare.core.messages import say


@dataclass(frozen=True)
class Between:
    """A number from ``low`` to ``high``; ``above`` and ``below`` leave the end itself out."""

    low: float
    high: float
    above: bool = False
    below: bool = False

    def allows(self, value: float) -> bool:
        """Return whether a number is inside."""
        over = value > self.low if self.above else value >= self.low
        under = value < self.high if self.below else value <= self.high
        return over and under

    def words(self) -> str:
        """Return the limit as it is written in an error and in the docs."""
        if self.above or self.below:
            return say(
                "{lower} {low} and {upper} {high}",
                lower=say("above") if self.above else say("at least"),
                low=self.low,
                upper=say("below") if self.below else say("at most"),
                high=self.high,
            )
        return say("between {low} and {high}", low=self.low, high=self.high)


@dataclass(frozen=True)
class AtLeast:
    """A number that is not below ``low``; ``above`` leaves ``low`` itself out."""

    low: float
    above: bool = False

    def allows(self, value: float) -> bool:
        """Return whether a number is inside."""
        return value > self.low if self.above else value >= self.low

    def words(self) -> str:
        """Return the limit as it is written in an error and in the docs."""
        if self.above:
            return say("above {low}", low=self.low)
        return say("at least {low}", low=self.low)


SettingLimit = Between | AtLeast
_REFUSED = object()


@dataclass(frozen=True)
class Setting:
    """One setting of a method, as the class declares it."""

    name: str
    kind: Any
    default: object
    required: bool
    limit: SettingLimit | None
    help: str

    def check(self, method: str, value: object) -> object:
        """Return the value in its own type, or refuse it."""
        taken = _taken(self.kind, value)
        if taken is _REFUSED:
            raise SettingError(
                "{method}: {setting} must be {kind}, got {given}.",
                method=method,
                setting=self.name,
                kind=self.kind_words(),
                given=_given(value),
            )
        limit = self.limit
        for number in () if taken is None else _numbers(taken):
            if limit is not None and not limit.allows(number):
                raise SettingError(
                    "{method}: {setting} must be {limit}, got {given}.",
                    method=method,
                    setting=self.name,
                    limit=limit.words(),
                    given=number,
                )
        return taken

    def kind_words(self) -> str:
        """Return what is accepted, in words."""
        return _words(self.kind)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class Checked:
    """Subclasses declare annotated fields, become frozen dataclasses, and check what they get."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        dataclass(frozen=True, kw_only=True)(cls)

    def __post_init__(self) -> None:
        for setting in settings_of(type(self)):
            checked = setting.check(type(self).__name__, getattr(self, setting.name))
            object.__setattr__(self, setting.name, checked)


class Declared(Checked):
    """A thing with settings, declared as annotated fields."""

    title: ClassVar[str] = ""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        _check_names_first(cls)

    def label(self) -> str:
        """Return the name with the settings that differ from their default."""
        settings = ", ".join(f"{name}={value}" for name, value in self.settings().items())
        return f"{type(self).__name__}({settings})" if settings else type(self).__name__

    def settings(self) -> dict[str, object]:
        """Return the settings that differ from their default, by name."""
        return {
            setting.name: getattr(self, setting.name)
            for setting in settings_of(type(self))
            if setting.required or getattr(self, setting.name) != setting.default
        }

    def all_settings(self) -> dict[str, object]:
        """Return every setting by name, those at their default too."""
        return {setting.name: getattr(self, setting.name) for setting in settings_of(type(self))}


def settings_of(declared: type[Checked]) -> tuple[Setting, ...]:
    """Return the settings that a class declares, in order."""
    return _settings_of(declared)  # type: ignore[arg-type]  # classes can be hashed


@cache
def _settings_of(declared: Any) -> tuple[Setting, ...]:
    hints = get_type_hints(declared, include_extras=True)
    return tuple(_setting(declaration, hints[declaration.name]) for declaration in fields(declared))


def _check_names_first(declared: type[Declared]) -> None:
    """Have a class refuse settings that it does not have in a sentence, before it is made."""
    made = declared.__init__

    @wraps(made)
    def checked(self: Declared, *unnamed: object, **settings: object) -> None:
        _check_names(type(self), unnamed, settings)
        made(self, **settings)

    declared.__init__ = checked  # type: ignore[method-assign,assignment]


def _check_names(
    declared: type[Declared], unnamed: tuple[object, ...], settings: Mapping[str, object]
) -> None:
    stated = {setting.name: setting.required for setting in settings_of(declared)}
    if unnamed:
        raise SettingError(
            "{method} takes its settings by name, for example {method}({setting}=…).",
            method=declared.__name__,
            setting=next(iter(stated), "columns"),
        )
    for name in settings:
        if name not in stated:
            raise _no_setting(declared.__name__, name, list(stated))
    missing = [name for name, required in stated.items() if required and name not in settings]
    if missing:
        raise SettingError(
            "{method} needs the setting {settings}.",
            method=declared.__name__,
            settings=", ".join(missing),
        )


def _no_setting(method: str, name: str, known: list[str]) -> SettingError:
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return SettingError(
            "{method} has no setting '{setting}'; did you mean '{near}'?",
            method=method,
            setting=name,
            near=near[0],
        )
    return SettingError(
        "{method} has no setting '{setting}'; it has: {known}.",
        method=method,
        setting=name,
        known=", ".join(known),
    )


def _setting(declared: Field[Any], hint: Any) -> Setting:
    kind, notes = hint, list[object]()
    if get_origin(hint) is Annotated:
        kind, *notes = get_args(hint)
    default, made = declared.default, declared.default_factory
    if made is not MISSING:
        default = made()
    return Setting(
        name=declared.name,
        kind=kind,
        default=None if default is MISSING else default,
        required=default is MISSING,
        limit=next((note for note in notes if isinstance(note, SettingLimit)), None),
        help=next((note for note in notes if isinstance(note, str)), ""),
    )


def _given(value: object) -> str:
    """Return what was given, in words."""
    if isinstance(value, Mapping) and value:
        kinds = ", ".join(sorted({type(part).__name__ for part in value.values()}))
        return say("a table with {kind}", kind=kinds)
    return f"'{value}'" if isinstance(value, str) else type(value).__name__


def _numbers(value: Any) -> Iterable[Any]:
    """Return the numbers that a limit is for: one, those of a list, or those of a table."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple) else (value,)


def _taken(kind: Any, value: Any) -> Any:
    """Return a value as one kind of setting takes it, or ``_REFUSED``."""
    if isinstance(value, np.generic):
        value = value.item()
    origin, kinds = get_origin(kind), get_args(kind)
    if origin is None:
        if kind is float and type(value) is int:
            value = float(value)
        matches = type(value) is int if kind is int else isinstance(value, kind)
        return value if matches else _REFUSED
    if origin in {Union, UnionType}:
        takes = (_taken(alternative, value) for alternative in kinds)
        return next((taken for taken in takes if taken is not _REFUSED), _REFUSED)
    if origin is Literal:
        return value if value in (w for w in kinds if type(w) is type(value)) else _REFUSED
    if origin is tuple and hasattr(value, "__iter__") and not isinstance(value, str):
        parts = tuple(_taken(kinds[0], part) for part in value)
        return _REFUSED if _REFUSED in parts else parts
    if origin in {dict, Mapping} and isinstance(value, Mapping):
        table = {name: _taken(kinds[1], part) for name, part in value.items()}
        return _REFUSED if any(part is _REFUSED for part in table.values()) else table
    return _REFUSED


def _words(kind: Any) -> str:
    origin = get_origin(kind)
    if origin in {Union, UnionType}:
        return say(" or ").join(map(_words, get_args(kind)))
    if origin is Literal:
        return f" {say(' or ').strip()} ".join(f"'{word}'" for word in get_args(kind))
    if origin is tuple:
        return say("a list of {kind}", kind=_words(get_args(kind)[0]))
    if origin in {dict, Mapping} and get_args(kind)[1] is object:
        return say("a table")
    if origin in {dict, Mapping}:
        return say("a table with {kind} for each column", kind=_part_words(get_args(kind)[1]))
    names = {
        float: "a number",
        int: "a whole number",
        bool: "true or false",
        str: "text",
        Path: "text",
        date: "a date",
        NoneType: "nothing",
    }
    return say(names[kind]) if kind in names else str(kind.__name__)


def _part_words(kind: Any) -> str:
    """Return the kind of the values in a table by column; a nested table is just a table."""
    kinds = get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)
    words = [say("a table") if get_origin(k) in {dict, Mapping} else _words(k) for k in kinds]
    return say(" or ").join(dict.fromkeys(words))
