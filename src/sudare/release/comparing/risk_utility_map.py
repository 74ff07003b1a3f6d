"""The risk–utility map: a point per recipe, the frontier as a staircase, what limits forbid."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sudare.core import Figure, Result, quantitative, retold, say, with_looks
from sudare.release.limits import Limit

MAP_WIDTH, _HEIGHT = 560, 340  # pixels
_FEW = 12  # points of a map that are all named
_LETTER, _LINE = 6.2, 13.0  # pixels of a letter and of a line of names
_BESIDE = 29.0  # pixels that a remark may be wider than the picture
_REACH = 9.0  # pixels between a point and its name
_STEP, _FURTHEST = 12.0, 5  # pixels by which a name is moved up or down, and how often
_STYLES = {
    "frontier": {"color": "#3a6b5c", "strokeDash": [4, 3]},
    "limit": {"color": "#b3412f", "opacity": 0.1},
    "limit-name": {"color": "#b3412f", "fontSize": 11, "align": "right"},
    "interval": {"color": "#9aa5a0"},
    "leader": {"color": "#9aa5a0", "strokeWidth": 0.7},
    "recipe": {"filled": True, "size": 90},
    "recipe-name": {"fontSize": 11, "color": "currentColor"},
}
_GREEN, _BROWN = "#3a6b5c", "#c9873c"

Layer = dict[str, Any]
Pixel = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class MapPoint:
    """One recipe on the map; ``is_kept`` says whether it keeps all limits, if there are any."""

    recipe: str
    risk: Result
    loss: Result
    is_best: bool
    is_kept: bool = True


@dataclass(frozen=True)
class MapAxis:
    """One axis: what it measures, the numbers it spans, and the limits on it."""

    title: str
    low: float
    high: float
    turned: bool
    counts: bool
    limits: tuple[Limit, ...] = ()

    @classmethod
    def of(cls, title: str, results: Sequence[Result], limits: Sequence[Limit]) -> "MapAxis":
        """Return the axis of some results: from 0, with room beyond the largest."""
        ends = [end for result in results for end in _ends(result)]
        ends += [limit.number for limit in limits]
        turned = not results[0].lower_is_better
        high = max(*ends, 0.0)
        low = min(*ends, 0.0)
        room = 0.08 * ((high - low) or 1.0)
        counts = turned and all(float(r.value).is_integer() for r in results)
        return cls(title, low - room * (low < 0), high + room, turned, counts, tuple(limits))

    def encoding(self, field: str) -> dict[str, object]:
        """Return the axis as Vega-Lite has it; whole numbers where it counts."""
        axis = {"axis": {"format": "d", "tickMinStep": 1}} if self.counts else {}
        scale = {"domain": [self.low, self.high], "reverse": self.turned, "nice": False}
        return quantitative(field, title=self.title, scale=scale, **axis)

    def share(self, value: float) -> float:
        """Return where a number lies on the axis, 0 at the origin, 1 at the end."""
        share = (value - self.low) / (self.high - self.low)
        return 1 - share if self.turned else share

    def number(self, share: float) -> float:
        """Return the number that lies at a share of the axis."""
        share = 1 - share if self.turned else share
        return self.low + share * (self.high - self.low)

    def forbidden(self) -> list[tuple[float, float]]:
        """Return the parts of the axis that limits forbid."""
        return [
            (self.low, limit.number)
            if limit.comparison in {">=", ">"}
            else (limit.number, self.high)
            for limit in self.limits
        ]


def map_figure(
    points: Sequence[MapPoint], risk: MapAxis, loss: MapAxis, *, width: int = MAP_WIDTH
) -> Figure:
    """Return the map as Vega-Lite data. Nearer the origin is better on both axes.

    Names are placed for a width in pixels: a picture of another width would tear them off.
    """
    axes = {"x": loss.encoding("loss"), "y": risk.encoding("risk")}
    return Figure(
        title=_title(_remarks(points, width)),
        width=width,
        height=_HEIGHT,
        background=None,
        config={"style": _STYLES},
        data={"values": [_values(point) for point in points]},
        layer=[
            *_forbidden_areas(risk, loss, axes, width),
            _staircase(points, axes),
            *_intervals(axes),
            *_names(points, risk, loss, axes, width),
            _dots(points, axes),
        ],
    )


def _title(remarks: list[str]) -> str | dict[str, Any]:
    title = say("Risk–utility map")
    below = {"subtitle": remarks, "subtitleFontSize": 11, "subtitlePadding": 6}
    return {"text": title, **below} if remarks else title


def _remarks(points: Sequence[MapPoint], width: int) -> list[str]:
    """Return what must be known to read the risks, in lines; of some recipes, with their names."""
    names: dict[str, list[str]] = {}
    for point in points:
        for note in point.risk.notes:
            names.setdefault(retold(note), []).append(point.recipe)
    remarks = [
        note
        if len(of) == len(points)
        else say("{recipes}: {note}", recipes=", ".join(of), note=note)
        for note, of in list(names.items())[:2]
    ]
    return [line for remark in remarks for line in _lines(remark, width + _BESIDE)]


def _values(point: MapPoint) -> dict[str, object]:
    ends = {"risk": point.risk, "loss": point.loss}
    spans = {
        f"{axis}_{side}": end
        for axis, result in ends.items()
        for side, end in zip(("low", "high"), _ends(result), strict=True)
    }
    return {
        "recipe": point.recipe,
        "risk": point.risk.value,
        "loss": point.loss.value,
        **spans,
        "place": _place(point),
        "limits": _keeping(point),
    }


def _place(point: MapPoint) -> str:
    return say("frontier") if point.is_best else say("beaten")


def _keeping(point: MapPoint) -> str:
    return say("keeps the limits") if point.is_kept else say("misses a limit")


def _ends(result: Result) -> tuple[float, float]:
    """Return the interval of a result, as far as its values can be; without one, the value."""
    low, high = result.interval or (result.value, result.value)
    least, most = sorted((result.best, result.worst))
    return max(low, min(least, result.value)), min(high, max(most, result.value))


def _forbidden_areas(
    risk: MapAxis, loss: MapAxis, axes: Mapping[str, Any], width: int
) -> Iterator[Layer]:
    """Yield what the limits forbid, and words that say so in the far corner."""
    for axis, start, end in ((risk, "y", "y2"), (loss, "x", "x2")):
        for low, high in axis.forbidden():
            yield {
                "data": {"values": [{"from": low, "to": high}]},
                "mark": {"type": "rect", "style": "limit"},
                "encoding": {start: {**axes[start], "field": "from"}, end: {"field": "to"}},
            }
    if risk.limits or loss.limits:
        yield {
            "data": {"values": [{"word": say("not allowed")}]},
            "mark": {"type": "text", "style": "limit-name", "x": width - 6, "y": 12},
            "encoding": {"text": {"field": "word"}},
        }


def _staircase(points: Sequence[MapPoint], axes: Mapping[str, Any]) -> Layer:
    """Return the frontier as a line."""
    corners = _corners(points)
    return {
        "data": {
            "values": [
                {"loss": across, "risk": up, "corner": number}
                for number, (across, up) in enumerate(corners)
            ]
        },
        "mark": {"type": "line", "style": "frontier"},
        "encoding": {**axes, "order": quantitative("corner")},
    }


def _corners(points: Sequence[MapPoint]) -> list[tuple[float, float]]:
    """Return where the frontier turns: what a recipe reaches holds until the next one's loss."""
    best = [p for p in points if p.is_best]
    best.sort(key=lambda p: p.loss.value if p.loss.lower_is_better else -p.loss.value)
    corners: list[tuple[float, float]] = []
    for point in best:
        if corners:
            corners.append((point.loss.value, corners[-1][1]))
        corners.append((point.loss.value, point.risk.value))
    return corners


