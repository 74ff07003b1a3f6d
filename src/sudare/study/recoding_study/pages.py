"""The report of the recoding study: tables, fig. 2, and the paper's figures next to ours."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from sudare.core import Figure, nominal, quantitative, say
from sudare.describe import Grouping
from sudare.release import Chart, Table, Text
from sudare.release.report import Block
from sudare.study.recoding_study import paper
from sudare.study.recoding_study.tables import NOT_JUDGED, SCORES, Losses
from sudare.study.result import Row, rounded, yes_and_no

Tables = Mapping[str, Sequence[Row]]


def presented(tables: Tables, losses: Losses) -> dict[str, Sequence[Row]]:
    """Return the tables as people read them, with the paper's figures next to ours if comparable.

    The list of all models stays in the files.
    """
    shown = {name: rows for name, rows in tables.items() if name != "models"}
    shown["properties"] = [yes_and_no(_judged(row)) for row in tables["properties"]]
    if is_the_papers(losses):
        for name, beside in _BESIDE.items():
            shown[name] = beside(tables[name])
    return {name: [rounded(row) for row in rows] for name, rows in shown.items()}


def _judged(row: Row) -> Row:
    return {k: say("not judged") if v == NOT_JUDGED else v for k, v in row.items()}


def recoding_blocks(
    tables: Tables, losses: Losses, grouping: Grouping | None, weights: str | None = None
) -> list[Block]:
    """Return the report's blocks in their order."""
    shown = presented(tables, losses)
    blocks: list[Block] = [
        Text(
            say(
                "Every variable is predicted from every subset of the others by a multinomial "
                "logit, from the original inputs and from inputs recoded by a minimum share p. "
                "The loss is the score of the first model less that of the second."
            )
        ),
        Text(heading=say("Does the loss behave as a loss should?")),
        Table.of(shown["properties"], _properties()),
        *_variable_blocks(shown, weights),
    ]
    if grouping is not None:
        blocks += _grouping_blocks(tables, grouping)
    blocks += [
        Text(heading=say("Categories after recoding (table 4)")),
        Table.of(shown["table_4_categories"]),
        Text(heading=say("Cramér's V (table 5)")),
        Table.of(shown["table_5_association"]),
        Text(heading=say("Mean loss by number of inputs and share (table 6)")),
        Table.of(shown["table_6_mean_loss"]),
        Text(heading=say("Correlation of quality and loss (table 7)")),
        Table.of(shown["table_7_correlation"]),
        Text(heading=say("Quality and loss, model by model (fig. 2)")),
        *(Chart(scatter(losses, score)) for score in ("accuracy", "recall")),
        Text(heading=say("Models that lose most (table 8)")),
        Table.of(shown["table_8_largest_loss"]),
    ]
    if is_the_papers(losses):
        blocks.append(Text(_differences(), say("Why our figures differ from the paper's")))
    return blocks


def _variable_blocks(shown: Tables, weights: str | None) -> list[Block]:
    """Return what was studied: records, weights, and what was left out."""
    counting = (
        say("Every record counts the same.")
        if weights is None
        else say(
            "Sampling weights ('{column}') count in shares, associations, models and losses.",
            column=weights,
        )
    )
    blocks: list[Block] = [Text(counting, say("Variables")), Table.of(shown["variables"])]
    if "left_out" in shown:
        blocks.append(Table.of(shown["left_out"], say("Columns that were left out.")))
    if "dependent" in shown:
        caption = say("One of these follows from the other, so no model has both.")
        blocks.append(Table.of(shown["dependent"], caption))
    return blocks


def is_the_papers(losses: Losses) -> bool:
    """Return whether variables and shares are those of the paper, so that its figures compare."""
    targets = {model.target for model, _ in losses.scored}
    return targets == set(paper.VARIABLES) and tuple(losses.shares) == paper.SHARES


