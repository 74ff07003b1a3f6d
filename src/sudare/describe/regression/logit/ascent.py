"""Maximum likelihood of a main-effects logit on a table of counts: raking, then Newton.

The likelihood equations say that the fitted margins of each input (level × class) equal the
observed ones. Two consequences carry this file:

* A level × class margin that is zero forces every cell under it to zero. Those cells are left out
  from the start, exactly, so the usual kind of separation never reaches the iteration.
* Raking (iterative proportional fitting of the equivalent log-linear model) climbs steadily
  without a line search. A few sweeps bring Newton's method into its region of convergence.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sudare.core import Floats, Integers

SWEEPS = 4  # raking before Newton; 1 to 8 differ by little
FORCING = 0.2  # each Newton system is solved to a fifth: tighter cost more, also under separation
MAX_SOLVES = 200  # conjugate gradient steps per Newton system
LARGEST_MOVE = (
    10.0  # of any logit in one step: exp cannot overflow, and separation walks off calmly
)


@dataclass(frozen=True)
class LogitCells:
    """Input row × class cells that may have a positive probability, row after row.

    A margin is a position in one long vector: first input's levels × classes, then the second's, ….
    """

    margin_of: tuple[Integers, ...]  # per input, the margin that each cell belongs to
    observed: Floats  # observed margins
    counts: Floats  # observed count of each cell
    starts: Integers  # first cell of each row
    sizes: Integers  # number of cells of each row
    totals: Floats  # observed count of each row

    def by_row(self, values: Floats) -> Floats:
        """Sum over the cells of each row."""
        return np.add.reduceat(values, self.starts)

    def per_cell(self, row_values: Floats) -> Floats:
        """Repeat a row's value for each of its cells."""
        return np.repeat(row_values, self.sizes)

    def margins(self, values: Floats) -> Floats:
        """Sum over the cells of each margin, all inputs."""
        total = np.zeros_like(self.observed)
        for at in self.margin_of:
            total += np.bincount(at, values, total.size)
        return total

    def logits(self, effects: Floats) -> Floats:
        """Sum the effects of a cell's margins."""
        total: Floats = effects[self.margin_of[0]]
        for at in self.margin_of[1:]:
            total += effects[at]
        return total


def open_cells(rows: Integers, counts: Floats, levels: tuple[int, ...]) -> LogitCells:
    """List the cells with positive margins; ``rows`` (m, inputs) and ``counts`` (m, classes)."""
    classes = counts.shape[1]
    row, label = np.nonzero(counts)
    is_open = np.ones(counts.shape, dtype=np.bool_)
    observed = []
    for column, size in zip(rows.T, levels, strict=True):
        margin = np.bincount(column[row] * classes + label, counts[row, label], size * classes)
        is_open &= margin.reshape(size, classes)[column] > 0
        observed.append(margin)
    row, label = np.nonzero(is_open)
    offsets = np.cumsum([0, *levels[:-1]])
    sizes = is_open.sum(axis=1)
    return LogitCells(
        margin_of=tuple(
            (column[row] + offset) * classes + label
            for column, offset in zip(rows.T, offsets, strict=True)
        ),
        observed=np.concatenate(observed),
        counts=counts[row, label],
        starts=np.cumsum(sizes) - sizes,
        sizes=sizes,
        totals=counts.sum(axis=1),
    )


class LogitAscent(NamedTuple):
    """Where the climb ended; ``norm`` is that of `margin_gap`."""

    effects: Floats
    log_likelihood: float
    norm: float
    iterations: int
    reason: str


def maximize(
    cells: LogitCells, effects: Floats, tolerance: float, max_iterations: int
) -> LogitAscent:
    """Climb from ``effects`` until the margins agree to ``tolerance``."""
    effects = effects.copy()
    fitted = rake(cells, effects, softmax(cells, effects))
    reason, iterations = "iteration limit", 0
    gap, norm = margin_gap(cells, fitted)
    while norm > tolerance and iterations < max_iterations:
        direction = newton_direction(cells, fitted, gap)
        length, moved = climb(cells, fitted, direction, dot(gap, direction))
        if not length:
            reason = "no further ascent in floating point"
            break
        effects, fitted = effects + length * direction, moved
        gap, norm = margin_gap(cells, fitted)
        iterations += 1
    if norm <= tolerance:
        reason = "gradient within tolerance"
    seen = cells.counts > 0
    share = (fitted / cells.per_cell(cells.totals))[seen]
    return LogitAscent(effects, dot(cells.counts[seen], np.log(share)), norm, iterations, reason)


