"""Limits handed to the methods that can promise them: k, l, t, and risks that follow from k."""

import math
from collections.abc import Sequence

from sudare.core import Masker, settings_of
from sudare.release.limits import Limit
from sudare.risk import (
    IndividualRisk,
    KAnonymity,
    LDiversity,
    Reidentification,
    TCloseness,
    Uniques,
)

# Where every combination of keys is shared by k records, nobody is named with more than 1/k.
_ONE_OVER_K = (Reidentification, IndividualRisk)
MEASURED_ALIKE = ("diversity", "c", "distance", "sensitive")  # settings of measure and masker
_MOST = 10_000  # a larger k is not asked for by a limit on a risk


def promised_settings(method: type[Masker], limits: Sequence[Limit]) -> dict[str, object]:
    """Return the settings with which a method keeps the limits that it can promise.

    Examples
    --------
    >>> from sudare.mask import Mondrian
    >>> stated = ["k-anonymity >= 5", "t-closeness <= 0.2", "reidentification.max <= 0.05"]
    >>> promised_settings(Mondrian, Limit.all_of(stated))
    {'k': 20, 't': 0.2}
    """
    able = {setting.name for setting in settings_of(method)}
    numbers: dict[str, float] = {}
    alike: dict[str, object] = {}
    sensitive: list[str | None] = []
    for limit in limits:
        measure, number = _asked(limit)
        name = method.promises.get(measure)
        if name not in able or name is None:
            continue
        stricter = min if measure == "TCloseness" else max
        numbers[name] = stricter(numbers.get(name, number), number)
        own = limit.measure.settings()
        alike |= {same: own[same] for same in MEASURED_ALIKE if same in own and same in able}
        if measure != "KAnonymity":
            sensitive.append(limit.facet.column if limit.facet else None)
    if sensitive and None not in sensitive:  # only these columns are limited
        alike.setdefault("sensitive", tuple(dict.fromkeys(sensitive)))
    return {**numbers, **alike}


def _asked(limit: Limit) -> tuple[str, float]:
    """Return the measure whose promise keeps a limit, and its number; no name where none does."""
    measure, (at_least, wanted, strict) = limit.measure, _wanted(limit)
    kind, number = "", 0.0
    if not math.isfinite(wanted):
        return kind, number
    if isinstance(measure, KAnonymity) and at_least:
        whole = math.ceil(wanted)
        kind, number = "KAnonymity", max(1, whole + (strict and whole == wanted))
    elif isinstance(measure, LDiversity) and at_least:
        kind, number = "LDiversity", max(1.0, wanted + 1e-9 * strict)
    elif isinstance(measure, TCloseness) and not at_least:
        kind, number = "TCloseness", min(1.0, max(0.0, wanted - 1e-9 * strict))
    elif isinstance(measure, Uniques) and not at_least and 0 <= wanted < 1:
        kind, number = "KAnonymity", 2
    elif isinstance(measure, _ONE_OVER_K) and not at_least and 1 / _MOST <= wanted < 1:
        beyond = 1e-9 if strict else -1e-9  # 1/0.2 is 5, not 6
        kind, number = "KAnonymity", math.ceil(1 / wanted + beyond)
    return kind, number


def _wanted(limit: Limit) -> tuple[bool, float, bool]:
    """Return what keeps a limit if it holds for every record: at least or at most which number.

    The last part says whether the number itself is too much or too little. A limit on the share
    of records beyond a bound is kept where no record is beyond it, or where all are.
    """
    at_least, strict = limit.comparison in {">=", ">"}, limit.comparison in {"<", ">"}
    facet = limit.facet
    if facet is None or facet.number is None or not facet.name.startswith("share_"):
        return at_least, limit.number, strict
    return (facet.name == "share_above") == at_least, facet.number, at_least
