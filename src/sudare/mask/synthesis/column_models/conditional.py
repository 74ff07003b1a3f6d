"""Draws from the distribution of a column given others, learned by a tree or by a regression.

A tree puts every record in a leaf and draws a donor from it; a regression predicts normal scores,
or the probabilities of categories. Both return codes of values that somebody has. Trees are kept,
so that more records can be drawn from them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from sudare.core import Array, Floats, Integers
from sudare.describe.decision_trees import SortedInputs
from sudare.mask.synthesis.column_models.predictors import Predictor, Ranks
from sudare.mask.synthesis.column_models.survival import Hazards, supported
from sudare.mask.synthesis.draw_codes import (
    chosen,
    donated,
    local_residuals,
    probabilities,
    regressed,
    whitened,
)

Model = Literal["tree", "regression", "local-regression"]
Fitted = TypeVar("Fitted")


@dataclass(frozen=True, eq=False)
class Conditional:
    """How a column is drawn given others.

    Attributes
    ----------
    model
        "tree", "regression", or "local-regression": one whose residuals are those of records with
        nearly the same prediction.
    min_leaf
        Smallest number of donors in a leaf.
    predictors
        The columns that are given; there may be none.
    weights
        Of the records that are learned from, shape (n,).
    fitted
        What was fitted before for this column, by what it is for; added to.
    """

    model: Model
    min_leaf: int
    predictors: Sequence[Predictor]
    weights: Floats
    fitted: dict[str, Any]

    def draw_category(self, codes: Integers, rows: Integers, uniform: Floats) -> Integers:
        """Return a category for every new record.

        Parameters
        ----------
        codes
            Categories that are learned from, from 0, shape (n,).
        rows
            The records that are learned from.
        uniform
            A draw in [0, 1) for every new record, shape (records,).
        """
        kinds, target = np.unique(codes[rows], return_inverse=True)
        if len(kinds) == 1:
            return np.full(len(uniform), kinds[0])
        if self.model == "tree" or not self.predictors:
            return kinds[self._from_leaf(target, target, rows, uniform)]
        old, new = self._design()
        return kinds[chosen(probabilities(old[rows], target, self.weights[rows], new), uniform)]

    def draw_level(
        self, ranks: Ranks, codes: Integers, rows: Integers, uniform: Floats
    ) -> Integers:
        """Return a level of an ordered column for every new record; see ``draw_category``."""
        target = ranks.scores[codes[rows]]
        if self.model == "tree" or not self.predictors:
            return self._from_leaf(target, codes[rows], rows, uniform)
        from scipy.special import ndtr

        old, new = self._design()
        draw = local_residuals if self.model == "local-regression" else regressed
        drawn = draw(old[rows], target, self.weights[rows], new, uniform)
        share = np.minimum(ndtr(drawn), 1 - 2.0**-53)  # 1 would be a level that nobody has
        return np.searchsorted(ranks.top, share, side="right")

    def _from_leaf(
        self, target: Array, codes: Integers, rows: Integers, uniform: Floats
    ) -> Integers:
        old, new = np.zeros(len(rows), np.int64), np.zeros(len(uniform), np.int64)
        if self.predictors:
            pairs = [predictor.for_tree(target, rows) for predictor in self.predictors]
            inputs, others = (np.hstack(part) for part in zip(*pairs, strict=True))
            inputs, weights, least = inputs[rows], self.weights[rows], self.min_leaf
            what = "values" if target.dtype.kind == "f" else "categories"
            tree = self._once(
                what, lambda: SortedInputs.of(inputs).tree(target, weights, min_leaf=least)
            )
            old, new = tree.leaves(inputs), tree.leaves(others)
        return donated(old, codes, self.weights[rows], new, uniform)

    def draw_survival(
        self, level: Integers, state: Integers, uniform: tuple[Floats, Floats]
    ) -> tuple[Integers, Integers]:
        """Return the level of a time and the state that ends it for every new record.

        Parameters
        ----------
        level, state
            That are learned from, both from 0, shape (n,).
        uniform
            Two draws in [0, 1) for every new record, shape (records,) each.
        """
        used = np.flatnonzero(self.weights > 0)
        levels, own = np.unique(level[used], return_inverse=True)
        if self.predictors:
            pairs = [predictor.for_hazards for predictor in self.predictors]
            old, new = (np.column_stack(part) for part in zip(*pairs, strict=True))
            kept = supported(old[used], state[used])
            old, new = whitened(old[used][:, kept], self.weights[used], new[:, kept])
        else:
            old, new = np.empty((len(used), 0)), np.empty((len(uniform[0]), 0))
        hazards = self._once(
            "hazards", lambda: Hazards.learnt(old, own, state[used], self.weights[used])
        )
        drawn, ended_by = hazards.drawn(new, *uniform)
        return levels[drawn], ended_by

    def _once(self, what: str, fit: Callable[[], Fitted]) -> Fitted:
        """Return what was fitted before, or fit it now."""
        if what not in self.fitted:
            self.fitted[what] = fit()
        return self.fitted[what]

    def _design(self) -> tuple[Floats, Floats]:
        pairs = [predictor.for_regression for predictor in self.predictors]
        old, new = (
            np.column_stack([np.ones(len(part[0])), *part]) for part in zip(*pairs, strict=True)
        )
        return old, new