def scatter(losses: Losses, score: str) -> Figure:
    """Return fig. 2: the loss of each model against the quality of the original one."""
    share = losses.shares[-1]
    points = [
        {
            "quality": losses.quality(model, score),
            "loss": losses.loss(model, score, share),
            "inputs": inputs,
            "model": model.label(losses.letters),
            "target": say("dominated") if model.target in losses.dominated else say("other"),
        }
        for inputs in losses.widths
        for model in losses.models(inputs)
    ]
    colors = {"domain": [say("other"), say("dominated")], "range": ["#3a6b5c", "#c9873c"]}
    return Figure(
        title=say("{score}, p = {share}", score=score, share=f"{share:g}"),
        background=None,
        data={"values": points},
        width=165,
        height=160,
        mark={"type": "point", "size": 50, "tooltip": {"content": "data"}},
        encoding={
            "x": quantitative("quality", title=say("original model")),
            "y": quantitative("loss", title=say("loss")),
            "color": nominal("target", scale=colors, title=say("target")),
            "shape": nominal("target", scale={"domain": colors["domain"]}),
            "facet": nominal("inputs", columns=4, title=say("inputs")),
        },
    )


def _grouping_blocks(tables: Tables, grouping: Grouping) -> list[Block]:
    return [
        Text(
            say(
                "There are too many variables for all subsets, so they were grouped by "
                "association (average linkage on 1 - V) and studied within the groups. The last "
                "row says how many models were skipped."
            ),
            say("Groups of variables"),
        ),
        Table.of(tables["groups"]),
        Chart(grouping.figure()),
    ]


def _beside_4(rows: Sequence[Row]) -> list[Row]:
    headings = [name for name in rows[0] if name != "variable"]
    return _in_turn(rows, lambda row: zip(headings, paper.CATEGORIES[row["variable"]], strict=True))


def _beside_5(rows: Sequence[Row]) -> list[Row]:
    known = {frozenset(pair): value for pair, value in paper.ASSOCIATION.items()}
    return [row | {say("paper"): known[frozenset((row["variable"], row["with"]))]} for row in rows]


def _beside_6(rows: Sequence[Row]) -> list[Row]:
    headings = [f"p={share:g}" for share in paper.SHARES]
    return _in_turn(
        rows, lambda row: zip(headings, paper.MEANS[row["score"]][row["inputs"] - 1], strict=True)
    )


def _beside_7(rows: Sequence[Row]) -> list[Row]:
    return _in_turn(
        rows,
        lambda row: zip(SCORES, paper.CORRELATIONS[row["inputs"], row["targets"]], strict=True),
    )


def _beside_8(rows: Sequence[Row]) -> list[Row]:
    lines = []
    for row in rows:
        model, loss = paper.TOP[row["inputs"], row["score"]][row["rank"] - 1]
        lines.append(row | {f"model ({say('paper')})": model, f"loss ({say('paper')})": loss})
    return lines


def _in_turn(
    rows: Sequence[Row], printed: Callable[[Row], Iterable[tuple[str, object]]]
) -> list[Row]:
    """Return each row followed by what the paper printed in its place."""
    lines: list[Row] = []
    for row in rows:
        lines.append({say("source"): "sudare"} | row)
        lines.append({say("source"): say("paper")} | row | dict(printed(row)))
    return lines


_BESIDE: Mapping[str, Callable[[Sequence[Row]], list[Row]]] = {
    "table_4_categories": _beside_4,
    "table_5_association": _beside_5,
    "table_6_mean_loss": _beside_6,
    "table_7_correlation": _beside_7,
    "table_8_largest_loss": _beside_8,
}


def _properties() -> str:
    return say(
        "(a) every mean loss is positive; (b) it grows with the minimum share; (c) it grows with "
        "the number of inputs; (d) it correlates with the quality of the original model (0.6 or "
        "more for every number of inputs), with and without targets that have a dominant category. "
        "Growth over fewer than three shares, or over one number of inputs, is not judged."
    )


def _differences() -> str:
    return say(
        "The paper's extract of the 2010 census is confidential. The data here have its numbers "
        "of categories before and after recoding and its associations, not its records, so that "
        "single losses differ while the pattern holds. The paper fitted with R's nnet::multinom, "
        "which by default stops after 100 iterations; here every model is fitted to its maximum."
    )
