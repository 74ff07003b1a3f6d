"""What the reports say: from results to texts, tables and charts."""

from collections.abc import Sequence
from dataclasses import replace

from sudare.catalog import find
from sudare.core import Figure, nominal, quantitative, say
from sudare.release.comparing import Candidate, Comparison
from sudare.release.method_words import measure_summary
from sudare.release.report.document import Block, Chart, Report, Table, Text, exact_numbers_warning
from sudare.release.searching import SearchResult


def comparison_report(comparison: Comparison, *, title: str, introduction: str = "") -> Report:
    """Return the report of a comparison: map, table, and each recipe on the frontier."""
    blocks: list[Block] = [Text(introduction)] if introduction else []
    if comparison.of_kind("risk") and comparison.of_kind("loss"):
        blocks += map_blocks(comparison)
    header = [say("recipe"), *(comparison.title(name) for name in comparison.measures)]
    rows = [
        [c.recipe.name, *(float(r.value) for r in c.results.values())]
        for c in comparison.candidates
    ]
    blocks += [Text(heading=say("All recipes")), Table(header, rows)]
    blocks += [Text(remark) for remark in comparison.remarks()]
    blocks.append(Text(heading=say("What the measures say")))
    explained = [
        [comparison.title(label), say(measure.kind), measure_summary(measure)]
        for label, measure in comparison.measures.items()
    ]
    blocks.append(Table([say("measure"), say("kind"), say("meaning")], explained))
    for candidate in comparison.candidates:
        blocks += _candidate_blocks(comparison, candidate)
    return Report(title, blocks, footer=exact_numbers_warning(), confidential=True)


def map_blocks(comparison: Comparison) -> Sequence[Block]:
    """Return the risk–utility map of a comparison."""
    caption = say(
        "Each point is a recipe. Nearer the origin is better; no recipe beats those on the line "
        "in both risk and loss: {recipes}.",
        recipes=say(", ").join(comparison.frontier()),
    )
    return [Text(heading=say("Risk–utility map")), Chart(comparison.figure(), caption)]


def _candidate_blocks(comparison: Comparison, candidate: Candidate) -> Sequence[Block]:
    body = candidate.recipe.description
    if not candidate.steps:
        return [Text(body or say("Nothing is masked."), candidate.recipe.name)]
    steps = [
        [
            say(find(step.method).title),
            ", ".join(step.columns),
            ", ".join(f"{k} = {v}" for k, v in step.settings.items() if v is not None),
        ]
        for step in candidate.steps
    ]
    blocks: list[Block] = [
        Text(body, candidate.recipe.name),
        Table([say("method"), say("columns"), say("settings")], steps),
    ]
    losses = [r for name, r in candidate.results.items() if name in comparison.of_kind("loss")]
    changed = [
        {"column": column, "loss": say(find(r.measure).title), "value": value}
        for r in losses
        for column, value in r.parts.items()
        if value != r.best
    ]
    if changed:
        blocks.append(Chart(_loss_by_column(changed), say("Loss by column.")))
    return blocks


def _loss_by_column(values: list[dict[str, object]]) -> Figure:
    return Figure(
        data={"values": values},
        mark={"type": "bar", "tooltip": True, "color": "#3a6b5c"},
        width=170,
        background=None,
        encoding={
            "y": nominal("column", sort="-x", title=None),
            "x": quantitative("value", title=None),
            "facet": nominal("loss", title=None, columns=3),
        },
        resolve={"scale": {"x": "independent"}},
    )


def search_report(result: SearchResult) -> Report:
    """Return the report of a search: the limits, what is recommended, and the map of all tried."""
    limits = [[str(limit)] for limit in result.limits]
    blocks: list[Block] = [Text(heading=say("Limits")), Table([say("limit")], limits)]
    if result.recommended is None:
        text = say("no recipe met the limits; allow more methods, more trials or wider limits.")
        blocks.append(Text(text, say("Recommended recipe")))
    else:
        blocks += [
            Text(result.recommended.description, say("Recommended recipe")),
            Table(
                [say("measure"), say("lowest on fresh seeds"), say("highest on fresh seeds")],
                [
                    [result.comparison.title(name), min(values), max(values)]
                    for name, values in result.confirmed.items()
                ],
            ),
        ]
    if result.refused:
        refused = [[count, reason] for reason, count in result.refused.items()]
        columns = [say("recipes"), say("reason")]
        blocks += [Text(heading=say("Recipes that could not be tried")), Table(columns, refused)]
    whole = comparison_report(result.comparison, title=say("Search for a recipe"))
    return replace(whole, blocks=[*blocks, *whole.blocks])
