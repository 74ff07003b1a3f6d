"""The report of the synthesis study: two tables, the picture, the slides' figures next to ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudare.core import Figure, quantitative, say, with_looks
from sudare.release import Chart, Table, Text
from sudare.release.report import Block
from sudare.study.result import Row, finding_rows, rounded, yes_and_no
from sudare.study.synthesis_study import slides

Tables = Mapping[str, Sequence[Row]]


@dataclass(frozen=True)
class MethodOutcome:
    """What one method cost and what it left to an attacker.

    Attributes
    ----------
    error
        Mean absolute error, in the unit of the columns.
    risks
        Share of records linked, by k.
    interval
        Of the risk at the smallest k.
    components, ilot
        Of an orthogonal transformation: components kept, ILOT reached.
    """

    error: float
    risks: Mapping[int, float]
    interval: tuple[float, float]
    components: int | None = None
    ilot: float | None = None

    @property
    def risk(self) -> float:
        """Risk at the smallest k."""
        return next(iter(self.risks.values()))

    def row(self, name: str) -> Row:
        """Return the outcome as a row of a table."""
        low, high = self.interval
        return {
            "method": name,
            "components": "" if self.components is None else self.components,
            "ILOT": "" if self.ilot is None else self.ilot,
            "MAE": self.error,
            "risk": self.risk,
            "from": low,
            "to": high,
        }


def findings(outcomes: Mapping[str, MethodOutcome]) -> list[Row]:
    """Return whether the slides' conclusions hold here, one row each."""
    transformed = [outcome for name, outcome in outcomes.items() if name.startswith("OT")]
    errors, risks = [o.error for o in transformed], [o.risk for o in transformed]
    regressions = [outcomes["DRI"], outcomes["SRI"]]
    return finding_rows(
        {
            say("OT: risk falls as ILOT grows"): risks == sorted(risks, reverse=True),
            say("OT: error grows with ILOT"): errors == sorted(errors),
            say("OT: error stays below that of DRI"): max(errors) < outcomes["DRI"].error,
            say("DRI, SRI: at most 1 % are linked"): max(o.risk for o in regressions) <= 0.01,
        }
    )


def presented(tables: Tables, *, beside_slides: bool) -> dict[str, Sequence[Row]]:
    """Return the tables as people read them, with the slides' figures next to ours if wanted."""
    shown = dict(tables)
    shown["findings"] = [yes_and_no(row) for row in tables["findings"]]
    if beside_slides:
        shown["table_1_error"] = [
            row for ours in tables["table_1_error"] for row in _beside(ours, slides.ERROR)
        ]
        shown["table_2_risk"] = [
            row
            for ours in tables["table_2_risk"]
            for row in _beside(ours, slides.RISK.get(ours["k"], {}))
        ]
    return {name: [rounded(row) for row in rows] for name, rows in shown.items()}


def synthesis_blocks(
    tables: Tables, outcomes: Mapping[str, MethodOutcome], rows: int, *, beside_slides: bool
) -> list[Block]:
    """Return the report's blocks in their order."""
    shown = presented(tables, beside_slides=beside_slides)
    blocks: list[Block] = [
        Text(
            say(
                "Every record is replaced by a synthetic one: by its regression on the other "
                "columns (DRI), by that with noise (SRI), or by its leading principal components "
                "(OT, with the largest ILOT in brackets). The risk is the share of records whose "
                "original is among the k nearest to the synthetic record; a guess would find k of "
                "{rows}.",
                rows=rows,
            )
        ),
        Text(heading=say("Risk and error")),
        Chart(risk_error_map(outcomes)),
        Table.of(shown["findings"]),
        Text(heading=say("Error (table 1)")),
        Table.of(shown["table_1_error"]),
        Text(heading=say("Risk by record linkage (table 2)")),
        Table.of(shown["table_2_risk"]),
        Text(heading=say("Method by method")),
        Table.of(shown["methods"]),
    ]
    if beside_slides:
        blocks.append(Text(_differences(), say("Why our figures differ from the slides'")))
    return blocks


def risk_error_map(outcomes: Mapping[str, MethodOutcome]) -> Figure:
    """Return the risk–utility picture: linkage risk against error, one point per method."""
    points = [
        {
            "method": name,
            "family": "OT" if name.startswith("OT") else say("regression"),
            "error": outcome.error,
            "risk": outcome.risk,
        }
        for name, outcome in outcomes.items()
    ]
    colors = {"OT": "#3a6b5c", say("regression"): "#c9873c"}
    point = {"type": "point", "filled": True, "size": 70, "tooltip": {"content": "data"}}
    return Figure(
        title=say("Risk and error"),
        background=None,
        data={"values": points},
        width=420,
        height=300,
        encoding={
            "x": quantitative("error", title=say("mean absolute error")),
            "y": quantitative(
                "risk", title=say("share of records linked"), scale={"domain": [0, 1]}
            ),
        },
        layer=[
            {
                "transform": [{"filter": "datum.family === 'OT'"}],
                "mark": {"type": "line", "color": "#3a6b5c", "opacity": 0.4},
            },
            {"mark": point, "encoding": {"color": with_looks("family", colors)}},
            {
                "mark": {"type": "text", "align": "left", "dx": 7, "dy": -7},
                "encoding": {"text": {"field": "method"}},
            },
        ],
    )


def _beside(ours: Row, printed: Mapping[str, float]) -> list[Row]:
    theirs = {name: printed.get(name, "") for name in list(ours)[1:]}
    first = dict(list(ours.items())[:1])
    return [{say("source"): "sudare"} | ours, {say("source"): say("slides")} | first | theirs]


def _differences() -> str:
    return say(
        "The households of the slides are confidential. The data here have their number, their "
        "items, many zeros and heavy tails, and were tuned until the slides' findings appear: they "
        "illustrate them and are not evidence for them. The slides do not say whether components "
        "were those of the covariance or of the correlation matrix; the data were tuned with those "
        "of the correlation matrix and distances in yen. The fall of the risk depends on both: an "
        "attacker who divides by the standard deviation still links 99 % at ILOT 0.20."
    )
