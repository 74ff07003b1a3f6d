"""The risk–utility map: a point per recipe, the frontier as a staircase, what limits forbid."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sudare.core import Figure, Result, say
from sudare.release.limits import Limit

_WIDTH, _HEIGHT = 560, 340  # pixels
_FEW = 12  # points of a map that are all named
_LETTER, _LINE = 6.2, 13.0  # pixels of a letter and of a line of names
_REACH = 9.0  # pixels between a point and its name
_GREEN, _BROWN, _RED = "#3a6b5c", "#c9873c", "#b3412f"

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class MapPoint:
    """One recipe on the map."""

    recipe: str
    risk: Result
    loss: Result
    is_best: bool


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
        axis = {"format": "d", "tickMinStep": 1} if self.counts else {}
        return {
            "field": field,
            "type": "quantitative",
            "title": self.title,
            "scale": {"domain": [self.low, self.high], "reverse": self.turned, "nice": False},
            **({"axis": axis} if axis else {}),
        }

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


def map_figure(points: Sequence[MapPoint], risk: MapAxis, loss: MapAxis) -> Figure:
    """Return the map as Vega-Lite data. Nearer the origin is better on both axes."""
    axes = {"x": loss.encoding("loss"), "y": risk.encoding("risk")}
    notes = {note: None for p in points for note in p.risk.notes}
    subtitle = [line for note in list(notes)[:2] for line in _lines(note)]
    return {
        "title": {"text": say("Risk–utility map"), "subtitle": subtitle}
        if subtitle
        else say("Risk–utility map"),
        "width": _WIDTH,
        "height": _HEIGHT,
        "background": None,
        "data": {"values": [_values(point) for point in points]},
        "layer": [
            *_forbidden_areas(risk, loss, axes),
            _staircase(points, axes),
            *_intervals(axes),
            _dots(axes),
            *_names(points, risk, loss, axes),
        ],
    }


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
        "place": say("frontier") if point.is_best else say("beaten"),
    }


def _ends(result: Result) -> tuple[float, float]:
    """Return the interval of a result, as far as its values can be; without one, the value."""
    low, high = result.interval or (result.value, result.value)
    least, most = sorted((result.best, result.worst))
    return max(low, min(least, result.value)), min(high, max(most, result.value))


def _forbidden_areas(risk: MapAxis, loss: MapAxis, axes: Mapping[str, object]) -> Iterator[Figure]:
    """Yield what the limits forbid, and words that say so in the far corner."""
    for axis, field in ((risk, "risk"), (loss, "loss")):
        across = field == "loss"
        for low, high in axis.forbidden():
            ends = {"from": low, "to": high}
            one, two = ("x", "x2") if across else ("y", "y2")
            yield {
                "data": {"values": [ends]},
                "mark": {"type": "rect", "color": _RED, "opacity": 0.1},
                "encoding": {
                    one: {**axes[one], "field": "from"},  # type: ignore[dict-item]
                    two: {"field": "to"},
                },
            }
            yield {
                "data": {"values": [{"word": say("not allowed")}]},
                "mark": {
                    "type": "text",
                    "color": _RED,
                    "fontSize": 11,
                    "align": "right",
                    "x": _WIDTH - 6,
                    "y": 12,
                    "opacity": 0.9,
                },
                "encoding": {"text": {"field": "word"}},
            }


def _staircase(points: Sequence[MapPoint], axes: Mapping[str, object]) -> Figure:
    """Return the frontier as a line."""
    corners = _corners(points)
    return {
        "data": {
            "values": [
                {"loss": across, "risk": up, "corner": number}
                for number, (across, up) in enumerate(corners)
            ]
        },
        "mark": {"type": "line", "color": _GREEN, "strokeDash": [4, 3]},
        "encoding": {**axes, "order": {"field": "corner", "type": "quantitative"}},
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


def _intervals(axes: Mapping[str, object]) -> Iterator[Figure]:
    """Yield the intervals of points in both directions."""
    for field, one, two, other in (("risk", "y", "y2", "x"), ("loss", "x", "x2", "y")):
        yield {
            "mark": {"type": "rule", "color": "#9aa5a0"},
            "encoding": {
                other: axes[other],
                one: {**axes[one], "field": f"{field}_low"},  # type: ignore[dict-item]
                two: {"field": f"{field}_high"},
            },
        }


def _dots(axes: Mapping[str, object]) -> Figure:
    return {
        "mark": {"type": "point", "filled": True, "size": 90, "tooltip": True},
        "encoding": {
            **axes,
            "color": {
                "field": "place",
                "type": "nominal",
                "title": None,
                "scale": {
                    "range": [_GREEN, _BROWN],
                    "domain": [say("frontier"), say("beaten")],
                },
            },
        },
    }


def _names(
    points: Sequence[MapPoint], risk: MapAxis, loss: MapAxis, axes: Mapping[str, object]
) -> Iterator[Figure]:
    """Yield the names, each where it covers no point and no other name; of many, the frontier's."""

    def pixels(across: float, up: float) -> tuple[float, float]:
        return loss.share(across) * _WIDTH, (1 - risk.share(up)) * _HEIGHT

    places = {p.recipe: pixels(p.loss.value, p.risk.value) for p in points}
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y in places.values()]
    turns = [pixels(*corner) for corner in _corners(points)]
    for (x, y), (to_x, to_y) in pairwise(turns):
        taken.append((min(x, to_x) - 1, min(y, to_y) - 1, max(x, to_x) + 1, max(y, to_y) + 1))
    for group, color in ((True, "#1f2a26"), (False, "#8a5a1e")):
        labels = []
        for point in points if group or len(points) <= _FEW else ():
            if point.is_best is not group:
                continue
            box = _free_place(places[point.recipe], _length(point.recipe), taken)
            if box is None:
                continue
            taken.append(box)
            labels.append(
                {
                    "recipe": point.recipe,
                    "loss": loss.number(box[0] / _WIDTH),
                    "risk": risk.number(1 - (box[1] + box[3]) / 2 / _HEIGHT),
                }
            )
        if labels:
            yield {
                "data": {"values": labels},
                "mark": {"type": "text", "align": "left", "fontSize": 11, "color": color},
                "encoding": {**axes, "text": {"field": "recipe"}},
            }


def _free_place(point: tuple[float, float], length: float, taken: Sequence[Box]) -> Box | None:
    """Return where a name fits beside its point; None where everything is taken."""
    x, y = point
    lefts = (x + _REACH, x - _REACH - length, x - length / 2)
    for up in (0.0, -12.0, 12.0, -24.0, 24.0, -36.0, 36.0):
        for wanted in lefts if up else lefts[:2]:
            left = min(max(wanted, 2.0), _WIDTH - length)
            box = (left, y + up - _LINE / 2, left + length, y + up + _LINE / 2)
            inside = box[1] >= 0 and box[3] <= _HEIGHT
            if inside and not any(_overlap(box, other) for other in taken):
                return box
    return None


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _length(text: str) -> float:
    """Return about how many pixels a name takes; a wide letter counts twice."""
    return _LETTER * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _lines(text: str, most: int = 95) -> list[str]:
    """Return a sentence in lines that the picture has room for."""
    lines = [""]
    for word in text.replace("。", "。 ").split():
        space = " " if lines[-1] and not lines[-1].endswith("。") else ""
        if lines[-1] and _length(lines[-1] + space + word) > most * _LETTER:
            lines.append(word)
        else:
            lines[-1] += space + word
    return lines
