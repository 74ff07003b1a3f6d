"""The result of a comparison: recipes by measures, the risk–utility map and its frontier."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudare.catalog import find
from sudare.core import (
    Assessment,
    Figure,
    Kind,
    Result,
    SettingError,
    Step,
    html_table,
    say,
    unknown_name,
)
from sudare.release.recipe import Recipe

_FEW = 12  # points of a map that are all named


@dataclass(frozen=True)
class Candidate:
    """One recipe, what it did, and how it scored on each measure.

    Attributes
    ----------
    results
        By measure. Of several runs the mean, with an interval of 95 % for it.
    runs
        The values of every run, by measure.
    """

    recipe: Recipe
    steps: tuple[Step, ...]
    results: Mapping[str, Result]
    runs: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True)
class Comparison:
    """The candidates of a comparison; prints as a table."""

    candidates: tuple[Candidate, ...]
    measures: Mapping[str, Assessment]

    def of_kind(self, kind: Kind) -> tuple[str, ...]:
        """Return the names of the measures of one kind, "risk" or "loss"."""
        return tuple(name for name, measure in self.measures.items() if measure.kind == kind)

    def __getitem__(self, recipe: str) -> Candidate:
        """Return the candidate of one recipe by its name."""
        for candidate in self.candidates:
            if candidate.recipe.name == recipe:
                return candidate
        raise unknown_name("recipe", recipe, [c.recipe.name for c in self.candidates])

    def table(self) -> list[dict[str, str | float]]:
        """Return one row per recipe: its name and the value of every measure."""
        return [
            {"recipe": c.recipe.name, **{name: r.value for name, r in c.results.items()}}
            for c in self.candidates
        ]

    def by_column(self, measure: str) -> list[dict[str, str | float]]:
        """Return one row per recipe: its name and the measure's value in every column."""
        return [
            {"recipe": c.recipe.name, **c.results[measure].parts}
            for c in self.candidates
            if c.results[measure].parts
        ]

    def frontier(self, risk: str | None = None, loss: str | None = None) -> tuple[str, ...]:
        """Return the recipes that no other beats on both a risk and a loss, least risk first.

        Without names, the first risk and the first loss of the comparison are taken.
        """
        risk, loss = self._axes(risk, loss)

        def beaten(candidate: Candidate) -> bool:
            return any(
                not candidate.results[risk].better_than(other.results[risk])
                and not candidate.results[loss].better_than(other.results[loss])
                and (
                    other.results[risk].better_than(candidate.results[risk])
                    or other.results[loss].better_than(candidate.results[loss])
                )
                for other in self.candidates
            )

        best = [c for c in self.candidates if not beaten(c)]
        sign = 1 if best[0].results[risk].lower_is_better else -1
        best.sort(key=lambda c: (sign * c.results[risk].value, c.recipe.name))
        return tuple(c.recipe.name for c in best)

    def figure(self, risk: str | None = None, loss: str | None = None) -> Figure:
        """Return the risk–utility map as Vega-Lite data: a point per recipe, and the frontier.

        Nearer the origin is better: an axis on which more is better is turned round. Where there
        are many points, only those of the frontier are named.
        """
        risk, loss = self._axes(risk, loss)
        best = self.frontier(risk, loss)
        points = [
            {
                "recipe": c.recipe.name,
                "risk": c.results[risk].value,
                "loss": c.results[loss].value,
                **_ends("risk", c.results[risk]),
                **_ends("loss", c.results[loss]),
                "place": say("frontier") if c.recipe.name in best else say("beaten"),
            }
            for c in self.candidates
        ]
        across, up = (self._axis(name) for name in (loss, risk))
        return _map_figure(points, across, up)

    def public(self) -> "Comparison":
        """Return what anybody may see: no confidential measure, and numbers of two digits.

        Exact numbers of several recipes could be subtracted from one another until a single record
        stands out; nothing by column, by record or by run is kept.
        """
        measures = {name: m for name, m in self.measures.items() if not m.confidential}
        candidates = tuple(
            Candidate(c.recipe, (), {name: _coarse(c.results[name]) for name in measures}, {})
            for c in self.candidates
        )
        return Comparison(candidates, measures)

    def title(self, measure: str) -> str:
        """Return a measure's name in plain words."""
        return say(find(type(self.measures[measure]).__name__).title)

    def _axes(self, risk: str | None, loss: str | None) -> tuple[str, str]:
        risk = risk or next(iter(self.of_kind("risk")), None)
        loss = loss or next(iter(self.of_kind("loss")), None)
        if risk is None or loss is None or {risk, loss} - set(self.measures):
            raise SettingError("the map needs a risk and a loss that were measured.")
        return risk, loss

    def _axis(self, measure: str) -> dict[str, object]:
        turned = not self.candidates[0].results[measure].lower_is_better
        title = self.title(measure)
        return {"type": "quantitative", "title": title, "scale": {"reverse": turned}}

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a row per recipe."""
        return html_table(self.table())

    def __str__(self) -> str:
        rows = [["recipe", *self.measures]]
        for candidate in self.candidates:
            values = (f"{result.value:.4g}" for result in candidate.results.values())
            rows.append([candidate.recipe.name, *values])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in rows
        )
        return "\n".join(line.rstrip() for line in lines)


def _coarse(result: Result) -> Result:
    """Return a result with two digits, and nothing behind it but its interval."""
    interval = result.interval and (
        _two_digits(result.interval[0]),
        _two_digits(result.interval[1]),
    )
    return Result(
        result.measure, _two_digits(result.value), result.best, result.worst, interval=interval
    )


def _two_digits(value: float) -> float:
    return float(f"{value:.2g}")


def _ends(axis: str, result: Result) -> dict[str, float]:
    """Return the interval of a point on the map; without one, the point itself."""
    low, high = result.interval or (result.value, result.value)
    return {f"{axis}_low": low, f"{axis}_high": high}


def _map_figure(
    points: Sequence[Mapping[str, object]],
    of_loss: Mapping[str, object],
    of_risk: Mapping[str, object],
) -> Figure:
    span = {"type": "rule", "color": "#9aa5a0"}
    axes = {"x": {"field": "loss", **of_loss}, "y": {"field": "risk", **of_risk}}
    beaten = _names(axes, say("beaten"), {"dx": 9, "dy": 11, "color": "#8a5a1e"})
    return {
        "title": say("Risk–utility map"),
        "width": 560,
        "height": 340,
        "background": None,
        "data": {"values": points},
        "layer": [
            {
                "transform": [{"filter": {"field": "place", "equal": say("frontier")}}],
                "mark": {"type": "line", "color": "#3a6b5c", "strokeDash": [4, 3]},
                "encoding": axes,
            },
            {
                "mark": span,
                "encoding": {
                    "x": axes["x"],
                    "y": {"field": "risk_low", **of_risk},
                    "y2": {"field": "risk_high"},
                },
            },
            {
                "mark": span,
                "encoding": {
                    "y": axes["y"],
                    "x": {"field": "loss_low", **of_loss},
                    "x2": {"field": "loss_high"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "tooltip": True},
                "encoding": {
                    **axes,
                    "color": {
                        "field": "place",
                        "type": "nominal",
                        "title": None,
                        "scale": {
                            "range": ["#3a6b5c", "#c9873c"],
                            "domain": [say("frontier"), say("beaten")],
                        },
                    },
                },
            },
            _names(axes, say("frontier"), {"dx": 9, "dy": -9}),
            *([beaten] if len(points) <= _FEW else []),
        ],
    }


def _names(axes: Mapping[str, object], group: str, style: Mapping[str, object]) -> Figure:
    """Return the names of the points on the frontier, or of the beaten ones."""
    return {
        "transform": [{"filter": {"field": "place", "equal": group}}],
        "mark": {"type": "text", "align": "left", "fontSize": 11, **style},
        "encoding": {**axes, "text": {"field": "recipe"}},
    }
