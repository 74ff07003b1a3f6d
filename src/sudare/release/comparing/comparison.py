"""The result of a comparison: recipes by measures, the risk–utility map and its frontier."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sudare.core import (
    Assessment,
    Figure,
    Kind,
    Result,
    SettingError,
    Step,
    html_table,
    unknown_name,
)
from sudare.release.comparing.risk_utility_map import MAP_WIDTH, MapAxis, MapPoint, map_figure
from sudare.release.limits import Limit
from sudare.release.method_words import measure_title
from sudare.release.recipe import Recipe


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
    """The candidates of a comparison; prints as a table.

    Attributes
    ----------
    candidates
        The recipes with their results.
    measures
        What was measured, by name.
    limits
        What was to be kept; the map shows where it is not.
    """

    candidates: tuple[Candidate, ...]
    measures: Mapping[str, Assessment]
    limits: Sequence[Limit] = ()

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
        """Return one row per recipe: its name and the value of every measure.

        A measure with a limit has the value by which the limit is judged.
        """
        return [
            {"recipe": c.recipe.name, **{n: self._counted(n, c).value for n in c.results}}
            for c in self.candidates
        ]

    def _counted(self, measure: str, candidate: Candidate) -> Result:
        """Return a result, of a measure with a limit as the limit is judged."""
        result = candidate.results[measure]
        is_worse = self._limits_on(measure) and result.judged != result.value
        return result.as_judged() if is_worse else result

    def within_limits(self) -> "Comparison":
        """Return the comparison of those recipes only that keep every limit."""
        return replace(self, candidates=tuple(c for c in self.candidates if self.keeps(c)))

    def by_column(self, measure: str) -> list[dict[str, str | float]]:
        """Return one row per recipe: its name and the measure's value in every column."""
        return [
            {"recipe": c.recipe.name, **c.results[measure].parts}
            for c in self.candidates
            if c.results[measure].parts
        ]

    def frontier(self, risk: str | None = None, loss: str | None = None) -> tuple[str, ...]:
        """Return the recipes that no other beats on both a risk and a loss, least risk first.

        Without names, the axes of the map are taken. Recipes that miss a limit are among them, as
        they are on the map; :meth:`within_limits` leaves them out.
        """
        both = [
            (c.recipe.name, [self._counted(name, c) for name in self.axes(risk, loss)])
            for c in self.candidates
        ]

        def beaten(by: Sequence[Result]) -> bool:
            return any(
                not any(own.better_than(its) for own, its in zip(by, other, strict=True))
                and any(its.better_than(own) for own, its in zip(by, other, strict=True))
                for _, other in both
            )

        best = [(name, results[0]) for name, results in both if not beaten(results)]
        sign = 1 if best[0][1].lower_is_better else -1
        best.sort(key=lambda point: (sign * point[1].value, point[0]))
        return tuple(name for name, _ in best)

    def figure(
        self, risk: str | None = None, loss: str | None = None, *, width: int = MAP_WIDTH
    ) -> Figure:
        """Return the risk–utility map as Vega-Lite data: a point per recipe, and the frontier.

        Nearer the origin is better: an axis on which more is better is turned round. What the
        limits forbid is shaded. Where there are many points, only those of the frontier are named.
        Without names, the axes are what a limit asks for, or else the first risk and the first
        loss on which the recipes differ. Names are placed for the ``width`` in pixels.
        """
        risk, loss = self.axes(risk, loss)
        best = self.frontier(risk, loss)
        points = [
            MapPoint(
                c.recipe.name,
                self._counted(risk, c),
                self._counted(loss, c),
                c.recipe.name in best,
                self.keeps(c),
            )
            for c in self.candidates
        ]
        return map_figure(points, self._axis(risk), self._axis(loss), width=width)

    def keeps(self, candidate: Candidate) -> bool:
        """Return whether a candidate keeps every limit."""
        results = {m: candidate.results[name] for name, m in self.measures.items()}
        return all(
            limit.met_at(results[limit.quantity].judged)
            if limit.quantity in results
            else limit.met_by(results[limit.measure])
            for limit in self.limits
        )

    def remarks(self) -> tuple[str, ...]:
        """Return which numbers count where the table shows better ones."""
        return tuple(
            f"{candidate.recipe.name}: {self.title(name)}: {text}"
            for candidate in self.candidates
            for name, result in candidate.results.items()
            if (text := result.judged_note()) is not None
        )

    def title(self, measure: str) -> str:
        """Return a measure's name in plain words."""
        return measure_title(self.measures[measure])

    def axes(self, risk: str | None = None, loss: str | None = None) -> tuple[str, str]:
        """Return the measures of the map: those that are named, else the most telling ones."""
        risk = risk or self._telling("risk")
        loss = loss or self._telling("loss")
        if risk is None or loss is None or {risk, loss} - set(self.measures):
            raise SettingError("the map needs a risk and a loss that were measured.")
        return risk, loss

    def _telling(self, kind: Kind) -> str | None:
        """Return the measure for an axis: asked for by a limit, and not the same for all."""
        names = self.of_kind(kind)
        asked = [name for name in names if self._limits_on(name)]
        for name in (*asked, *names):
            if len({self._counted(name, c).value for c in self.candidates}) > 1:
                return name
        return next(iter((*asked, *names)), None)

    def _limits_on(self, measure: str) -> list[Limit]:
        return [limit for limit in self.limits if limit.quantity == self.measures[measure]]

    def _axis(self, measure: str) -> MapAxis:
        results = [self._counted(measure, c) for c in self.candidates]
        return MapAxis.of(self.title(measure), results, self._limits_on(measure))

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a row per recipe."""
        return html_table(self.table())

    def __str__(self) -> str:
        rows = [["recipe", *self.measures]]
        for candidate in self.candidates:
            values = (f"{self._counted(n, candidate).value:.4g}" for n in candidate.results)
            rows.append([candidate.recipe.name, *values])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in rows
        )
        return "\n".join(line.rstrip() for line in lines)
