"""What a search may choose: which methods, on which columns, with which settings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, get_args, get_origin

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
from sudare.mask import LocalSuppression
from sudare.release.limits import Limit
from sudare.release.searching.promised import MEASURED_ALIKE, promised_settings
from sudare.risk import KAnonymity

_FOR_TABLES = (
    *("global-recode", "top-bottom-code", "microaggregation", "pram", "noise", "rank-swapping"),
    *("mondrian", "full-domain", "local-suppression", "suppression"),
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

    def between(self, value: float, end: float, share: float) -> float:
        """Return the number at a share of the way to another, by ratio or by difference."""
        if self.by_ratio:
            number = value ** (1 - share) * end**share
        else:
            number = value + share * (end - value)
        return round(number) if self.whole else float(f"{number:.3g}")

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

    Attributes
    ----------
    promised
        The settings with which the method keeps limits that it can promise.
    """

    slug: str
    method: type[AnyMasker]
    columns: tuple[str, ...]
    ranges: Mapping[str, Range]
    fixed: Mapping[str, object]
    promised: Mapping[str, object] = field(default_factory=dict)

    @property
    def makes_coarser(self) -> bool:
        """Whether it merges values of each column, so that a promise may cost less after it."""
        kind = self.method
        if self.promised or not issubclass(kind, Masker):
            return False
        return kind.works_on == "rows" and kind.relation == "covers"

    @property
    def may_need_less(self) -> bool:
        """Whether it has a range of k, the highest of which is sure to keep the limits."""
        return "k" in self.promised and "k" in self.ranges

    def usual(self) -> dict[str, object]:
        """Return where to begin: what is promised, else the default, where the range holds it."""
        defaults = {setting.name: setting.default for setting in settings_of(self.method)}
        begins = {**defaults, **self.promised}
        return {name: begins[name] for name, r in self.ranges.items() if r.holds(begins[name])}

    def neighbors(self, settings: Mapping[str, Any]) -> Iterator[dict[str, object]]:
        """Yield settings, named as Optuna has them, in which one is another word or number.

        Numbers move some of the way to the ends of their range.
        """
        for name, allowed in self.ranges.items():
            value = settings.get(key := f"{self.slug}.{name}")
            if value is None:
                continue
            if isinstance(allowed, Words):
                others = list(allowed.choices)
            else:
                ends = product((0.5, 0.125), (allowed.low, allowed.high))
                others = [allowed.between(value, end, share) for share, end in ends]
            yield from ({key: other} for other in dict.fromkeys(others) if other != value)

    def masks(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns of a table that the method may mask."""
        method = self.build(self.columns, self.usual())
        return self.columns or (method.chosen(data) if isinstance(method, Masker) else ())

    def build(self, columns: Sequence[str], settings: Mapping[str, object]) -> AnyMasker:
        """Return the method on some columns with some settings."""
        named = {"columns": tuple(columns)} if self.columns else {}
        return self.method(**{**self.fixed, **settings, **named})


def moves(
    data: object,
    methods: Sequence[str | AnyMasker],
    ranges: Mapping[str, Sequence[Any]],
    limits: Sequence[Limit] = (),
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
    limits
        What must be kept: handed to the methods that can promise it.
    """
    allowed = [_move(data, method, ranges, limits) for method in methods]
    known = {f"{move.slug}.{s.name}" for move in allowed for s in settings_of(move.method)}
    for name in ranges:
        if name not in known:
            raise SettingError(
                "a range is given for '{name}', which is not a setting; available: {known}.",
                name=name,
                known=", ".join(sorted(known)),
            )
    return allowed


def suited(data: object, limits: Sequence[Limit] = ()) -> list[str]:
    """Return the methods that a search tries when none are named: the usual ones that fit.

    Methods that promise what no limit asks for are left out, but for local suppression.
    """
    if not isinstance(data, Microdata):
        return list(_FOR_HISTORIES)
    names = []
    for name in _FOR_TABLES:
        masker = catalog.masker(name, {})
        try:
            fits = isinstance(masker, Masker) and bool(masker.chosen(data))
        except ColumnError:
            continue
        if isinstance(masker, Masker) and "LDiversity" in masker.promises:
            fits = fits and bool(promised_settings(type(masker), limits))
        names += [name] if fits else []
    return names


def _move(
    data: object,
    method: str | AnyMasker,
    ranges: Mapping[str, Sequence[Any]],
    limits: Sequence[Limit],
) -> Move:
    given = catalog.masker(method, {}) if isinstance(method, str) else method
    kind, slug = type(given), catalog.entry_of(given).slug
    own = _strength(kind) if isinstance(method, str) else {}
    promised = _promised(kind, limits) if isinstance(method, str) else {}
    if promised and kind is LocalSuppression:  # limits are judged for whoever knows all keys
        promised["missing"] = "category"
    if promised:
        own = {name: allowed for name, allowed in own.items() if name not in promised}
        own |= _choices(kind) | _below(kind, limits, promised)
    stated = {name: values for name, values in ranges.items() if name.startswith(f"{slug}.")}
    settings = {setting.name: setting for setting in settings_of(kind)}
    for name, values in stated.items():
        setting = settings.get(name.removeprefix(f"{slug}."))
        if setting is not None:  # others are refused where all methods are known
            own[setting.name] = _stated(name, values, setting)
    fixed = {} if isinstance(method, str) else given.settings()
    fixed |= {name: value for name, value in promised.items() if name not in own}
    if isinstance(given, Masker) and isinstance(data, Microdata):
        columns = given.chosen(data) if given.works_on == "rows" else ()
        fixed = {**fixed, "columns": given.columns}
    else:
        columns = ()
    return Move(slug, kind, columns, own, fixed, promised)


def _promised(method: type[AnyMasker], limits: Sequence[Limit]) -> dict[str, object]:
    return promised_settings(method, limits) if issubclass(method, Masker) else {}


def _below(
    method: type[AnyMasker], limits: Sequence[Limit], promised: Mapping[str, object]
) -> dict[str, Range]:
    """Return the range of k where only a risk asks for it: a smaller one may keep that too."""
    stated = [limit for limit in limits if isinstance(limit.measure, KAnonymity)]
    needed, most = _promised(method, stated).get("k", 2), promised.get("k")
    if not isinstance(needed, int) or not isinstance(most, int) or needed >= most:
        return {}
    return {"k": Numbers(needed, most, whole=True)}


def _choices(method: type[AnyMasker]) -> dict[str, Range]:
    """Return the settings of a method, besides those of a limit, that are words or shares."""
    choices: dict[str, Range] = {}
    for setting in settings_of(method):
        if setting.name in MEASURED_ALIKE:
            continue
        if setting.name == "missing":
            if method is LocalSuppression:  # the others mask alike by each rule
                choices[setting.name] = Words(("category", "suppressed"))
            continue
        if get_origin(setting.kind) is Literal:
            choices[setting.name] = Words(get_args(setting.kind))
        elif setting.kind is bool:
            choices[setting.name] = Words((True, False))
        elif setting.kind is float and isinstance(setting.limit, Between):
            choices[setting.name] = Numbers(setting.limit.low, setting.limit.high, whole=False)
    return choices


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
