"""Which steps make values or classes from the data, and which by stated settings alone."""

from collections.abc import Collection, Iterable, Mapping

from sudare.core import Step

_RECORD_BY_RECORD = {"EditRules", "HouseholdNumbers", "Rounding", "Subsample"}


def learnt_before_randomizing(
    steps: Iterable[Step], names: Collection[str]
) -> list[tuple[str, str]]:
    """Return the methods that learned from the data what a later step randomized, with its column.

    ε of a step covers how a record's value was drawn from what the step was given. Classes, means
    and choices that an earlier step made from all records tell about each of them beside it; so do
    the records that are left where others were removed, or drawn in strata, by the same column.

    Examples
    --------
    >>> recode = Step("GlobalRecode", ("town",), {"min_share": 0.05, "maps": None})
    >>> drawn = Step("RetentionReplacement", ("town",), public={"town": {"epsilon": 0.8}})
    >>> learnt_before_randomizing([recode, drawn], ["town"])
    [('GlobalRecode', 'town')]
    >>> learnt_before_randomizing([drawn, recode], ["town"])
    []
    >>> removed = Step("RemoveRecords", (), {"where": {"town": ("Aoki",)}})
    >>> learnt_before_randomizing([removed, drawn], ["town"])
    [('RemoveRecords', 'town')]
    """
    learnt: list[tuple[str, str]] = []
    pending: list[tuple[str, str]] = []
    for step in steps:
        drawn = [name for name in names if "epsilon" in step.public.get(name, {})]
        learnt += [pair for pair in pending if pair[1] in drawn]
        pending += [
            (step.method, name) for name in names if name not in drawn and _learns(step, name)
        ]
    return list(dict.fromkeys(learnt))


def values_unstated(steps: Iterable[Step], names: Collection[str]) -> list[str]:
    """Return the randomized columns for which a step took what can be drawn from the data.

    Examples
    --------
    >>> drawn = Step("RetentionReplacement", ("sex", "town"), {"domains": {"sex": ("f", "m")}},
    ...     {name: {"epsilon": 0.8} for name in ("sex", "town")})
    >>> values_unstated([drawn], ["sex", "town"])
    ['town']
    """
    return [
        name
        for name in names
        for step in steps
        if "epsilon" in step.public.get(name, {})
        and not any(_states(step.settings.get(key), name) for key in ("domains", "bounds"))
    ]


def _learns(step: Step, name: str) -> bool:
    """Return whether what a step did to a column depends on the data of other records."""
    settings = step.settings
    if step.method == "RemoveRecords":
        where = settings.get("where")
        return settings.get("rarest") is not None or not where or _states(where, name)
    if name not in step.columns or step.method in _RECORD_BY_RECORD:
        strata = settings.get("strata")
        return isinstance(strata, Collection) and name in strata
    if step.method == "GlobalRecode":
        return not _states(settings.get("maps"), name)
    if step.method == "Intervals":
        return not any(_states(settings.get(key), name) for key in ("breaks", "bounds"))
    if step.method == "TopBottomCode":
        return (
            settings.get("beyond") == "mean"
            or any(settings.get(key) is not None for key in ("top_share", "bottom_share"))
            or not any(_states(settings.get(key), name) for key in ("top", "bottom"))
        )
    return True


def _states(setting: object, name: str) -> bool:
    """Return whether a setting, of all columns or by column, is stated for a column."""
    return name in setting if isinstance(setting, Mapping) else setting is not None
