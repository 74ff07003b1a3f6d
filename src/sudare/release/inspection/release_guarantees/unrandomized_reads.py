"""Which steps leave ε and Pk intact beside the steps that randomize, and which do not.

ε covers how a released value was drawn from the true one. Nothing else may tell about it: what a
step writes, and which records it leaves, must come from randomized values, or from a value's own
cell by stated settings. All else counts as telling; a method that is not known to read only the
columns that it names is taken to read all.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sudare.core import LargeTable, Microdata, Step
from sudare.describe import EditRule

_ANONYMIZING = {"FullDomain", "LocalSuppression", "Mondrian", "Suppression"}
_BY_COLUMN = {  # each column is masked by itself, whatever else is in the table
    "GlobalRecode",
    "HouseholdNumbers",
    "Intervals",
    "MultiplicativeNoise",
    "Noise",
    "Pram",
    "RankSwapping",
    "Rounding",
    "TopBottomCode",
    "TreeMicroaggregation",
}
_TOGETHER = {"CorrelatedNoise", "HybridSynthesis", "OrthogonalTransform", "RegressionSynthesis"}
Table = Microdata | LargeTable


def unrandomized_reads(
    steps: Sequence[Step], names: Collection[str], before: Table, released: Collection[str]
) -> Iterator[tuple[Step, set[str], bool]]:
    """Yield the steps that read columns before these were randomized, the columns, and how it ends.

    Last comes whether ε is lost in any case: records were chosen by these columns, a randomized
    column was made from them, or one of them is randomized later or not released. Else only
    released columns were written by themselves and each other; ε is lost if they tell of a
    randomized one.

    Parameters
    ----------
    steps
        What was done.
    names
        The columns that ε covers.
    before
        The original.
    released
        The columns of the release.

    Examples
    --------
    >>> import sudare
    >>> toy = sudare.datasets.toy()
    >>> drawn = Step("RetentionReplacement", ("region",), public={"region": {"epsilon": 0.8}})
    >>> removed = Step("RemoveRecords", (), {"where": {"age": ">= 80"}})
    >>> classes = Step("GlobalRecode", ("region",), {"maps": {"region": {"north": "N"}}})
    >>> for done in ([removed, drawn], [drawn, removed], [classes, drawn], [drawn, classes]):
    ...     print([r[1:] for r in unrandomized_reads(done, ["region"], toy, toy.names)])
    [({'age'}, True)]
    [({'age'}, True)]
    []
    []
    """
    last = {name: number for number, step in enumerate(steps) for name in _drawn(step, names)}
    for number, step in enumerate(steps):
        if _drawn(step, names):
            continue
        randomized = {name for name in names if last[name] < number}
        chosen_by = _chosen_by(step, before) - randomized
        if chosen_by:
            yield step, chosen_by, True
        for written, read in _read_for(step, before).items():
            raw = read - randomized
            kept = written in names or written in released
            if raw and kept and not (raw == {written} and _is_stated(step, written)):
                yield step, raw, written in names or bool(raw & set(names) or raw - set(released))


def is_decided_by(step: Step, names: Collection[str], keys: Collection[str], before: Table) -> bool:
    """Return whether a step chose records, or wrote keys, by the values of some other columns.

    Examples
    --------
    >>> import sudare
    >>> toy = sudare.datasets.toy()
    >>> rule = Step("EditRules", ("region",), {"rules": ['income > 9 implies region == "north"']})
    >>> is_decided_by(rule, {"income"}, toy.keys, toy), is_decided_by(rule, {"age"}, toy.keys, toy)
    (True, False)
    """
    if _chosen_by(step, before).intersection(names):
        return True
    reads = _read_for(step, before)
    if step.method.endswith("Microaggregation"):  # whatever decides between equal keys
        strata: Any = step.settings.get("strata") or ()
        reads = {name: {*step.columns, *strata} for name in step.columns}
    return any(read.intersection(names) for name, read in reads.items() if name in keys)


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
        if name in _drawn(step, names)
        and not _states(
            step.settings.get("bounds" if "low" in step.public[name] else "domains"), name
        )
    ]


def _drawn(step: Step, names: Iterable[str]) -> list[str]:
    """Return the columns that a step randomized, with an ε."""
    return [name for name in names if "epsilon" in step.public.get(name, {})]


def _chosen_by(step: Step, before: Table) -> set[str]:
    """Return the columns by whose values a step chose the records that stay."""
    settings: Mapping[str, Any] = step.settings
    if step.method not in {"RemoveRecords", "Subsample"}:
        return set()
    stated = (settings.get(key) or () for key in ("strata", "where", "columns"))
    household = before.with_role("household") if settings.get("unit") == "household" else ()
    return {*household, *(name for names in stated for name in names)}


def _read_for(step: Step, before: Table) -> dict[str, set[str]]:
    """Return by column that a step wrote the columns by whose values it did."""
    columns, settings = set(step.columns), step.settings
    if step.method == "EditRules":
        return {name: reads for name, reads in _ruled(settings).items() if name in columns}
    if step.method in _BY_COLUMN:
        weights = before.with_role("weight") if settings.get("weighted") else ()
        return {name: {name, *weights} for name in columns}
    if step.method in _ANONYMIZING and settings.get("l") is settings.get("t") is None:
        return dict.fromkeys(columns, columns)
    if step.method in _TOGETHER:
        return dict.fromkeys(columns, columns)
    if step.method == "Subsample":
        return {name: {name, *_chosen_by(step, before)} for name in columns}
    return {name: set(before.names) for name in columns}


def _ruled(settings: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return by column that edit rules can change the columns that decide it, directly or not."""
    rules = [EditRule.parse(text) for text in settings.get("rules") or ()]
    reads: dict[str, set[str]] = {}
    for _ in range(len(rules) + 1):  # a rule may read what another wrote
        for rule in rules:
            known = set(rule.columns).union(*(reads.get(name, ()) for name in rule.columns))
            for part in rule.consequences:
                reads.setdefault(part.column, set()).update(known)
    return reads


def _is_stated(step: Step, name: str) -> bool:
    """Return whether a step made a value from its own cell alone, by stated settings."""
    settings = step.settings
    if step.method == "GlobalRecode":
        return _states(settings.get("maps"), name)
    if step.method == "Intervals":
        return any(_states(settings.get(key), name) for key in ("breaks", "bounds"))
    if step.method == "TopBottomCode":
        shares = (settings.get("top_share"), settings.get("bottom_share"))
        ends = (settings.get("top"), settings.get("bottom"))
        stated = any(_states(end, name) for end in ends) and shares == (None, None)
        return stated and settings.get("beyond") != "mean"
    return step.method in {"EditRules", "HouseholdNumbers", "Rounding", "Subsample"}


def _states(setting: object, name: str) -> bool:
    """Return whether a setting, of all columns or by column, is stated for a column."""
    return name in setting if isinstance(setting, Mapping) else setting is not None
