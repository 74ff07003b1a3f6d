"""The report of the history study: tables 6 to 10, the picture, the paper's tables next to ours."""

from collections.abc import Mapping, Sequence

from sudare.core import Figure, nominal, quantitative, say, with_looks
from sudare.release import Chart, Table, Text
from sudare.release.report import Block
from sudare.study.history_study import paper
from sudare.study.history_study.tables import TABLES, FileOutcome, critical_value, paper_table
from sudare.study.result import Row, rounded, yes_and_no

Tables = Mapping[str, Sequence[Row]]


def presented(tables: Tables, *, beside_paper: bool) -> dict[str, Sequence[Row]]:
    """Return the tables as people read them, with the paper's correlations if they compare."""
    shown: dict[str, Sequence[Row]] = {
        name: [rounded(_named(row)) for row in tables[name]] for name in TABLES
    }
    rows = [rounded(yes_and_no(row)) for row in tables["correlations"]]
    if beside_paper:
        printed = [r for layout in TABLES.values() for r in layout.correlations]
        rows = [
            row | {say("paper"): "" if theirs is None else theirs}
            for row, theirs in zip(rows, printed, strict=True)
        ]
    return shown | {"correlations": rows}


def history_blocks(
    tables: Tables, outcomes: Mapping[str, FileOutcome], samples: int, *, beside_paper: bool
) -> list[Block]:
    """Return the report's blocks in their order."""
    shown = presented(tables, beside_paper=beside_paper)
    blocks: list[Block] = [
        Text(
            say(
                "Does the utility U predict what analysts will find? From each of {files} "
                "masked files, {samples} histories that it allows are drawn; each is analyzed "
                "like the original, and the tables show the mean error. The last rows correlate "
                "the errors with U over the files; a correlation of {critical} or more is "
                "significant at the 0.05 level.",
                files=len(outcomes),
                samples=samples,
                critical=_critical(len(outcomes)),
            )
        ),
        Chart(error_map(outcomes, beside_paper=beside_paper)),
        Text(heading=say("Correlation with U")),
        Table.of(shown["correlations"]),
    ]
    for name, heading in {
        "table_6_use_cases": say("Errors of use cases (table 6)"),
        "table_7_items": say("Errors of the number of rows and the hundred top items (table 7)"),
        "table_8_dates": say("Errors of statistics of dates, in days (table 8)"),
        "table_9_prices": say("Errors of statistics of prices, in hundredths (table 9)"),
        "table_10_quantities": say("Errors of statistics of quantities (table 10)"),
    }.items():
        blocks += [Text(heading=heading), Table.of(shown[name])]
        if beside_paper:
            printed = [_named(row) for row in paper_table(name)]
            blocks.append(Table.of(printed, say("The paper's files, by team")))
    if beside_paper:
        blocks.append(Text(_differences(), say("How far the paper's tables compare")))
    return blocks


def error_map(outcomes: Mapping[str, FileOutcome], *, beside_paper: bool) -> Figure:
    """Return the picture: the error of each use case against U, one point per file."""
    columns = TABLES["table_6_use_cases"].columns
    points = [
        {"use case": case, "file": file, "source": "sudare", "U": o.utility, "error": o.errors[key]}
        for file, o in outcomes.items()
        for case, key in columns.items()
    ]
    if beside_paper:
        points += [
            {
                "use case": case,
                "file": team,
                "source": say("paper"),
                "U": paper.UTILITY[team],
                "error": error,
            }
            for team, errors in paper.USE_CASES.items()
            for case, error in zip(columns, errors, strict=True)
        ]
    color = with_looks("source", {"sudare": "#3a6b5c", say("paper"): "#c9873c"})
    if not beside_paper:
        color = {"value": "#3a6b5c"}
    return Figure(
        title=say("Errors of use cases against U"),
        background=None,
        data={"values": points},
        facet=nominal("use case", title=None, sort=list(columns)),
        columns=3,
        spec={
            "width": 190,
            "height": 150,
            "mark": {"type": "point", "filled": True, "tooltip": {"content": "data"}},
            "encoding": {
                "x": quantitative("U"),
                "y": quantitative("error", title=say("error")),
                "color": color,
            },
        },
    )


def _named(row: Row) -> Row:
    return row | {"file": say("correlation")} if row["file"] == "correlation" else row


def _critical(files: int) -> str:
    critical = critical_value(files)
    return "–" if critical is None else f"{critical:.3f}"


def _differences() -> str:
    return say(
        "The history is the paper's; the masked files are not, so columns compare in size, not row "
        "by row. Definitions that the paper leaves to earlier contests were settled so that files "
        "masked in the same way get errors like the printed ones: an itemset is frequent from a "
        "number of receipts on that is taken from the original; RFM ranks are the deciles of the "
        "original, and the error is divided by the range of its table; similarities of the top "
        "items only ask who bought them. The paper's table 9 is headed as quantities but is of "
        "prices; its text gives the share of itemsets that stay, its table 6 the share lost."
    )
