"""The distance study: what microaggregation loses, by one distance and by another.

The examples and tables of Akiyama and Wada beside our figures, and the same question on any table:
numbers grouped by their optimal groups, categories by a tree.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from sudare.core import (
    ColumnError,
    Figure,
    Masker,
    Microdata,
    Numeric,
    OnProgress,
    apply,
    check_known,
    nominal,
    quantitative,
    say,
)
from sudare.describe import PNorm
from sudare.describe.distances import Given, Parents, as_tree
from sudare.loss import ild, ilssdm, information_capacity
from sudare.mask import TreeMicroaggregation, UnivariateMicroaggregation
from sudare.release import Chart, Table, Text
from sudare.release.report import Block
from sudare.study.distance_study.paper import EXAMPLES
from sudare.study.result import Row, StudyResult, ascending, finding_rows, yes_and_no

_SAME = 1e-9  # eq. 6, to rounding


class TrialGrouping(NamedTuple):
    """A column, the method that groups it, and the distances by which its loss is measured."""

    column: str
    masker: Masker
    distances: Mapping[str, tuple[Given, int]]


@dataclass(frozen=True, eq=False)
class DistanceStudy(StudyResult):
    """The tables of the study."""

    left_out: tuple[str, ...]

    def presented(self) -> Mapping[str, Sequence[Row]]:
        """Return the tables as people read them."""
        return {name: [yes_and_no(row) for row in rows] for name, rows in self.tables.items()}


def distance(
    data: Microdata | None = None,
    *,
    k: Sequence[int] = (3, 5, 10),
    columns: Sequence[str] | None = None,
    trees: Mapping[str, Parents] | None = None,
    on_progress: OnProgress | None = None,
) -> DistanceStudy:
    """Study what microaggregation loses, measured by different distances (ILD).

    Parameters
    ----------
    data
        The table; without one, the study shows the paper's examples alone.
    k
        Least sizes of a group.
    columns
        The variables; by default all numbers, and the categories that have a tree.
    trees
        By column of categories, a tree: a file of child,parent, or the parent of each node.
    on_progress
        Called before each masking with (done, in all, the column).

    Notes
    -----
    Numbers are grouped by their optimal groups and replaced by group means, categories by common
    ancestors. Records without a value in a column do not count for it; sampling weights
    are left aside, as in the paper. Power 2 is that of
    table 1 of the paper, power 1 that of table 2.

    Examples
    --------
    >>> import sudare
    >>> study = distance(sudare.datasets.toy(), k=[3, 10], columns=["income"])
    >>> [row["holds"] for row in study.tables["findings"]]
    [True, True, True]
    """
    sizes = ascending(k, 2)
    chosen, left_out = _columns(data, columns, trees or {}) if data else ((), ())
    losses: list[Row] = []
    for number, name in enumerate(chosen):
        if data is None:
            break
        for at, size in enumerate(sizes):
            if on_progress:
                on_progress(number * len(sizes) + at, len(chosen) * len(sizes), name)
            losses += _losses(data, _grouping(data, name, size, trees or {}), size)
    tables: dict[str, Sequence[Row]] = {"paper": list(_printed())}
    if losses:
        tables |= {"losses": losses}
    tables |= {"findings": _findings(tables["paper"], losses)}
    title = say("Loss based on distances")
    return DistanceStudy(title, tables, list(_blocks(tables, left_out)), left_out)


def _columns(
    data: Microdata, columns: Sequence[str] | None, trees: Mapping[str, Parents]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    check_known("column", [*trees, *(columns or ())], data.names)
    roles = {"key", "sensitive", "other"}
    named = columns or [c.name for c in data.columns if c.role in roles and c.known.any()]
    studied = tuple(n for n in named if isinstance(data[n], Numeric) or n in trees)
    left_out = tuple(n for n in named if n not in studied)
    if columns and left_out:
        raise ColumnError(
            "column '{column}' holds categories; give it a tree (trees=…, --tree {column}=file).",
            column=left_out[0],
        )
    return studied, left_out


def _grouping(data: Microdata, name: str, k: int, trees: Mapping[str, Parents]) -> TrialGrouping:
    if isinstance(data[name], Numeric):
        return TrialGrouping(
            name,
            UnivariateMicroaggregation(k=k, weighted=False, columns=(name,)),
            {"Euclidean": (PNorm(2), 2), "absolute difference": (PNorm(1), 1)},
        )
    tree = as_tree(trees[name])
    return TrialGrouping(
        name,
        TreeMicroaggregation(k=k, columns=(name,), trees={name: trees[name]}),
        {"discrete": ("discrete", 2), "tree": (tree, 2), "tree, power 1": (tree, 1)},
    )


def _losses(data: Microdata, grouping: TrialGrouping, k: int) -> Iterator[Row]:
    known = data[grouping.column].known
    before = data[grouping.column].take(known)
    after = apply(data, grouping.masker, seed=0).data[grouping.column].take(known)
    for name, (distance, power) in grouping.distances.items():
        squared: float | str = ""
        if power == 2 and isinstance(before, Numeric) and isinstance(after, Numeric):
            squared = ilssdm(before.values, after.values)
        yield {
            "column": grouping.column,
            "k": k,
            "distance": name,
            "ILD": ild(before, after, distance, power),
            "ILSSDM": squared,
        }


def _printed() -> Iterator[Row]:
    for example in EXAMPLES:
        ours = (
            information_capacity(example.before, example.distance, example.power),
            information_capacity(example.after, example.distance, example.power),
            ild(example.before, example.after, example.distance, example.power),
        )
        row: Row = {"source": example.source, "distance": example.distance_name}
        for name, value, printed in zip(("I", "I'", "ILD"), ours, example.printed, strict=True):
            row |= {name: value, f"{name} ({say('paper')})": printed}
        yield row


def _findings(printed: Sequence[Row], losses: Sequence[Row]) -> list[Row]:
    agree = all(
        abs(row[name] - row[f"{name} ({say('paper')})"]) < 1e-3
        for row in printed
        for name in ("I", "I'", "ILD")
    )
    held = {say("the paper's examples come out as printed"): agree}
    if losses:
        compared = [row for row in losses if row["ILSSDM"] != ""]
        equal = all(abs(row["ILD"] - row["ILSSDM"]) < _SAME for row in compared)
        if compared:
            held[say("with group means, ILD is the share of squared error (eq. 6)")] = equal
        held[say("ILD grows with k")] = _grows(losses)
    return finding_rows(held)


def _grows(losses: Sequence[Row]) -> bool:
    by_series: dict[tuple[object, object], list[float]] = {}
    for row in losses:
        by_series.setdefault((row["column"], row["distance"]), []).append(row["ILD"])
    return all(
        later >= earlier - _SAME
        for series in by_series.values()
        for earlier, later in pairwise(series)
    )


def _blocks(tables: Mapping[str, Sequence[Row]], left_out: tuple[str, ...]) -> Iterator[Block]:
    yield Text(
        say(
            "The information capacity I adds up the distances of all pairs of records; ILD is the "
            "share of it that masking takes away. Which distance suits depends on what "
            "analysts want to know: whether two values differ, how far apart they are in a "
            "classification, or by how much numbers differ."
        )
    )
    yield Table.of([yes_and_no(row) for row in tables["findings"]])
    if "losses" in tables:
        yield Text(heading=say("Your columns"))
        yield Chart(loss_figure(tables["losses"]))
        yield Table.of(tables["losses"])
    if left_out:
        yield Text(
            say(
                "Left out, as they hold categories without a tree: {columns}.",
                columns=", ".join(left_out),
            )
        )
    yield Text(heading=say("The paper's examples"))
    yield Table.of(tables["paper"])


def loss_figure(losses: Sequence[Row]) -> Figure:
    """Return a picture of ILD against k, one line for each column and distance."""
    points = [
        {"k": row["k"], "ILD": row["ILD"], "series": f"{row['column']}, {row['distance']}"}
        for row in losses
    ]
    return Figure(
        title=say("Loss based on distances"),
        background=None,
        data={"values": points},
        width=420,
        height=300,
        mark={"type": "line", "point": True},
        encoding={
            "x": quantitative("k", title="k"),
            "y": quantitative("ILD", title="ILD"),
            "color": nominal("series", title=None),
        },
    )
