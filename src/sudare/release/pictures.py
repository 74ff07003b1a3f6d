"""Pictures of data before and after masking, as Vega-Lite data."""

from collections.abc import Mapping

import numpy as np

from sudare.core.columns import Categorical, Column, Numeric
from sudare.core.messages import say
from sudare.core.types import Figure, Floats, Integers

_MOST_BARS = 20
_BINS = 30
_CLASSES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))
_COLORS = ("#c9873c", "#3a6b5c")


def distribution(versions: Mapping[str, Column]) -> Figure:
    """Return how a column is distributed in several versions of a table, as bars or steps.

    Labels beyond the twenty most frequent are drawn as one bar, absent values as another.
    """
    first = next(iter(versions.values()))
    if all(isinstance(column, Numeric) for column in versions.values()):
        return _steps(first.name, {k: c for k, c in versions.items() if isinstance(c, Numeric)})
    return _bars(first.name, versions)


def _bars(name: str, versions: Mapping[str, Column]) -> Figure:
    shares = {version: _label_shares(column) for version, column in versions.items()}
    whole: dict[str, float] = {}
    for found in shares.values():
        for label, share in found.items():
            whole[label] = whole.get(label, 0.0) + share
    shown = sorted(whole, key=lambda label: -whole[label])[:_MOST_BARS]
    rest = say("(others)")
    values = [
        {"version": version, "label": label, "share": found.get(label, 0.0)}
        for version, found in shares.items()
        for label in shown
    ]
    if len(whole) > len(shown):
        values += [
            {"version": v, "label": rest, "share": sum(found[k] for k in found if k not in shown)}
            for v, found in shares.items()
        ]
    order = [*shown, rest]
    return {
        "title": name,
        "background": None,
        "width": 460,
        "height": {"step": 9},
        "data": {"values": values},
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {
            "y": {"field": "label", "type": "nominal", "sort": order, "title": None},
            "yOffset": {"field": "version", "sort": list(versions)},
            "x": {"field": "share", "type": "quantitative", "title": say("share")},
            "color": _by_version(list(versions)),
        },
    }


def _label_shares(column: Column) -> dict[str, float]:
    """Return the share of each label; numbers among labels count as one."""
    shares: dict[str, float] = {}
    if isinstance(column, Categorical):
        counts = np.bincount(column.codes[column.known], minlength=len(column.labels))
        shares = {
            str(label): float(count / column.rows)
            for label, count in zip(column.labels, counts, strict=True)
            if count
        }
    else:
        shares[say("(number)")] = float(column.known.mean())
    for flags, word in ((column.missing, "missing"), (column.not_applicable, "not applicable")):
        if flags.any():
            shares[f"({say(word)})"] = float(flags.mean())
    return shares


def _steps(name: str, versions: Mapping[str, Numeric]) -> Figure:
    known = {version: column.values[column.known] for version, column in versions.items()}
    edges = _edges(np.concatenate(list(known.values())))
    values = [
        {"version": version, "low": float(low), "high": float(high), "share": float(share)}
        for version, numbers in known.items()
        for low, high, share in zip(edges[:-1], edges[1:], _bin_shares(numbers, edges), strict=True)
    ]
    return {
        "title": name,
        "background": None,
        "width": 460,
        "height": 160,
        "data": {"values": values},
        "mark": {"type": "line", "interpolate": "step-after", "tooltip": True},
        "encoding": {
            "x": {"field": "low", "type": "quantitative", "title": None, "scale": {"zero": False}},
            "y": {"field": "share", "type": "quantitative", "title": say("share")},
            "color": _by_version(list(versions)),
        },
    }


def _edges(values: Floats) -> Floats:
    """Return bins over the middle 98 %; what lies beyond is counted in the first and last."""
    if not len(values):
        return np.array([0.0, 1.0])
    low, high = np.quantile(values, [0.01, 0.99])
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, _BINS + 1)


def _bin_shares(values: Floats, edges: Floats) -> Floats:
    inside = np.clip(values, edges[0], edges[-1])
    counts, _ = np.histogram(inside, edges)
    return counts / max(len(values), 1)


def _by_version(versions: list[str]) -> dict[str, object]:
    scale = {"domain": versions, "range": list(_COLORS[-len(versions) :])}
    return {"field": "version", "type": "nominal", "title": None, "scale": scale}


def size_classes(sizes: Integers, members: Integers | None = None) -> dict[str, float]:
    """Return the share of records, or customers, by the size of their group: 1, 2, 3–4, … 50+.

    Parameters
    ----------
    sizes
        Size of the group of each record, or of groups.
    members
        How many records each of them stands for; one by default.
    """
    members = np.ones_like(sizes) if members is None else members
    return {
        f"{low}" if low == high else f"{low}–{high}" if high else f"{low}+": float(
            members[(sizes >= low) & (sizes <= (high or sizes.max()))].sum() / members.sum()
        )
        for low, high in _CLASSES
    }


def bars_side_by_side(
    versions: Mapping[str, Mapping[str, float]], title: str, across: str, share: str
) -> Figure:
    """Return shares by class, a bar for each version beside that of the others."""
    values = [
        {"version": version, "class": name, "share": part}
        for version, classes in versions.items()
        for name, part in classes.items()
    ]
    order = list(dict.fromkeys(name for classes in versions.values() for name in classes))
    return {
        "title": title,
        "background": None,
        "width": 460,
        "height": 180,
        "data": {"values": values},
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {
            "x": {"field": "class", "type": "ordinal", "sort": order, "title": across},
            "xOffset": {"field": "version", "sort": list(versions)},
            "y": {"field": "share", "type": "quantitative", "title": share},
            "color": _by_version(list(versions)),
        },
    }
