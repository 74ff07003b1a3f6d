"""A synthetic column: whether there is a value, which one, and where between its neighbors."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    Array,
    Categorical,
    Column,
    Flags,
    Floats,
    Integers,
    Numeric,
    significant_bits,
)
from sudare.mask.synthesis.column_models import Conditional, Ranks, is_ordered, states

_BITS = 40  # of numbers that were moved; finer than people measure, coarser than what is drawn
_VALUE, _STATE, _SHIFT = range(3)  # lanes of draws
Uniform = Callable[[str, int], Floats]  # draws in [0, 1) of a column and lane, one per new record


def drawn(
    column: Column, model: Conditional, uniform: Uniform, *, absent: bool, smooth: bool
) -> Column:
    """Return a column of new records, drawn from what a column is given others.

    In a column without order, missing and not applicable are categories like others. In an ordered
    one it is drawn first whether there is a value, and then which.

    Parameters
    ----------
    column
        The column that is learned from.
    model
        How it is drawn.
    uniform
        The draws.
    absent
        Whether new records may have no value, as those have that are learned from.
    smooth
        Whether numbers that only one record has are moved; see :func:`smoothed`.
    """
    value = uniform(column.name, _VALUE)
    used = np.flatnonzero(model.weights > 0)
    known = used[column.known[used]]
    codes = column.coded.codes.astype(np.int64)
    if not is_ordered(column):
        return recoded(column, model.draw_category(codes, used if absent else known, value))
    state: Integers = np.zeros(len(value), np.int64)
    if absent:
        state = model.draw_category(states(column), used, uniform(column.name, _STATE))
    ranks = Ranks.of(column, model.weights)
    level = model.draw_level(ranks, codes, known, value)
    if isinstance(column, Categorical):
        return recoded(column, np.choose(state, [level, MISSING, NOT_APPLICABLE]))
    values = _numbers(ranks, level, column, uniform, smooth=smooth)
    return renumbered(column, np.where(state > 0, np.nan, values), state == 2)


def drawn_survival(
    time: Column, state: Column, model: Conditional, uniform: Uniform, *, smooth: bool
) -> tuple[Column, Column]:
    """Return times and the states that end them, drawn together; none is absent."""
    level, ended_by = model.draw_survival(
        time.coded.codes.astype(np.int64),
        state.coded.codes.astype(np.int64),
        (uniform(time.name, _VALUE), uniform(state.name, _VALUE)),
    )
    values = _numbers(Ranks.of(time, model.weights), level, time, uniform, smooth=smooth)
    return renumbered(time, values, np.zeros(len(level), np.bool_)), recoded(state, ended_by)


def _numbers(
    ranks: Ranks, level: Integers, column: Column, uniform: Uniform, *, smooth: bool
) -> Floats:
    if not smooth:
        return ranks.levels[level]
    return smoothed(ranks, level, uniform(column.name, _SHIFT))


def smoothed(ranks: Ranks, codes: Integers, uniform: Floats) -> Floats:
    """Return numbers, those that one record has moved up to half the way to their neighbors.

    Numbers that several records share stay, so that zeros and round numbers are not lost; whole
    numbers stay whole, and nothing leaves the range of the column: the largest and the smallest,
    if one record has it, move inwards, as they would else be published. What was moved has twelve
    decimal digits, so that the last ones do not tell where it came from.

    Parameters
    ----------
    ranks
        The distinct numbers.
    codes
        Which of them every record has, shape (n,).
    uniform
        Draws in [0, 1), shape (n,): below a half a number goes down, above it up.

    Examples
    --------
    >>> ranks = Ranks.of(Numeric("x", np.array([0.0, 0.0, 4.5, 6.5])), np.ones(4))
    >>> smoothed(ranks, np.array([0, 1, 1, 2]), np.array([0.9, 0.0, 0.75, 0.75])).tolist()
    [0.0, 2.25, 5.0, 6.0]
    """
    gaps = np.diff(ranks.levels)
    below, above = np.concatenate(([0.0], gaps)), np.concatenate((gaps, [0.0]))
    shift = np.where(ranks.sizes[codes] == 1, uniform - 0.5, 0.0)
    shift = np.where(codes == 0, np.abs(shift), shift)
    shift = np.where(codes == len(ranks.levels) - 1, -np.abs(shift), shift)
    moved: Floats = ranks.levels[codes] + shift * np.where(shift < 0, below[codes], above[codes])
    lowest, highest = ranks.levels[[0, -1]]
    if (ranks.levels == np.rint(ranks.levels)).all():
        rounded = np.rint(moved)
        if highest - lowest > 1:  # else there is nothing between
            lowest, highest = lowest + (ranks.sizes[0] == 1), highest - (ranks.sizes[-1] == 1)
    else:
        rounded = significant_bits(moved, _BITS)
    return np.where(shift == 0, moved, np.clip(rounded, lowest, highest))


def spliced(original: Column, synthetic: Column, kept: Flags) -> Column:
    """Return the synthetic column with the original's values where a record is kept."""
    if isinstance(synthetic, Categorical):
        codes = original.coded.codes_in(synthetic.labels)
        return recoded(synthetic, np.where(kept, codes, synthetic.codes))
    values = [column.values for column in (original, synthetic) if isinstance(column, Numeric)]
    absent = np.where(kept, original.not_applicable, synthetic.not_applicable)
    return renumbered(synthetic, np.where(kept, *values), absent)


def recoded(column: Column, codes: Array) -> Column:
    """Return a column of categories with other codes."""
    return replace(column.coded, codes=codes)


def renumbered(column: Column, values: Floats, absent: Flags) -> Column:
    """Return a column of numbers with other numbers."""
    if not isinstance(column, Numeric):
        raise TypeError("categories have no numbers")
    return replace(column, values=values, absent=absent if absent.any() else None)
