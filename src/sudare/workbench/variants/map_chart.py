"""The map of the variants as a page shows it: axes of choice, a brush, and a star."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sudare.core import SettingError, say
from sudare.release import Comparison, Recipe
from sudare.workbench.variants.lattice_chart import LEGEND, fitting
from sudare.workbench.variants.trial_work import UNMASKED

_FRAME = 84  # pixels of a page that the axis and the edges of the picture take
_SHOWN, _FADED = 1.0, 0.25  # opacity of points that are marked, and of others
_INSIDE = "!picked || indexof(picked, datum.recipe) >= 0"


@dataclass(frozen=True, eq=False)
class MapView:
    """What was compared, with the axes that somebody chose."""

    comparison: Comparison
    risk: str
    loss: str

    @classmethod
    def of(cls, comparison: Comparison, risk: str, loss: str) -> "MapView":
        """Return the map with two axes; where one is not named, the most telling one."""
        known = {kind: comparison.of_kind(kind) for kind in ("risk", "loss")}
        if (risk and risk not in known["risk"]) or (loss and loss not in known["loss"]):
            raise SettingError("the map needs a risk and a loss that were measured.")
        return cls(comparison, *comparison.axes(risk or None, loss or None))

    @cached_property
    def frontier(self) -> frozenset[str]:
        """The variants that no other beats on both axes."""
        return frozenset(self.comparison.frontier(self.risk, self.loss))

    def chart(self, width: int, starred: str) -> dict[str, Any]:
        """Return the picture for a part of a page of some width, in pixels."""
        figure = _named(self.comparison).figure(self.risk, self.loss, width=fitting(width - _FRAME))
        figure = figure.restyle(legend=LEGEND)
        *behind, dots = figure.spec["layer"]
        axes = {name: dots["encoding"][name] for name in ("x", "y")}
        values = figure.spec["data"]["values"]
        return {
            **figure.spec,
            "params": [{"name": "picked", "value": None}, {"name": "pointed", "value": ""}],
            "layer": [
                *behind,
                {**dots, "params": [_brush()], "encoding": {**dots["encoding"], **_linked()}},
                _star([value for value in values if value["recipe"] == starred], axes),
            ],
        }


def _named(comparison: Comparison) -> Comparison:
    """Return a comparison in which the table as it is is called so in the reader's language."""
    return replace(
        comparison,
        candidates=tuple(
            replace(candidate, recipe=Recipe(say("as it is"), []))
            if candidate.recipe.name == UNMASKED
            else candidate
            for candidate in comparison.candidates
        ),
    )


def _brush() -> dict[str, Any]:
    return {"name": "brush", "select": {"type": "interval", "encodings": ["x", "y"]}}


def _linked() -> dict[str, Any]:
    """Return how points look that are marked in the table, or pointed at."""
    return {
        "opacity": {"condition": {"test": _INSIDE, "value": _SHOWN}, "value": _FADED},
        "size": {"condition": {"test": "pointed == datum.recipe", "value": 260}, "value": 90},
    }


def _star(values: list[dict[str, Any]], axes: dict[str, Any]) -> dict[str, Any]:
    """Return the star above the variant that was chosen for the release."""
    return {
        "data": {"values": values},
        "mark": {"type": "text", "text": "★", "dy": -14, "fontSize": 18, "color": "#c9873c"},
        "encoding": axes,
    }