def _intervals(axes: Mapping[str, Any]) -> Iterator[Layer]:
    """Yield the intervals of points in both directions."""
    for field, start, end, other in (("risk", "y", "y2", "x"), ("loss", "x", "x2", "y")):
        yield {
            "mark": {"type": "rule", "style": "interval"},
            "encoding": {
                other: axes[other],
                start: {**axes[start], "field": f"{field}_low"},
                end: {"field": f"{field}_high"},
            },
        }


def _dots(points: Sequence[MapPoint], axes: Mapping[str, Any]) -> Layer:
    """Return the recipes as points: color by frontier; a cross where a limit is missed."""
    colors = {_place(p): _GREEN if p.is_best else _BROWN for p in points}
    shapes = {_keeping(p): "circle" if p.is_kept else "cross" for p in points}
    return {
        "mark": {"type": "point", "style": "recipe", "tooltip": True},
        "encoding": {
            **axes,
            "color": with_looks("place", colors),
            "shape": with_looks("limits", shapes) | ({} if len(shapes) > 1 else {"legend": None}),
        },
    }


def _names(
    points: Sequence[MapPoint], risk: MapAxis, loss: MapAxis, axes: Mapping[str, Any], width: int
) -> Iterator[Layer]:
    """Yield the names, each where it covers no point and no other name; of many, the frontier's.

    A name that had to move away from its point is tied to it by a line.
    """

    def pixels(across: float, up: float) -> Pixel:
        return loss.share(across) * width, (1 - risk.share(up)) * _HEIGHT

    dots = {p.recipe: pixels(p.loss.value, p.risk.value) for p in points}
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots.values()]
    lines = list(pairwise(pixels(*corner) for corner in _corners(points)))
    for p in points:
        (left, right), (down, up) = _ends(p.loss), _ends(p.risk)
        lines.append((pixels(left, p.risk.value), pixels(right, p.risk.value)))
        lines.append((pixels(p.loss.value, down), pixels(p.loss.value, up)))
    taken += [_around(*line) for line in lines]
    if risk.limits or loss.limits:
        taken.append((width - 6 - _length(say("not allowed")), 4.0, float(width), 20.0))
    labels = []
    for point in sorted(points, key=lambda p: not p.is_best):
        box = _free_place(dots[point.recipe], _length(point.recipe), taken, width)
        if box is None or not (point.is_best or len(points) <= _FEW):
            continue
        taken.append(box)
        labels.append(_label(point.recipe, dots[point.recipe], box))
    yield {
        "data": {"values": [label for label in labels if label["moved"]]},
        "mark": {"type": "rule", "style": "leader"},
        "encoding": {name: _pixel(name) for name in ("x", "y", "x2", "y2")},
    }
    for side in ("left", "right", "center"):
        yield {
            "data": {"values": [label for label in labels if label["align"] == side]},
            "mark": {"type": "text", "style": "recipe-name", "align": side},
            "encoding": {"x": _pixel("at"), "y": _pixel("middle"), "text": {"field": "recipe"}},
        }


