"""Pictures of data before and after masking, as Vega-Lite data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import (
    Categorical,
    Column,
    Figure,
    Floats,
    Integers,
    Numeric,
    nominal,
    quantitative,
    say,
    with_looks,
)
from sudare.release.report.natural_order import natural_order

_MOST_BARS = 20
_BINS = 30
_CLASSES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))
_COLORS = ("#7d86a8", "#c9873c", "#3a6b5c")  # the last is that of the last version
_NUMBER = r"-?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})(?:–({_NUMBER}))?")


def distribution(versions: Mapping[str, Column]) -> Figure:
    """Return how a column is distributed in several versions of a table, as bars or steps.

    Labels come in their natural order; those beyond the twenty most frequent are drawn as one bar,
    absent values as another. More
    labels than that which are all numbers or ranges of numbers are drawn as steps, like numbers.
    """
    first = next(iter(versions.values()))
    spans = {version: Spans.of(column) for version, column in versions.items()}
    known = {version: own for version, own in spans.items() if own is not None}
    is_long = any(
        isinstance(column, Numeric) or len(column.coded.labels) > _MOST_BARS
        for column in versions.values()
    )
    if len(known) == len(versions) and is_long:
        return _steps(first.name, known)
    return _bars(first.name, versions)


@dataclass(frozen=True, eq=False)
class Spans:
    """Numbers, or ranges in which they lie, and the share of the records of each; shapes (n,)."""

    low: Floats
    high: Floats
    share: Floats

    @classmethod
    def of(cls, column: Column) -> "Spans | None":
        """Return the numbers of a column, or the ranges that its labels say; None for others."""
        if isinstance(column, Numeric):
            values = column.values[column.known]
            return cls(values, values, np.full(len(values), 1 / max(len(values), 1)))
        if column.scale == "nominal":  # numbers may be the codes of places or things
            return None
        matches = [_RANGE.fullmatch(str(label)) for label in column.coded.labels]
        ranges = [(float(match[1]), float(match[2] or match[1])) for match in matches if match]
        if len(ranges) < len(matches) or any(low > high for low, high in ranges):
            return None
        codes = column.coded.codes[column.known]
        counts = np.bincount(codes, minlength=len(ranges)) / max(len(codes), 1)
        low, high = np.array(ranges).reshape(-1, 2).T
        return cls(low, high, counts)

    @classmethod
    def middles(cls, column: Column) -> Column:
        """Return ranges as the numbers in their middle, other columns as they are.

        The labels of many ranges that overlap would each be a category of its own, which any other
        column seems to depend on.
        """
        spans = cls.of(column)
        if spans is None or isinstance(column, Numeric):
            return column
        places = np.append((spans.low + spans.high) / 2, [np.nan, np.nan])
        values = np.where(column.known, places[column.coded.codes], np.nan)
        return Numeric(column.name, values, role=column.role)

    def within(self, edges: Floats) -> Floats:
        """Return the share in each bin, ranges spread evenly; the outer hold what is beyond."""
        is_point = self.low == self.high
        inside = np.clip(self.low[is_point], edges[0], edges[-1])
        shares, _ = np.histogram(inside, edges, weights=self.share[is_point])
        low, high, share = (part[~is_point] for part in (self.low, self.high, self.share))
        below = np.clip((edges[:, None] - low) / (high - low), 0, 1)
        below[0], below[-1] = 0, 1
        return np.asarray(shares + np.diff(below, axis=0) @ share)


def _bars(name: str, versions: Mapping[str, Column]) -> Figure:
    shares = {version: _label_shares(column) for version, column in versions.items()}
    whole: dict[str, float] = {}
    for by_label in shares.values():
        for label, share in by_label.items():
            whole[label] = whole.get(label, 0.0) + share
    common = set(sorted(whole, key=lambda label: -whole[label])[:_MOST_BARS])
    listed = dict.fromkeys([*natural_order(list(versions.values())), *whole])  # absent ones last
    shown = [label for label in listed if label in common]
    rest = say("(others)")
    values = [
        {"version": version, "label": label, "share": by_label.get(label, 0.0)}
        for version, by_label in shares.items()
        for label in shown
    ]
    if len(whole) > len(shown):
        values += [
            {"version": v, "label": rest, "share": sum(part[k] for k in part if k not in shown)}
            for v, part in shares.items()
        ]
    order = [*shown, rest]
    return Figure(
        title=name,
        background=None,
        width=460,
        height={"step": 9},
        data={"values": values},
        mark={"type": "bar", "tooltip": True},
        encoding={
            "y": nominal("label", sort=order, title=None),
            "yOffset": {"field": "version", "sort": list(versions)},
            "x": quantitative("share", title=say("share")),
            "color": _by_version(list(versions)),
        },
    )


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


def _steps(name: str, versions: Mapping[str, Spans]) -> Figure:
    edges = _edges(list(versions.values()))
    values = [
        {"version": version, "low": float(low), "high": float(high), "share": float(share)}
        for version, spans in versions.items()
        for low, high, share in zip(edges[:-1], edges[1:], spans.within(edges), strict=True)
    ]
    ends = [{**bar, "low": bar["high"]} for bar in values if bar["high"] == edges[-1]]
    return Figure(
        title=name,
        background=None,
        width=460,
        height=160,
        data={"values": [*values, *ends]},  # a step is drawn up to the next point
        mark={"type": "line", "interpolate": "step-after", "tooltip": True},
        encoding={
            "x": quantitative("low", title=None, scale={"zero": False}),
            "y": quantitative("share", title=say("share")),
            "color": _by_version(list(versions)),
        },
    )


def _edges(versions: Sequence[Spans]) -> Floats:
    """Return bins over the middle 98 %; what lies beyond is counted in the first and last.

    Each holds as many whole numbers as the next, where all are whole.
    """
    lows, highs, shares = (
        np.concatenate([getattr(spans, part) for spans in versions])
        for part in ("low", "high", "share")
    )
    if not len(shares):
        return np.array([0.0, 1.0])
    low = np.quantile(lows, 0.01, method="inverted_cdf", weights=shares)
    high = np.quantile(highs, 0.99, method="inverted_cdf", weights=shares)
    if not any((part % 1).any() for spans in versions for part in (spans.low, spans.high)):
        width = max(1, round((high - low) / _BINS))
        return np.asarray(low - 0.5 + width * np.arange((high - low) // width + 2))
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, _BINS + 1)


def _by_version(versions: list[str]) -> dict[str, object]:
    return with_looks("version", dict(zip(versions, _COLORS[-len(versions) :], strict=True)))


def size_classes(sizes: Integers, members: Integers | None = None) -> dict[str, float]:
    """Return the share of records, or customers, by the size of their group: 1, 2, 3–4, … 50+.

    Parameters
    ----------
    sizes
        Size of the group of each record, or of groups.
    members
        How many records each of them represents; one by default.
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
    """Return shares by class, with the bars of the versions side by side."""
    values = [
        {"version": version, "class": name, "share": part}
        for version, classes in versions.items()
        for name, part in classes.items()
    ]
    order = list(dict.fromkeys(name for classes in versions.values() for name in classes))
    axis = {"labelAngle": 0 if len(order) <= len(_CLASSES) else -90}
    return Figure(
        title=title,
        background=None,
        width=460,
        height=180,
        data={"values": values},
        mark={"type": "bar", "tooltip": True},
        encoding={
            "x": {**nominal("class", sort=order, title=across, axis=axis), "type": "ordinal"},
            "xOffset": {"field": "version", "sort": list(versions)},
            "y": quantitative("share", title=share),
            "color": _by_version(list(versions)),
        },
    )
