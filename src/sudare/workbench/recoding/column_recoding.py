"""How a person recodes one column, as steps of a recipe: a map, cut points, or ends.

Each kind is one step for all columns: ``global-recode`` with maps, ``intervals`` with breaks,
``top-bottom-code`` with bounds. They stand before all other steps.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_MAPS, _CUTS, _ENDS = "global-recode", "intervals", "top-bottom-code"
_SETTINGS = {_MAPS: ("maps",), _CUTS: ("breaks",), _ENDS: ("top", "bottom")}


@dataclass(frozen=True)
class ColumnRecoding:
    """What is done to one column by hand; at most one of the three.

    Attributes
    ----------
    labels
        The new label of each old one that changes.
    cuts
        Numbers at which a new class begins.
    top, bottom
        Bounds beyond which all values become one class.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    cuts: tuple[float, ...] = ()
    top: float | str | None = None
    bottom: float | str | None = None

    def __bool__(self) -> bool:
        ends = self.top is not None or self.bottom is not None
        return bool(self.labels or self.cuts or ends)

    def merged(
        self, texts: Sequence[str], name: str, originals: Collection[str]
    ) -> "ColumnRecoding":
        """Return the recoding that also merges some labels into one of a name.

        Parameters
        ----------
        texts
            Labels as they are after this recoding.
        name
            What they are called from then on.
        originals
            The labels of the column as it was.

        Examples
        --------
        >>> once = ColumnRecoding().merged(["a", "b"], "ab", {"a", "b", "c"})
        >>> dict(once.merged(["ab", "c"], "all", {"a", "b", "c"}).labels)
        {'a': 'all', 'b': 'all', 'c': 'all'}
        """
        chosen = set(texts)
        labels = {old: name if new in chosen else new for old, new in self.labels.items()}
        labels |= {text: name for text in texts if text in originals and text not in self.labels}
        return ColumnRecoding({old: new for old, new in labels.items() if old != new})

    def _settings(self) -> dict[tuple[str, str], Any]:
        """Return what is stated, by method and setting."""
        stated: dict[tuple[str, str], Any] = {}
        if self.labels:
            stated[_MAPS, "maps"] = dict(self.labels)
        if self.cuts:
            stated[_CUTS, "breaks"] = list(self.cuts)
        for name in ("top", "bottom"):
            if getattr(self, name) is not None:
                stated[_ENDS, name] = getattr(self, name)
        return stated


def recoding_of(steps: Sequence[Mapping[str, Any]], column: str) -> ColumnRecoding:
    """Return how the steps of a recipe recode a column by hand."""
    stated: dict[str, Any] = {}
    for step in steps:
        for setting in _SETTINGS.get(step["method"], ()):
            told = step.get(setting)
            if isinstance(told, Mapping) and column in told:
                stated[setting] = told[column]
    return ColumnRecoding(
        labels=dict(stated.get("maps", {})),
        cuts=tuple(stated.get("breaks", ())),
        top=stated.get("top"),
        bottom=stated.get("bottom"),
    )


def recoded_steps(
    steps: Sequence[Mapping[str, Any]], column: str, recoding: ColumnRecoding
) -> list[dict[str, Any]]:
    """Return the steps of a recipe with another recoding of a column.

    Examples
    --------
    >>> recoding = ColumnRecoding({"a": "ab", "b": "ab"})
    >>> recoded_steps([{"method": "pram"}], "area", recoding)[0]
    {'method': 'global-recode', 'maps': {'area': {'a': 'ab', 'b': 'ab'}}, 'columns': ['area']}
    """
    others = [dict(step) for step in steps if not _is_by_hand(step)]
    by_hand = [dict(step) for step in steps if _is_by_hand(step)]
    stated = recoding._settings()
    changed = []
    for method, settings in _SETTINGS.items():
        known: dict[str, Any] = {"method": method}
        known = next((step for step in by_hand if step["method"] == method), known)
        for setting in settings:
            told = {name: value for name, value in known.get(setting, {}).items() if name != column}
            if (method, setting) in stated:
                told[column] = stated[method, setting]
            known[setting] = told
        changed.append(_finished(known, settings))
    return [*(step for step in changed if step is not None), *others]


def _is_by_hand(step: Mapping[str, Any]) -> bool:
    """Return whether a step recodes by what a person stated for single columns, and no more."""
    settings = _SETTINGS.get(step["method"], ())
    return bool(settings) and any(isinstance(step.get(name), Mapping) for name in settings)


def _finished(step: dict[str, Any], settings: Sequence[str]) -> dict[str, Any] | None:
    """Return a step with the columns that it is for; None for one that is for none."""
    columns = list(dict.fromkeys(name for setting in settings for name in step[setting]))
    kept = {name: value for name, value in step.items() if name not in settings or value}
    if step["method"] == _ENDS:
        kept.setdefault("beyond", "label")
    return {**kept, "columns": columns} if columns else None
