"""Squares of numbers before and after masking, block by block, for their capacities."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from typing import Self

import numpy as np

from sudare.core import Array, Flags, Floats
from sudare.loss.distances.sums_of_squares import LEAST, Squares, joined, squares


@dataclass(frozen=True, eq=False)
class NumberSquares:
    """What a block of records says about one column of numbers before and after masking.

    Records without a number before do not count.

    Attributes
    ----------
    before
        Of the numbers before masking.
    after
        Of what they became, as far as they were not suppressed.
    suppressed
        Weight of the records whose number was suppressed.
    plain
        Of the numbers before masking, without sampling weights.
    """

    before: Squares
    after: Squares
    suppressed: float
    plain: Squares

    @classmethod
    def of(cls, before: Floats, after: Floats, copies: Array | None, weights: Array | None) -> Self:
        """Sum up one block.

        Parameters
        ----------
        before, after
            Shape (n,), NaN where there is no number.
        copies
            How many records each entry stands for, if not one.
        weights
            What each entry counts: its sampling weight times its copies; by default its copies.
        """
        known, left = ~np.isnan(before), ~np.isnan(before + after)
        counted = copies if weights is None else weights
        old = squares(before[known, None], _at(counted, known))
        new = squares(after[left, None], _at(counted, left))
        gone = known & ~left
        lost = float(gone.sum() if counted is None else counted[gone].sum())
        plain = old if weights is None else squares(before[known, None], _at(copies, known))
        return cls(old, new, lost, plain)

    @classmethod
    def joined(cls, blocks: Iterable[Self]) -> Self:
        """Return what all blocks say together."""
        parts = list(blocks)
        return cls(
            joined(block.before for block in parts),
            joined(block.after for block in parts),
            fsum(block.suppressed for block in parts),
            joined(block.plain for block in parts),
        )

    @property
    def reliable(self) -> bool:
        """Whether no square overflowed or vanished."""
        return bool(LEAST < self.before.total < np.inf > self.after.total >= 0)

    @property
    def sd(self) -> float:
        """Standard deviation of the numbers before masking."""
        return float(np.sqrt(self.before.total / (self.before.weight or 1)))

    @property
    def capacities(self) -> tuple[float, float]:
        """Sums of squared differences of all ordered pairs before and after masking.

        A number that was suppressed is guessed by the mean of the original ones.
        """
        after = joined([self.after, Squares(self.suppressed, self.plain.mean, 0.0)])
        return 2 * self.before.weight * self.before.total, 2 * after.weight * after.total


def _at(values: Array | None, where: Flags) -> Array | None:
    return None if values is None else values[where]
