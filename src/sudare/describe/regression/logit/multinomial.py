"""Unpenalized multinomial logit with a main effect of each categorical input."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from sudare.core import Floats, Integers
from sudare.describe.regression.logit.ascent import LogitAscent, maximize, open_cells

IMPOSSIBLE = 100.0  # how far −∞ is put below all other logits; finite, so new rows never get 0/0
NEAR_TIE = 1e-6  # in the logit: two classes closer than this are tied


@dataclass(frozen=True)
class Fit:
    """A fitted logit: P(class | row) ∝ exp(Σ over inputs of effects[input][level, class]).

    Attributes
    ----------
    effects
        One table of shape (levels, classes) per input. A table's rows are shifted so that their
        exponentials sum to 1, which changes no probability. A class that never occurs at a level
        has an effect there that is 100 below the least possible logit of the others; a class
        without any record has −∞ throughout.
    log_likelihood
        Σ count · log P, to be maximized; R's deviance is −2 times it.
    gradient_norm
        √(Σ (observed − fitted)²/observed / n) over the level × class margins of all inputs.
    iterations
        Newton steps; 0 for the closed form.
    converged
        Whether the gradient norm is within the tolerance.
    reason
        Why the iteration ended.

    Notes
    -----
    R's treatment-coded coefficient of level l and class k is
    E[l, k] − E[0, k] − E[l, 0] + E[0, 0], where E is the input's table and level 0 and class 0
    are the references.
    """

    effects: tuple[Floats, ...] = field(repr=False)
    log_likelihood: float
    gradient_norm: float
    iterations: int
    converged: bool
    reason: str


def fit_logit(
    rows: ArrayLike,
    counts: ArrayLike,
    *,
    levels: Sequence[int] | None = None,
    start: Sequence[ArrayLike | None] | None = None,
    tolerance: float = 1e-9,
    max_iterations: int = 1000,
) -> Fit:
    """Fit a multinomial logit by maximum likelihood.

    The model is that of R's ``nnet::multinom(class ~ input1 + input2 + …)`` (Venables and Ripley
    2002), which Sano and Hattori use in section 4.3: an intercept and one main effect per input,
    no penalty. With one input it is saturated and has a closed form. Otherwise raking and a
    truncated Newton method are used; see the module `ascent`.

    Parameters
    ----------
    rows
        Input codes, shape (m, inputs), best from `collapse` (repeated rows are allowed).
    counts
        Counts or summed weights by row and class, shape (m, classes). Zeros are welcome, rows
        without records are left out.
    levels
        Number of levels of each input, where the largest code need not occur.
    start
        Tables of effects to begin from, one per input: those of a smaller model's `Fit.effects`,
        and None for an input that is new.
    tolerance
        Limit of `Fit.gradient_norm`.
    max_iterations
        Limit of Newton steps.

    Notes
    -----
    Separation: a class that never occurs at a level gets probability 0 there, as in the limit of
    the likelihood. Where classes are separated only by several inputs together, the effects walk
    off by a constant per step until the gradient is within tolerance; the log-likelihood
    converges to its supremum. Collinear inputs share their effect. A level without records gets
    the mean of the other levels, weighted by records.

    Examples
    --------
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> fit = fit_logit(rows, [[3, 1], [2, 2], [2, 2], [1, 4]])
    >>> fit.converged, round(fit.log_likelihood, 4)
    (True, -10.3056)
    >>> probabilities(fit, rows).round(3).tolist()
    [[0.766, 0.234], [0.484, 0.516], [0.484, 0.516], [0.213, 0.787]]
    """
    codes, table = _check_table(rows, counts)
    sizes = _check_levels(codes, levels)
    begin = _check_start(start, sizes, table.shape[1])
    used = table.sum(axis=1) > 0
    cells = open_cells(codes[used], table[used], sizes)
    margins = np.split(cells.observed.reshape(-1, table.shape[1]), np.cumsum(sizes)[:-1])
    if len(sizes) == 1:
        end = closed_form(margins[0])
    else:
        end = maximize(cells, begin, tolerance, max_iterations)
    tables = np.split(end.effects.reshape(-1, table.shape[1]), np.cumsum(sizes)[:-1])
    shares = [_log_shares(e, margin) for e, margin in zip(tables, margins, strict=True)]
    least = sum(float(logs[np.isfinite(logs)].min()) for logs in shares) - IMPOSSIBLE
    return Fit(
        effects=tuple(_fill(e, margin, least) for e, margin in zip(shares, margins, strict=True)),
        log_likelihood=end.log_likelihood,
        gradient_norm=end.norm,
        iterations=end.iterations,
        converged=end.norm <= tolerance,
        reason=end.reason,
    )


def closed_form(margin: Floats) -> LogitAscent:
    """One input: the probabilities are the class shares within each level."""
    total = np.broadcast_to(margin.sum(axis=1, keepdims=True), margin.shape)
    seen = margin > 0
    effects = np.zeros_like(margin)
    effects[seen] = np.log(margin[seen] / total[seen])
    return LogitAscent(effects.ravel(), float((margin * effects).sum()), 0.0, 0, "closed form")


def probabilities(fit: Fit, rows: ArrayLike) -> Floats:
    """Give P(class | row), shape (rows, classes); rows of shape (rows, inputs).

    A combination of levels that the fit never saw is allowed, a level beyond its tables is not.
    Should every class be impossible, those that break the fewest margins share the probability.
    """
    logits = _logits(fit, rows)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float64)


def predict(fit: Fit, rows: ArrayLike) -> Integers:
    """Give the most probable class of each row, the lowest code of those tied, shape (rows,).

    Classes whose logits differ by less than 1e-6 are tied: without this, equal classes would be
    distinguished by rounding. Classes without records are never predicted.

    Examples
    --------
    >>> fit = fit_logit([[0], [1]], [[2, 2, 0], [0, 1, 3]])
    >>> predict(fit, [[1], [0]]).tolist()
    [2, 0]
    """
    logits = _logits(fit, rows)
    tied = logits >= logits.max(axis=1, keepdims=True) - NEAR_TIE
    return np.asarray(tied.argmax(axis=1), dtype=np.int64)


def _logits(fit: Fit, rows: ArrayLike) -> Floats:
    codes = _check_rows(rows)
    if codes.shape[1] != len(fit.effects):
        raise ValueError(f"rows have {codes.shape[1]} inputs, the fit has {len(fit.effects)}.")
    total = np.zeros((len(codes), fit.effects[0].shape[1]))
    for number, (column, table) in enumerate(zip(codes.T, fit.effects, strict=True)):
        if len(column) and column.max() >= len(table):
            raise ValueError(f"input {number} has codes beyond the {len(table)} levels of the fit.")
        total += table[column]
    return total


def _log_shares(effects: Floats, margin: Floats) -> Floats:
    """Shift each level's effects so that their exponentials sum to 1; −∞ where nothing occurs."""
    logs = np.where(margin > 0, effects, -np.inf)
    total = np.logaddexp.reduce(logs, axis=1)
    return logs - np.where(np.isfinite(total), total, 0.0)[:, None]


