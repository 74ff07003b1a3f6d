"""The lattice of solutions as a picture: a row for each number of steps above the values."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sudare.core import Figure, quantitative, say, with_looks
from sudare.mask.anonymity import Solution

_MOST_LINES = 150  # solutions between which lines can still be told apart
_LETTER = 6.2  # pixels of a letter of a name
_RING = "#c9873c"
_COLOURS = ("#2a7a5f", "#b5483a")  # kept, not kept
_ROW = 56  # pixels
_NARROWEST, _WIDEST = 240, 1000  # pixels
# Beside the picture it would be cut off; shapes have the color of the page's words.
LEGEND = {"orient": "bottom", "symbolBaseFillColor": "currentColor"}


def fitting(width: int) -> int:
    """Return the width of a picture, in pixels, that is nearest to the one that a page asks for."""
    return min(max(width, _NARROWEST), _WIDEST)


def drawn_lattice(
    solutions: Sequence[Solution], chosen: Mapping[str, int] | None, width: int
) -> dict[str, Any]:
    """Return the picture for a part of a page of some width, in pixels.

    A ring marks the solution that is used: the chosen one, or else the best.
    """
    points = _points(solutions, solutions[0].levels if chosen is None else chosen)
    y = quantitative("row", axis=None, scale={"padding": 20})
    x = quantitative("x", axis=None, scale={"padding": 30})
    titles = [say("within the limit"), say("suppresses too many")]
    tips = {
        "name": say("levels"),
        "loss": say("loss"),
        "suppressed": say("records suppressed"),
        "state": say("state"),
    }
    dots = {
        "mark": {"type": "circle", "opacity": 1},
        "encoding": {
            "x": x,
            "y": y,
            "color": with_looks("state", dict(zip(titles, _COLOURS, strict=True))),
            "size": {"condition": {"test": "datum.is_used", "value": 260}, "value": 80},
            "tooltip": [{"field": field, "title": title} for field, title in tips.items()],
        },
    }
    ring = {
        "transform": [{"filter": "datum.is_used"}],
        "mark": {"type": "point", "size": 520, "strokeWidth": 2, "color": _RING},
        "encoding": {"x": x, "y": y},
    }
    names = {
        "mark": {"type": "text", "dy": -12, "fontSize": 10, "color": "currentColor"},
        "encoding": {"x": x, "y": y, "text": {"field": "name"}},
    }
    lines = {
        "data": {"values": _lines(points)},
        "mark": {"type": "rule", "opacity": 0.25, "color": "currentColor"},
        "encoding": {"x": x, "y": y, "x2": {"field": "x2"}, "y2": {"field": "row2"}},
    }
    rows = Counter(point["row"] for point in points)
    inner = fitting(width - 40)
    longest = max(len(point["name"]) for point in points) * _LETTER
    return Figure(
        width=inner,
        height=max(_ROW * len(rows), 160),
        background=None,
        data={"values": [{name: p[name] for name in p if name != "levels"} for p in points]},
        config={"legend": LEGEND, "view": {"stroke": None}},
        layer=[
            *([lines] if len(points) <= _MOST_LINES else []),
            dots,
            ring,
            *([names] if longest * max(rows.values()) <= inner else []),
        ],
    ).spec


def _points(solutions: Sequence[Solution], used: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return every solution with its row and its position in it, centered on the page."""
    rows = defaultdict[int, list[Solution]](list)
    for solution in sorted(solutions, key=lambda solution: tuple(solution.levels.values())):
        rows[sum(solution.levels.values())].append(solution)
    return [
        {
            "levels": tuple(solution.levels.values()),
            "name": " · ".join(map(str, solution.levels.values())),
            "row": row,
            "x": number - (len(members) - 1) / 2,
            "loss": round(solution.loss, 4),
            "suppressed": solution.suppressed,
            "state": say("within the limit") if solution.is_kept else say("suppresses too many"),
            "is_used": solution.levels == used,
        }
        for row, members in rows.items()
        for number, solution in enumerate(members)
    ]


def _lines(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines between solutions that are one step of one column apart."""
    at = {point["levels"]: point for point in points}
    return [
        {"x": point["x"], "row": point["row"], "x2": higher["x"], "row2": higher["row"]}
        for levels, point in at.items()
        for key in range(len(levels))
        if (higher := at.get((*levels[:key], levels[key] + 1, *levels[key + 1 :])))
    ]