def _pixel(field: str) -> dict[str, Any]:
    """Return where something is drawn as pixels, whatever the axes are."""
    return quantitative(field, scale=None)


def _label(recipe: str, dot: Pixel, box: Box) -> dict[str, Any]:
    """Return a name, where it is drawn, and the line that ties it to its point."""
    left, top, right, bottom = box
    align, at = "center", (left + right) / 2
    if left >= dot[0]:
        align, at = "left", left
    elif right <= dot[0]:
        align, at = "right", right
    middle = (top + bottom) / 2
    return {
        "recipe": recipe,
        "align": align,
        "at": at,
        "middle": middle,
        "moved": abs(middle - dot[1]) > _STEP,
        "x": min(max(dot[0], left), right),
        "y": bottom if middle < dot[1] else top,
        "x2": dot[0],
        "y2": dot[1],
    }


def _free_place(dot: Pixel, length: float, taken: Sequence[Box], width: int) -> Box | None:
    """Return where a name fits beside its point; None where everything is taken."""
    x, y = dot
    lefts = (x + _REACH, x - _REACH - length, x - length / 2)
    steps = sorted(range(-_FURTHEST, _FURTHEST + 1), key=abs)
    for up in (step * _STEP for step in steps):
        for wanted in lefts if up else lefts[:2]:
            left = min(max(wanted, 2.0), width - length)
            box = (left, y + up - _LINE / 2, left + length, y + up + _LINE / 2)
            inside = box[1] >= 0 and box[3] <= _HEIGHT
            if inside and not any(_overlap(box, other) for other in taken):
                return box
    return None


def _around(start: Pixel, end: Pixel) -> Box:
    """Return the box around a line along an axis."""
    (x, y), (to_x, to_y) = start, end
    return min(x, to_x) - 1, min(y, to_y) - 1, max(x, to_x) + 1, max(y, to_y) + 1


def _overlap(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _length(text: str) -> float:
    """Return about how many pixels a name takes; a wide letter counts twice."""
    return _LETTER * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _lines(text: str, width: float) -> list[str]:
    """Return a sentence in lines that the picture has room for."""
    lines = [""]
    for word in re.findall(r"[^\s、。]+[、。]*\s?", text):
        if lines[-1] and _length(lines[-1] + word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines]
