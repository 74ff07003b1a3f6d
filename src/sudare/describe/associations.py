"""Association of variables by pair of scales: Pearson's r, Cramér's V, the correlation ratio η²."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sudare.core import (
    Array,
    Categorical,
    Column,
    Figure,
    Floats,
    Microdata,
    Moments,
    Numeric,
    OnProgress,
    html_table,
    multiplied,
    nominal,
    quantitative,
    say,
)
from sudare.describe.obstacles import Obstacle, obstacle
from sudare.engine.counting import group_moments, joint_keys, renumbered

Statistic = Literal["r", "V", "eta2"]
STATISTIC_WORDS: dict[Statistic, str] = {"r": "r", "V": "V", "eta2": "η²"}


def codes_v(first: Array, second: Array, weights: Array | None = None) -> float:
    """Return Cramér's V of two columns of codes, visiting only the cells that occur.

    χ² = n (Σ n_ij² / (n_i n_j) - 1), so that two variables with thousands of labels need no table.
    """
    counted = np.ones(len(first)) if weights is None else weights
    radix = int(second.max()) + 1
    cell, number = renumbered(*joint_keys([(first, int(first.max()) + 1), (second, radix)]))
    some = np.empty(number, np.int64)
    some[cell] = np.arange(len(cell))
    counts = np.bincount(cell, weights=counted)
    rows, columns = (np.bincount(codes, weights=counted) for codes in (first, second))
    shape = (int((rows > 0).sum()), int((columns > 0).sum()))
    if min(shape) < 2:
        return float("nan")
    seen = counts > 0
    expected = (rows[first[some]] * columns[second[some]])[seen]
    phi_square = (counts[seen] ** 2 / expected).sum() - 1
    return float(np.sqrt(max(phi_square, 0.0) / (min(shape) - 1)))


def pearson_r(x: Array, y: Array, weights: Array) -> float:
    """Return Pearson's correlation; NaN when a variable is constant.

    Examples
    --------
    >>> pearson_r(np.array([1.0, 2, 3]), np.array([2.0, 4, 6]), np.ones(3))
    1.0
    """
    a, b = x - np.average(x, weights=weights), y - np.average(y, weights=weights)
    size = np.sqrt((weights * a * a).sum() * (weights * b * b).sum())
    return float(np.clip((weights * a * b).sum() / size, -1, 1)) if size > 0 else float("nan")


def correlation_ratio(codes: Array, y: Array, weights: Array) -> float:
    """Return η², the share of the variance of y between categories; NaN when y is constant.

    Examples
    --------
    >>> correlation_ratio(np.array([0, 0, 1, 1]), np.array([1.0, 1, 5, 5]), np.ones(4))
    1.0
    """
    return explained_share(group_moments(codes, y, weights, int(codes.max(initial=-1)) + 1))


def explained_share(groups: Moments) -> float:
    """Return η² of numbers whose moments by category are known; NaN when they are all equal."""
    sizes, means = groups.weight, groups.mean[:, 0]
    if not (sizes > 0).sum() > 1:
        return float("nan")
    between = float(sizes @ (means - np.average(means, weights=sizes)) ** 2)
    total = between + groups.squares
    return between / total if total > 0 else float("nan")


def cramers_matrix(columns: Sequence[Categorical], weights: Floats | None = None) -> Floats:
    """Return Cramér's V of every pair of columns, over the records that have both values."""
    size = len(columns)
    matrix = np.eye(size)
    for i in range(size):
        for j in range(i):
            value = _pair(columns[i], columns[j], weights).value
            matrix[i, j] = matrix[j, i] = value
    return matrix


@dataclass(frozen=True)
class Pair:
    """The association of two variables, or why there is none.

    Attributes
    ----------
    statistic
        "r" between numbers, "V" between categories, "eta2" between a category and numbers.
    value
        NaN when it cannot be computed; then ``obstacle`` says why and what to do.
    records
        Number of records that have both values.
    """

    first: str
    second: str
    statistic: Statistic
    value: float
    records: int
    obstacle: Obstacle | None = None


