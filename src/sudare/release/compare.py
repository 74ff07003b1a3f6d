"""Compare recipes: every recipe by every measure, the risk–utility map and its frontier."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sudare.catalog import find
from sudare.core.draws import Seed, draws_from
from sudare.core.errors import SettingError, unknown_name
from sudare.core.masker import OnProgress, Step, Treatment
from sudare.core.measure import Assessment, Kind, Result
from sudare.core.messages import say
from sudare.core.microdata import Microdata
from sudare.core.types import Figure
from sudare.release.recipe import Recipe
from sudare.transactions.history import History

Recipes = Sequence[Recipe] | Mapping[str, Treatment | Sequence[Treatment]]


@dataclass(frozen=True)
class Candidate:
    """One recipe, what it did, and how it scored on each measure."""

    recipe: Recipe
    steps: tuple[Step, ...]
    results: Mapping[str, Result]


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

    def frontier(self, risk: str | None = None, loss: str | None = None) -> tuple[str, ...]:
        """Return the recipes that no other beats on both a risk and a loss, least risk first.

        Without names, the first risk and the first loss of the comparison are taken.
        """
        risk, loss = self._axes(risk, loss)

        def beaten(one: Candidate) -> bool:
            return any(
                not one.results[risk].better_than(other.results[risk])
                and not one.results[loss].better_than(other.results[loss])
                and (
                    other.results[risk].better_than(one.results[risk])
                    or other.results[loss].better_than(one.results[loss])
                )
                for other in self.candidates
            )

        best = [c for c in self.candidates if not beaten(c)]
        sign = 1 if best[0].results[risk].lower_is_better else -1
        best.sort(key=lambda c: (sign * c.results[risk].value, c.recipe.name))
        return tuple(c.recipe.name for c in best)

    def figure(self, risk: str | None = None, loss: str | None = None) -> Figure:
        """Return the risk–utility map as Vega-Lite data: a point per recipe, and the frontier."""
        risk, loss = self._axes(risk, loss)
        best = self.frontier(risk, loss)
        points = [
            {
                "recipe": c.recipe.name,
                "risk": c.results[risk].value,
                "loss": c.results[loss].value,
                "place": say("frontier") if c.recipe.name in best else say("beaten"),
            }
            for c in self.candidates
        ]
        return _map_figure(points, self.title(risk), self.title(loss))

    def title(self, measure: str) -> str:
        """Return a measure's name in plain words."""
        return say(find(type(self.measures[measure]).__name__).title)

    def _axes(self, risk: str | None, loss: str | None) -> tuple[str, str]:
        risk = risk or next(iter(self.of_kind("risk")), None)
        loss = loss or next(iter(self.of_kind("loss")), None)
        if risk is None or loss is None or {risk, loss} - set(self.measures):
            raise SettingError("the map needs a risk and a loss that were measured.")
        return risk, loss

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


def compare(
    data: Microdata | History,
    recipes: Recipes,
    measures: Sequence[Assessment],
    *,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> Comparison:
    """Mask a table or a purchase history by every recipe and measure every result.

    Parameters
    ----------
    data
        The original.
    recipes
        Recipes, or maskers by name.
    measures
        What to measure: risks and losses.
    seed
        Same seed, same comparison.
    on_progress
        Called before each recipe with (done, in all, its name).

    Examples
    --------
    >>> import sudare
    >>> found = compare(
    ...     sudare.datasets.toy(),
    ...     {"as it is": [], "coarse": sudare.mask.GlobalRecode(min_share=0.2)},
    ...     [sudare.risk.Uniques(), sudare.loss.TotalVariation()],
    ... )
    >>> found.frontier()
    ('coarse', 'as it is')
    """
    chosen = list(_recipes(recipes))
    if not chosen or not measures:
        raise SettingError("compare needs at least one recipe and one measure.")
    names = [recipe.name for recipe in chosen]
    if len(set(names)) < len(names):
        raise SettingError("two recipes have the same name; give each its own.")
    secret = draws_from(seed).seed
    labelled = _labelled(measures)
    candidates = []
    for number, recipe in enumerate(chosen):
        if on_progress:
            on_progress(number, len(chosen), recipe.name)
        masked = recipe.apply(data, seed=secret)
        before = recipe.prepare(data)
        results = {
            label: measure(before, masked.data, steps=masked.steps)
            for label, measure in labelled.items()
        }
        candidates.append(Candidate(recipe, masked.steps, results))
    return Comparison(tuple(candidates), labelled)


def _labelled(measures: Sequence[Assessment]) -> dict[str, Assessment]:
    """Return measures by name; those of the same method get their settings beside it."""
    names = Counter(type(measure).__name__ for measure in measures)
    labelled = {
        type(m).__name__ if names[type(m).__name__] == 1 else m.label(): m for m in measures
    }
    if len(labelled) < len(measures):
        raise SettingError("a measure is given twice.")
    return labelled


def _recipes(recipes: Recipes) -> Iterator[Recipe]:
    if not isinstance(recipes, Mapping):
        yield from recipes
        return
    for name, maskers in recipes.items():
        yield Recipe(name, [maskers] if isinstance(maskers, Treatment) else list(maskers))


def _map_figure(points: Sequence[Mapping[str, object]], risk: str, loss: str) -> Figure:
    axes = {
        "x": {"field": "loss", "type": "quantitative", "title": loss},
        "y": {"field": "risk", "type": "quantitative", "title": risk},
    }
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
            _names(axes, say("beaten"), {"dx": 9, "dy": 11, "color": "#8a5a1e"}),
        ],
    }


def _names(axes: Mapping[str, object], place: str, style: Mapping[str, object]) -> Figure:
    """Return the names of the points of one place, apart from those of the other."""
    return {
        "transform": [{"filter": {"field": "place", "equal": place}}],
        "mark": {"type": "text", "align": "left", "fontSize": 11, **style},
        "encoding": {**axes, "text": {"field": "recipe"}},
    }