def softmax(cells: LogitCells, effects: Floats) -> Floats:
    """Fitted counts: each row's total shared out by its logits."""
    logits = cells.logits(effects)
    odds = np.exp(logits - cells.per_cell(np.maximum.reduceat(logits, cells.starts)))
    return odds * cells.per_cell(cells.totals / cells.by_row(odds))


def rake(cells: LogitCells, effects: Floats, fitted: Floats) -> Floats:
    """Scale the fitted counts to each input's margins in turn; ``effects`` follow in place."""
    for at in cells.margin_of * SWEEPS:
        margin = np.bincount(at, fitted, cells.observed.size)
        ratio = np.divide(cells.observed, margin, out=np.ones_like(margin), where=margin > 0)
        effects += np.log(ratio)
        fitted = fitted * ratio[at]
        fitted *= cells.per_cell(cells.totals / cells.by_row(fitted))
    return fitted


def margin_gap(cells: LogitCells, fitted: Floats) -> tuple[Floats, float]:
    """Gradient (observed − fitted margins) and its norm √(Σ gap²/observed / n)."""
    gap = cells.observed - cells.margins(fitted)
    return gap, float(np.sqrt(dot(gap, over(gap, cells.observed)) / cells.totals.sum()))


def newton_direction(cells: LogitCells, fitted: Floats, gap: Floats) -> Floats:
    """Solve information · direction = gap by preconditioned conjugate gradients.

    The information matrix is never formed. It is singular (effects may move between inputs), but
    the gap lies in its range, where conjugate gradients stay.
    """
    variance = cells.margins(fitted * (1 - fitted / cells.per_cell(cells.totals)))
    scale = np.maximum(variance, cells.observed / 10)  # near-certain cells would get wild steps
    direction, residual = np.zeros_like(gap), gap.copy()
    scaled = over(residual, scale)
    size = goal = dot(residual, scaled)
    search = scaled
    for _ in range(MAX_SOLVES):
        image = information_times(cells, fitted, search)
        curvature = dot(search, image)
        if curvature <= 1e-16 * size:
            break  # flat to rounding: nothing more to be learned in this direction
        direction += (size / curvature) * search
        residual -= (size / curvature) * image
        scaled = over(residual, scale)
        previous, size = size, dot(residual, scaled)
        if size <= FORCING**2 * goal:
            break
        search = scaled + (size / previous) * search
    return direction


def information_times(cells: LogitCells, fitted: Floats, vector: Floats) -> Floats:
    """Fisher information of the effects times a vector: margins of fitted · (logit − row mean)."""
    logits = cells.logits(vector)
    pull = fitted * logits
    pull -= fitted * cells.per_cell(cells.by_row(pull) / cells.totals)
    return cells.margins(pull)


def climb(
    cells: LogitCells, fitted: Floats, direction: Floats, slope: float
) -> tuple[float, Floats]:
    """Go along ``direction``, halving until the log-likelihood gains; length 0 if it never does.

    The gain is computed from the small changes, not from two log-likelihoods, so that it keeps
    its digits when both agree to all of theirs.
    """
    logits = cells.logits(direction)
    logits -= cells.per_cell(cells.by_row(fitted * logits) / cells.totals)
    length = min(1.0, LARGEST_MOVE / max(float(np.abs(logits).max()), 1e-300))
    for _ in range(50):
        growth = cells.by_row(fitted * np.expm1(length * logits)) / cells.totals
        gain = length * slope - dot(cells.totals, np.log1p(growth))
        if gain >= 1e-4 * length * slope > 0:
            moved = fitted * np.exp(length * logits)
            return length, moved * cells.per_cell(cells.totals / cells.by_row(moved))
        length /= 2
    return 0.0, fitted


def over(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with 0 where the margin is empty."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def dot(left: Floats, right: Floats) -> float:
    """Sum of products without BLAS: its threads cost more than they save, and change the sum."""
    return float((left * right).sum())