@dataclass(frozen=True, eq=False)
class Association:
    """The association of every pair of variables."""

    names: tuple[str, ...]
    pairs: tuple[Pair, ...] = field(repr=False)

    def __getitem__(self, names: tuple[str, str]) -> Pair:
        """Return one pair, in either order of the names."""
        return next(p for p in self.pairs if {p.first, p.second} == set(names))

    @property
    def obstacles(self) -> tuple[Pair, ...]:
        """The pairs whose association cannot be computed."""
        return tuple(pair for pair in self.pairs if pair.obstacle is not None)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: every pair, the strongest first."""
        pairs = sorted(self.pairs, key=lambda pair: -np.nan_to_num(strength(pair)))
        rows = [
            {
                say("pair"): f"{pair.first} – {pair.second}",
                say("statistic"): STATISTIC_WORDS[pair.statistic],
                say("value"): "–" if np.isnan(pair.value) else pair.value,
                say("records"): pair.records,
            }
            for pair in pairs
        ]
        return html_table(rows, caption=say("Association"))

    def figure(self) -> Figure:
        """Return a heat map of the strength (|r|, V, η) of every pair."""
        cells = [
            {
                "row": a,
                "column": b,
                "statistic": STATISTIC_WORDS[pair.statistic],
                "value": None if np.isnan(pair.value) else round(pair.value, 4),
                "strength": None if np.isnan(pair.value) else strength(pair),
            }
            for pair in self.pairs
            for a, b in ((pair.first, pair.second), (pair.second, pair.first))
        ]
        order = list(self.names)
        scale = {"scheme": "greens", "domain": [0, 1]}
        return Figure(
            title=say("Association"),
            background=None,
            width={"step": 22},
            height={"step": 22},
            data={"values": cells},
            mark={"type": "rect", "tooltip": {"content": "data"}},
            encoding={
                "x": nominal("column", sort=order, title=None),
                "y": nominal("row", sort=order, title=None),
                "color": quantitative("strength", scale=scale, title="|r|, V, η"),
            },
        )


def strength(pair: Pair) -> float:
    """Return the association on a scale from 0 to 1 that compares: |r|, V or η."""
    return float(np.sqrt(pair.value)) if pair.statistic == "eta2" else abs(pair.value)


def variables(data: Microdata, most: int | None = None) -> list[str]:
    """Return all columns but identifiers, weights and households, or the first of these.

    Where only some are wanted, keys come first, then sensitive columns, then others.
    """
    roles = {"key": 0, "sensitive": 1, "other": 2}
    names = [column.name for column in data.columns if column.role in roles]
    if most is None or len(names) <= most:
        return names
    chosen = {*sorted(names, key=lambda name: roles[data[name].role])[:most]}
    return [name for name in names if name in chosen]


def association(
    data: Microdata,
    *,
    columns: Sequence[str] | None = None,
    weighted: bool = True,
    on_progress: OnProgress | None = None,
) -> Association:
    """Return the association of every pair of variables, by their scales.

    Parameters
    ----------
    data
        The table.
    columns
        The variables; by default all but identifiers, weights and households.
    weighted
        Whether sampling weights count, if the table has any.
    on_progress
        Called before each variable with (done, in all, its name).

    Examples
    --------
    >>> import sudare
    >>> associations = association(sudare.datasets.toy())
    >>> pair = associations["age", "education"]
    >>> pair.statistic, round(pair.value, 2)
    ('eta2', 0.02)
    """
    names = columns or variables(data)
    weights = data.weights if weighted else None
    pairs = []
    for number, name in enumerate(names):
        if on_progress:
            on_progress(number, len(names), name)
        pairs += [_pair(data[other], data[name], weights) for other in names[:number]]
    return Association(tuple(names), tuple(pairs))


def _pair(first: Column, second: Column, weights: Floats | None) -> Pair:
    both = first.known & second.known
    statistic = _statistic(first, second)
    value = float("nan")
    counted = multiplied(first.copies, weights)
    if both.any():
        value = _value(
            first.take(both), second.take(both), None if counted is None else counted[both]
        )
    problem = obstacle(first, second) if np.isnan(value) else None
    records = int((both if first.copies is None else first.copies[both]).sum())
    return Pair(first.name, second.name, statistic, value, records, problem)


def _statistic(first: Column, second: Column) -> Statistic:
    numbers = isinstance(first, Numeric) + isinstance(second, Numeric)
    kinds: tuple[Statistic, Statistic, Statistic] = ("V", "eta2", "r")
    return kinds[numbers]


def _value(first: Column, second: Column, weights: Floats | None) -> float:
    if isinstance(first, Categorical) and isinstance(second, Categorical):
        return codes_v(first.codes, second.codes, weights)
    counted = np.ones(first.rows) if weights is None else weights
    if counted.sum() == 0:
        return float("nan")
    if isinstance(first, Numeric) and isinstance(second, Numeric):
        return pearson_r(first.values, second.values, counted)
    label, number = (first, second) if isinstance(second, Numeric) else (second, first)
    number = number.numeric
    return correlation_ratio(label.coded.codes, number.values, counted)