def _fill(logs: Floats, margin: Floats, least: float) -> Floats:
    """Put ``least`` for −∞, and the mean over records at levels without any."""
    records = margin.sum(axis=1)
    mean = records @ np.exp(logs) / records.sum()
    with np.errstate(divide="ignore"):  # log 0 = −∞ is what a class without records should have
        filled = np.where(records[:, None] > 0, logs, np.log(mean))
    return np.where(margin.any(axis=0), np.maximum(filled, least), -np.inf)


def _check_rows(rows: ArrayLike) -> Integers:
    codes = np.asarray(rows)
    if codes.ndim != 2 or not codes.shape[1]:
        raise ValueError("rows must have shape (rows, inputs) with at least one input.")
    if not np.issubdtype(codes.dtype, np.integer) or (codes.size and codes.min() < 0):
        raise ValueError("rows must hold integer codes 0, 1, 2, ….")
    return codes.astype(np.int64, copy=False)


def _check_table(rows: ArrayLike, counts: ArrayLike) -> tuple[Integers, Floats]:
    codes, table = _check_rows(rows), np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or len(table) != len(codes):
        raise ValueError(f"counts must have shape ({len(codes)}, classes), got {table.shape}.")
    if not (np.isfinite(table) & (table >= 0)).all():
        raise ValueError("counts must be finite and not negative.")
    if np.count_nonzero(table.sum(axis=0)) < 2:
        raise ValueError("the target has fewer than two categories: there is nothing to predict.")
    return codes, table


def _check_levels(codes: Integers, levels: Sequence[int] | None) -> tuple[int, ...]:
    needed = tuple(int(largest) + 1 for largest in codes.max(axis=0))
    if levels is None:
        return needed
    if len(levels) != len(needed) or any(a < b for a, b in zip(levels, needed, strict=True)):
        raise ValueError(f"levels must be {len(needed)} numbers above the largest code of each.")
    return tuple(int(size) for size in levels)


def _check_start(
    start: Sequence[ArrayLike | None] | None, sizes: tuple[int, ...], classes: int
) -> Floats:
    if start is None:
        return np.zeros(sum(sizes) * classes)
    if len(start) != len(sizes):
        raise ValueError(f"start has {len(start)} tables, the model has {len(sizes)} inputs.")
    tables = [np.zeros((size, classes)) for size in sizes]
    for number, (table, given) in enumerate(zip(tables, start, strict=True)):
        if given is None:
            continue
        if np.shape(given) != table.shape:
            raise ValueError(f"start of input {number} must have shape {table.shape}.")
        # a class impossible in other data may be possible here: keep it within reach
        table[:] = np.clip(np.nan_to_num(np.asarray(given, dtype=np.float64)), -30.0, 30.0)
    return np.concatenate([table.ravel() for table in tables])
