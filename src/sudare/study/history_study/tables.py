"""The tables of the history study: errors by file, and how they correlate with the utility U."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import say
from sudare.study.history_study import paper
from sudare.study.result import Row
from sudare.transactions.loss import STATISTICS

LEVEL = 0.05  # of the paper's test of no correlation


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper: the errors in its columns, by heading, and what was printed."""

    columns: Mapping[str, str]
    printed: paper.Printed
    correlations: Sequence[float | None]


def _amounts(column: str) -> dict[str, str]:
    return {name: f"{column}_{name}" for name in STATISTICS}


TABLES: Mapping[str, PaperTable] = {
    "table_6_use_cases": PaperTable(
        {
            "itemsets": "itemsets",
            "RFM": "rfm",
            "wholesale": "wholesale",
            "retail": "retail",
            "top": "top",
        },
        paper.USE_CASES,
        paper.CORRELATIONS["use_cases"],
    ),
    "table_7_items": PaperTable(
        {"rows": "rows", "top items": "top_items"}, paper.COUNTS, paper.CORRELATIONS["counts"]
    ),
    "table_8_dates": PaperTable(_amounts("date"), paper.DATES, paper.CORRELATIONS["dates"]),
    "table_9_prices": PaperTable(_amounts("price"), paper.PRICES, paper.CORRELATIONS["prices"]),
    "table_10_quantities": PaperTable(
        _amounts("quantity"), paper.QUANTITIES, paper.CORRELATIONS["quantities"]
    ),
}


@dataclass(frozen=True)
class FileOutcome:
    """One masked file: its U, and the mean error of every use case and statistic."""

    utility: float
    errors: Mapping[str, float]


@dataclass(frozen=True)
class Correlation:
    """Pearson's correlation of an error with U, and the test that there is none.

    Attributes
    ----------
    value, p
        The correlation and its two-sided p-value; ``None`` where it cannot be computed.
    note
        Why it cannot.
    """

    value: float | None
    p: float | None = None
    note: str = ""

    @property
    def significant(self) -> bool:
        """Whether no correlation is rejected at the level 0.05."""
        return self.p is not None and self.p < LEVEL


def critical_value(files: int, level: float = LEVEL) -> float | None:
    """Return the least correlation that is significant, two-sided; none below three files.

    Examples
    --------
    >>> round(critical_value(13), 4)
    0.5529
    """
    from scipy.special import stdtrit

    if files < 3:
        return None
    t = float(stdtrit(files - 2, 1 - level / 2))
    return t / float(np.sqrt(files - 2 + t**2))


def correlation(utilities: Sequence[float], errors: Sequence[float]) -> Correlation:
    """Return the correlation of an error with U over files, or say why there is none.

    Examples
    --------
    >>> related = correlation([0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 2.0, 4.0])
    >>> round(related.value, 3), round(related.p, 3), related.significant
    (0.923, 0.077, False)
    """
    from scipy.special import stdtr

    u, error = np.array(utilities), np.array(errors)
    if len(u) < 3:
        return Correlation(None, note=say("fewer than three files"))
    if np.ptp(error) == 0:
        return Correlation(None, note=say("the error is the same for every file"))
    if np.ptp(u) == 0:
        return Correlation(None, note=say("U is the same for every file"))
    value = float(np.clip(np.corrcoef(u, error)[0, 1], -1.0, 1.0))
    with np.errstate(divide="ignore"):
        t = np.abs(value) * np.sqrt((len(u) - 2) / np.float64(1 - value**2))
    return Correlation(value, p=float(2 * stdtr(len(u) - 2, -t)))


def correlations(outcomes: Mapping[str, FileOutcome]) -> dict[str, dict[str, Correlation]]:
    """Return the correlation with U of every column, by table and heading."""
    utilities = [outcome.utility for outcome in outcomes.values()]
    return {
        name: {
            heading: correlation(utilities, [o.errors[error] for o in outcomes.values()])
            for heading, error in layout.columns.items()
        }
        for name, layout in TABLES.items()
    }


def error_tables(outcomes: Mapping[str, FileOutcome]) -> dict[str, Sequence[Row]]:
    """Return tables 6 to 10: a row for each file, by U, and the correlation with U as the last."""
    ordered = sorted(outcomes.items(), key=lambda item: item[1].utility)
    by_table = correlations(outcomes)
    tables: dict[str, Sequence[Row]] = {}
    for name, layout in TABLES.items():
        rows: list[Row] = [
            {
                "file": file,
                "U": outcome.utility,
                **{heading: outcome.errors[error] for heading, error in layout.columns.items()},
            }
            for file, outcome in ordered
        ]
        last: Row = {"file": "correlation", "U": ""}
        last |= {heading: _blank(related.value) for heading, related in by_table[name].items()}
        tables[name] = [*rows, last]
    return tables


def correlation_table(outcomes: Mapping[str, FileOutcome]) -> list[Row]:
    """Return a row for every column of tables 6 to 10: correlation, test, or why there is none."""
    critical = _blank(critical_value(len(outcomes)))
    return [
        {
            "table": name,
            "error": heading,
            "correlation": _blank(related.value),
            "p": _blank(related.p),
            "critical value": critical,
            "significant": related.significant,
            "note": related.note,
        }
        for name, columns in correlations(outcomes).items()
        for heading, related in columns.items()
    ]


def paper_table(name: str) -> list[Row]:
    """Return a table as the paper prints it, in the order of U."""
    layout = TABLES[name]
    rows: list[Row] = [
        {"file": team, "U": paper.UTILITY[team], **dict(zip(layout.columns, values, strict=True))}
        for team, values in layout.printed.items()
    ]
    printed = map(_blank, layout.correlations)
    last: Row = {"file": "correlation", "U": "", **dict(zip(layout.columns, printed, strict=True))}
    return [*rows, last]


def _blank(value: float | None) -> object:
    return "" if value is None else value
