"""Loss based on distances, ILD, of a whole table (Akiyama and Wada)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal, get_args

import numpy as np

from sudare.core import (
    AtLeast,
    Categorical,
    Column,
    ColumnError,
    Floats,
    Microdata,
    MismatchError,
    Moments,
    Numeric,
    Result,
    Scale,
    SettingError,
    TablePair,
    multiplied,
    naming_column,
    unknown_name,
)
from sudare.describe import Distance, Graph, PNorm
from sudare.describe.distances import Discrete, Parents, as_distance, as_tree
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import in_units, magnitude
from sudare.loss.distances.capacity import labels_capacity, lost_share, numbers_capacity
from sudare.loss.distances.paired_loss import PairedLoss
from sudare.loss.distances.sums_of_squares import (
    are_reliable,
    number_moments,
    original_sd,
    pair_squares,
    spread,
)

Unit = Literal["sd", "own", "capacity"]
_FAR = 400  # powers of two: beyond, distances are computed in other units


@dataclass(frozen=True)
class Capacity:
    """The information capacity of a column before and after masking, in one unit."""

    before: float
    after: float

    def over(self, unit: float) -> "Capacity":
        """Return both in another unit; a unit of 0 leaves them as they are."""
        return Capacity(self.before / unit, self.after / unit) if unit else self

    def shifted(self, power: int) -> "Capacity":
        """Return both times a power of two; infinite if that is too large."""
        with np.errstate(over="ignore", under="ignore"):
            return Capacity(*np.ldexp([self.before, self.after], power).tolist())


def number_capacities(
    before: Numeric, after: Numeric, distance: PNorm, power: float, weights: Floats | None = None
) -> Capacity:
    """Return the capacities of numbers before and after masking.

    Records without a number before do not count; a number that was suppressed is guessed by the
    mean of the original ones, so that suppressing them all loses all.

    Examples
    --------
    >>> before = Numeric("x", np.array([1.0, 2, 3]))
    >>> after = Numeric("x", np.array([1.0, np.nan, np.nan]))
    >>> number_capacities(before, after, PNorm(2), 2)
    Capacity(before=12.0, after=4.0)
    """
    known = before.known
    if not known.any():
        return Capacity(0.0, 0.0)
    old, new = before.values[known], after.values[known]
    counted = None if weights is None else weights[known]
    suppressed = np.isnan(new)
    if suppressed.any():
        copies = None if before.copies is None else before.copies[known]
        new = np.where(suppressed, np.average(old, weights=copies), new)
    return Capacity(*(numbers_capacity(x[:, None], distance, power, counted) for x in (old, new)))


def label_capacities(
    before: Categorical,
    after: Categorical,
    distance: Distance,
    power: float,
    weights: Floats | None = None,
) -> Capacity:
    """Return the capacities of labels before and after masking.

    Missing and not applicable are categories of their own for the discrete distance, the root of a
    tree, and the empty text for edits. Other distances do not place them: records without a label
    before do not count, and a label that was suppressed is refused.
    """
    if distance.nothing is None:
        known = before.known
        suppressed = int((known & ~after.known).sum())
        if suppressed:
            raise ColumnError(
                "column '{column}': {count} {count:label was|labels were} suppressed, and its "
                "distance does not define how far a suppressed value is from a label; use a "
                "tree, an edit distance or 'discrete'.",
                column=before.name,
                count=suppressed,
            )
        before, after = before.take(known), after.take(known)
        weights = None if weights is None else weights[known]
    return Capacity(*(_column_capacity(c, distance, power, weights) for c in (before, after)))


def _column_capacity(
    column: Categorical, distance: Distance, power: float, weights: Floats | None
) -> float:
    size = len(column.labels)
    codes = column.codes
    if column.rows and codes.min() < 0:
        codes = np.where(codes < 0, codes + size + 2, codes)
    counts = np.bincount(codes, weights, size + 2).astype(np.float64)
    seen = np.flatnonzero(counts)
    labels = (*column.labels, distance.nothing, distance.nothing)
    with naming_column(column.name):
        return labels_capacity(
            [labels[code] for code in seen.tolist()], counts[seen], distance, power
        )


class DistanceLoss(TableMeasure):
    """The share of the information capacity that masking took from the table (ILD).

    The capacity is the sum of d^power over all pairs of records. The distance of two records
    combines those of their columns, d^power = Σ weight · d_column^power, so that the capacity is a
    weighted sum of the capacities of the columns: numbers by the Euclidean distance in standard
    deviations of the original, labels by the discrete distance, unless stated otherwise. The parts
    are the ILD of each column. Masking that adds spread, such as noise, makes the value negative; a
    column whose records were all equal has nothing to lose: 0.

    Records without a number before masking do not count for that column; a number that was
    suppressed is guessed by the mean. Absent labels are categories of their own (in a tree: the
    root).

    Capacity does not see values that were exchanged or got noise: they are spread as before. With
    ``paired=True`` a column loses what its published values leave unexplained of the true ones:
    SSE/SST of numbers, those that became classes guessed by the mean of their class; of labels the
    capacity per record that is left among records published alike. For group means that is ILD. A
    column then loses from 0 to 1, and the value is the mean over the columns: a loss on which
    recoding, microaggregation, noise, swapping and PRAM can be compared.

    A function of two labels is given as ``Function(function)``. Distances of pairs of columns are
    not combined otherwise than by the sum: for one distance of several numbers together use
    :func:`ild`.

    References
    ----------
    Akiyama and Wada. Application of an information loss index to non-numerical data.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, sudare.mask.GlobalRecode(min_share=0.2)).data
    >>> result = DistanceLoss(columns=("region", "income"))(data, masked)
    >>> round(result.parts["region"], 3), result.parts["income"]
    (0.17, 0.0)
    """

    kind = "loss"
    formula = (
        "1 − Σ d² after masking / Σ d² before, over all pairs of records; paired: SSE / SST, "
        "mean over the columns"
    )
    counted = "All records, and all columns that may be masked."
    needs = "counts"
    pairs = True

    distance: Annotated[
        str | Distance | Mapping[str, str | Distance] | None,
        "a distance for all columns, or by column or scale; by default euclidean for numbers and "
        "discrete for labels",
    ] = None
    trees: Annotated[
        Mapping[str, Parents] | None,
        "by column, a tree: a file of child,parent, or the parent of each node",
    ] = None
    graphs: Annotated[Mapping[str, str] | None, "by column, a file of a,b,weight"] = None
    shortest_path: Annotated[
        bool, "whether distances in graphs are lengths of shortest paths, not weights of edges"
    ] = False
    power: Annotated[float, AtLeast(1), "the exponent of the distance"] = 2.0
    weights: Annotated[
        Mapping[str, float] | None, AtLeast(0), "what each column counts; by default 1"
    ] = None
    unit: Annotated[
        Unit,
        "numbers in standard deviations, or everything in its own unit, or each column relative to "
        "its capacity, so that all count alike",
    ] = "sd"
    weighted: Annotated[bool, "whether sampling weights count"] = False
    paired: Annotated[
        bool,
        "whether each record is compared with its own original, so that noise, swapping and PRAM "
        "cost, too; the value is then the mean over the columns",
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.distance
        for distance in given.values() if isinstance(given, Mapping) else (given,):
            if distance is not None:
                as_distance(distance)  # refuses a word that is none
        for name, weight in (self.weights or {}).items():
            if not math.isfinite(weight):
                raise SettingError(
                    "{method}: the weight of column '{column}' must be a finite number.",
                    method=type(self).__name__,
                    column=name,
                )

    @property
    def by_blocks(self) -> bool:
        """Whether its mean over blocks of records, each from 0 to 1, is much the same number."""
        return self.paired

    def _measure(self, pair: TablePair) -> Result:
        self._check_names(pair.before)
        if self.paired:
            return self._paired(pair)
        squared = [name for name in pair.columns if self._is_squared(pair, name)]
        capacities = self._squared_capacities(pair, squared) if squared else {}
        for name in pair.columns:
            if name not in capacities:
                selected = pair.on([name])
                weights = multiplied(selected.before.copies, self._weights(selected.before))
                capacities[name] = self._capacity(
                    selected.before[name], selected.after[name], weights
                )
        worth = {name: (self.weights or {}).get(name, 1.0) for name in pair.columns}
        whole, left = (
            sum(worth[name] * getattr(capacities[name], side) for name in pair.columns)
            for side in ("before", "after")
        )
        if not math.isfinite(whole + left):
            raise SettingError(
                "DistanceLoss: the numbers are too large to be squared in their own unit; use the "
                "unit 'sd' or 'capacity'."
            )
        return self.result(
            lost_share(whole, left),
            parts={n: lost_share(capacities[n].before, capacities[n].after) for n in pair.columns},
        )

    def _paired(self, pair: TablePair) -> Result:
        """Return the mean over the columns of what published values leave unexplained."""
        made_up = {
            name for step in pair.steps if step.relation == "synthetic" for name in step.columns
        }
        new = tuple(name for name in pair.columns if name in made_up)
        comparison = PairedLoss(self._distance, self._weights, self.power)
        parts = comparison.of(pair, [name for name in pair.columns if name not in new])
        if new:  # no record is anybody's: only the capacity can be compared
            plain = replace(self, paired=False, columns=new)._measure(replace(pair, columns=new))
            parts |= {name: abs(value) for name, value in plain.parts.items()}
        shares = {name: float(np.clip(parts[name], 0, 1)) for name in pair.columns}
        worth = [(self.weights or {}).get(name, 1.0) for name in pair.columns]
        mean = np.average(list(shares.values()), weights=worth) if any(worth) else 0.0
        return self.result(mean, parts=shares)

    def _is_squared(self, pair: TablePair, name: str) -> bool:
        """Return whether a column's capacity is a sum of squares, which needs no pairs."""
        numeric = isinstance(pair.before[name], Numeric) and isinstance(pair.after[name], Numeric)
        return numeric and self.power == 2 and isinstance(self._distance(pair.before[name]), PNorm)

    def _squared_capacities(self, pair: TablePair, columns: Sequence[str]) -> dict[str, Capacity]:
        moments = self._joined_moments(pair, dict.fromkeys(columns, 0))
        powers: dict[str, int] = {}
        doubtful = [name for name in columns if not are_reliable(moments[name])]
        if doubtful:
            blocks = pair.in_blocks(doubtful, partial(self._magnitudes, doubtful))
            largest = zip(doubtful, np.max(blocks, axis=0).tolist(), strict=True)
            powers = {name: power for name, power in largest if abs(power) * 2 > _FAR}
        if powers:
            moments |= self._joined_moments(pair, powers)
        capacities = {}
        for name, whole in moments.items():
            capacity = Capacity(*pair_squares(whole))
            units = {"sd": original_sd(whole) ** self.power, "capacity": capacity.before}
            shifted = capacity.shifted(2 * powers.get(name, 0))
            capacities[name] = shifted if self.unit == "own" else capacity.over(units[self.unit])
        return capacities

    def _joined_moments(self, pair: TablePair, powers: Mapping[str, int]) -> dict[str, Moments]:
        """Return the moments of columns, each in units of a power of two."""
        with np.errstate(over="ignore", invalid="ignore"):
            parts = zip(*pair.in_blocks(list(powers), partial(self._moments, powers)), strict=True)
            return {n: Moments.joined(part) for n, part in zip(powers, parts, strict=True)}

    def _magnitudes(self, columns: Sequence[str], pair: TablePair) -> list[int]:
        both = (pair.before, pair.after)
        return [max(magnitude(self.numeric(d, name).values) for d in both) for name in columns]

    def _moments(self, powers: Mapping[str, int], pair: TablePair) -> list[Moments]:
        copies, weights = pair.before.copies, self._weights(pair.before)
        counted = None if weights is None else multiplied(copies, weights)

        def numbers(data: Microdata, name: str) -> Floats:
            values = self.numeric(data, name).values
            return in_units(values, powers[name]) if powers[name] else values

        with np.errstate(over="ignore", invalid="ignore"):
            return [
                number_moments(
                    numbers(pair.before, name), numbers(pair.after, name), copies, counted
                )
                for name in powers
            ]

    def _capacity(self, before: Column, after: Column, weights: Floats | None) -> Capacity:
        distance = self._distance(before)
        if not isinstance(distance, PNorm):
            capacity = label_capacities(before.coded, after.coded, distance, self.power, weights)
            return capacity.over(capacity.before if self.unit == "capacity" else 1)
        if not isinstance(before, Numeric) or not isinstance(after, Numeric):
            raise MismatchError(
                "DistanceLoss: column '{column}' must hold numbers before and after masking for "
                "this distance; use a tree or 'discrete'.",
                column=before.name,
            )
        power = max(magnitude(before.values), magnitude(after.values))
        if self.unit != "own" and abs(power) * self.power > _FAR:
            before, after = (replace(c, values=in_units(c.values, power)) for c in (before, after))
        capacity = number_capacities(before, after, distance, self.power, weights)
        units = {"sd": _sd(before, weights) ** self.power, "capacity": capacity.before}
        return capacity.over(units.get(self.unit, 1))

    def _distance(self, column: Column) -> Distance:
        name = column.name
        with naming_column(name):
            if self.trees and name in self.trees:
                return as_tree(self.trees[name])
            if self.graphs and name in self.graphs:
                return Graph.read(self.graphs[name], shortest_path=self.shortest_path)
        given = self.distance
        if isinstance(given, Mapping):
            given = given.get(name, given.get(column.scale))
        if given is None:
            return PNorm(2) if isinstance(column, Numeric) else Discrete()
        return as_distance(given)

    def _check_names(self, data: Microdata) -> None:
        by_column = self.distance if isinstance(self.distance, Mapping) else {}
        for name in (*by_column, *(self.trees or ()), *(self.graphs or ()), *(self.weights or ())):
            if name not in data and not (name in by_column and name in get_args(Scale)):
                raise unknown_name("column", name, data.names)

    def _weights(self, data: Microdata) -> Floats | None:
        return data.weights if self.weighted else None


def _sd(column: Numeric, weights: Floats | None) -> float:
    counted = column.known.astype(np.float64) if weights is None else column.known * weights
    numbers = np.where(column.known, column.values, 0)[:, None]
    return float(np.sqrt(spread(numbers, counted) / (counted.sum() or 1)))
