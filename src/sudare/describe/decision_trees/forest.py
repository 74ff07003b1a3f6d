"""A forest of decision trees, each grown from a bootstrap of the records."""

from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Draws, Floats, Integers
from sudare.describe.decision_trees.tree import SortedInputs

_DRAWS = 10_007  # of columns, in turn: a prime, so that nodes use them differently


@dataclass(frozen=True, eq=False)
class Forest:
    """What a forest says of records: the mean over its trees.

    Attributes
    ----------
    shares
        Of the classes, for every record asked for, shape (n, classes).
    importance
        By column, its share in how much the splits of a tree lower the impurity, shape (q,).
    """

    shares: Floats
    importance: Floats

    @classmethod
    def judging(
        cls, asked: Array, inputs: Array, classes: Integers, *, trees: int, min_leaf: int
    ) -> "Forest":
        """Grow trees and ask each; nodes look at as many columns as the root of their number.

        Parameters
        ----------
        asked, inputs
            Shapes (n, q) and (k, q).
        classes
            From 0, shape (k,).
        trees, min_leaf
            How many trees, and the smallest number of records in a leaf.

        References
        ----------
        Breiman (2001). Random forests. Machine Learning 45.
        """
        learnt, draws, count = SortedInputs.of(inputs), Draws(0), inputs.shape[1]
        shares, importance = np.zeros((len(asked), int(classes.max()) + 1)), np.zeros(count)
        for number in range(trees):
            chosen = (draws.uniform("bootstrap", len(inputs), lane=number) * len(inputs)).astype(
                int
            )
            weights = np.bincount(chosen, minlength=len(inputs)).astype(np.float64)
            drawn = draws.uniform("columns", _DRAWS, lane=number)
            few = max(int(count**0.5), 1)
            tree = learnt.tree(classes, weights, min_leaf=min_leaf, columns=few, drawn=drawn)
            shares += tree.shares(inputs, classes, weights, asked)
            importance += tree.importance / (tree.importance.sum() or 1.0)
        return cls(shares / trees, importance / trees)
