"""What a search may choose: which methods, on which columns, with which settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from sudare import catalog
from sudare.core import (
    AnyMasker,
    Between,
    ColumnError,
    Masker,
    Microdata,
    Setting,
    SettingError,
    say,
    settings_of,
)

_FOR_TABLES = (
    *("global-recode", "top-bottom-code", "microaggregation", "local-suppression"),
    *("pram", "noise", "rank-swapping"),
)
_FOR_HISTORIES = ("coarse-dates", "price-bands", "quantity-bands", "item-families", "row-deletion")
_WIDEST = 20  # a setting without an upper end is tried up to this many times its default


@dataclass(frozen=True)
class Numbers:
    """A number between two ends, whole or not; drawn by ratio where the ends are far apart."""

    low: float
    high: float
    whole: bool

    @property
    def by_ratio(self) -> bool:
        """Whether halving and doubling are steps of the same size."""
        return self.low > 0 and self.high / self.low > 10

    def holds(self, value: object) -> bool:
        """Return whether it is a number between the ends."""
        return isinstance(value, int | float) and self.low <= value <= self.high


@dataclass(frozen=True)
class Words:
    """One of several words, or true and false."""

    choices: tuple[object, ...]

    def holds(self, value: object) -> bool:
        """Return whether it is one of the words."""
        return value in self.choices


Range = Numbers | Words


@dataclass(frozen=True)
class Move:
    """One method that a search may use: the columns it may choose and the settings it may turn.

    Columns are chosen where each is masked by itself; a method that needs its columns together,
    such as local suppression, takes all that suit it.
    """

    slug: str
    method: type[AnyMasker]
    columns: tuple[str, ...]
    ranges: Mapping[str, Range]
    fixed: Mapping[str, object]

    def usual(self) -> dict[str, object]:
        """Return the default of each setting that may be turned, as far as its range holds it."""
        return {
            setting.name: setting.default
            for setting in settings_of(self.method)
            if setting.name in self.ranges and self.ranges[setting.name].holds(setting.default)
        }

    def build(self, columns: Sequence[str], settings: Mapping[str, object]) -> AnyMasker:
        """Return the method on some columns with some settings."""
        named = {"columns": tuple(columns)} if self.columns else {}
        return self.method(**{**self.fixed, **settings, **named})


def moves(
    data: object, methods: Sequence[str | AnyMasker], ranges: Mapping[str, Sequence[Any]]
) -> list[Move]:
    """Return what a search may do with the methods allowed.

    Parameters
    ----------
    data
        The table or history; it tells which columns suit a method.
    methods
        Names of methods, or maskers whose settings stay as they are.
    ranges
        Ends or words of settings, by ``method.setting``, in place of the method's own.
    """
    allowed = [_move(data, method, ranges) for method in methods]
    known = {f"{move.slug}.{s.name}" for move in allowed for s in settings_of(move.method)}
    for name in ranges:
        if name not in known:
            raise SettingError(
                "a range is given for '{name}', which is not a setting; available: {known}.",
                name=name,
                known=", ".join(sorted(known)),
            )
    return allowed


def suited(data: object) -> list[str]:
    """Return the methods that a search tries when none are named: the usual ones that fit."""
    if not isinstance(data, Microdata):
        return list(_FOR_HISTORIES)
    names = []
    for name in _FOR_TABLES:
        masker = catalog.masker(name, {})
        try:
            fits = isinstance(masker, Masker) and bool(masker.chosen(data))
        except ColumnError:
            continue
        names += [name] if fits else []
    return names


def _move(data: object, method: str | AnyMasker, ranges: Mapping[str, Sequence[Any]]) -> Move:
    given = catalog.masker(method, {}) if isinstance(method, str) else method
    kind, slug = type(given), catalog.find(type(given).__name__).slug
    own = _strength(kind) if isinstance(method, str) else {}
    stated = {name: values for name, values in ranges.items() if name.startswith(f"{slug}.")}
    settings = {setting.name: setting for setting in settings_of(kind)}
    for name, values in stated.items():
        setting = settings.get(name.removeprefix(f"{slug}."))
        if setting is not None:  # others are refused where all methods are known
            own[setting.name] = _stated(name, values, setting)
    fixed = {} if isinstance(method, str) else given.settings()
    if isinstance(given, Masker) and isinstance(data, Microdata):
        columns = given.chosen(data) if given.works_on == "rows" else ()
        fixed = {**fixed, "columns": given.columns}
    else:
        columns = ()
    return Move(slug, kind, columns, own, fixed)


def _strength(method: type[AnyMasker]) -> dict[str, Range]:
    """Return the range of the first number that has limits: how strongly a method masks."""
    for setting in settings_of(method):
        allowed = _range(setting)
        if allowed is not None:
            return {setting.name: allowed}
    return {}


def _range(setting: Setting) -> Range | None:
    kinds = get_args(setting.kind) or (setting.kind,)
    whole = int in kinds
    if not (whole or float in kinds) or setting.limit is None:
        return None
    default = setting.default if isinstance(setting.default, int | float) else 1
    if isinstance(setting.limit, Between):
        edge = (setting.limit.high - setting.limit.low) / 1000
        low = setting.limit.low + edge * setting.limit.above
        high = setting.limit.high - edge * setting.limit.below
        return Numbers(low, high, whole)
    low = setting.limit.low
    high = _WIDEST * max(default, low)
    return Numbers(max(low, high / 1000) if low == 0 else low, high, whole)


def _stated(name: str, given: Sequence[Any], setting: Setting) -> Range:
    numbers = [v for v in given if isinstance(v, int | float) and not isinstance(v, bool)]
    allowed = all(setting.limit is None or setting.limit.allows(value) for value in numbers)
    is_range = len(numbers) == len(given) == 2
    if not given or not allowed or (is_range and numbers[0] > numbers[1]):
        raise SettingError(
            "the range of '{name}' needs two ends, the lower first, or words to choose from, all "
            "of them {limit}.",
            name=name,
            limit=setting.limit.words() if setting.limit else say("possible"),
        )
    if is_range:
        low, high = numbers
        return Numbers(low, high, isinstance(low, int) and isinstance(high, int))
    return Words(tuple(given))
