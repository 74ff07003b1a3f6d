"""A decision tree (CART): which leaf a record is in, and what share of a leaf each class has."""

from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Codes, Floats, Integers
from sudare.describe.decision_trees._kernels import Nodes, Records, Workspace, find_leaves, grow


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A tree that was grown.

    Attributes
    ----------
    nodes
        Columns, thresholds and where the sides are.
    importance
        By column, by how much its splits lower the impurity, shape (q,).
    """

    nodes: Nodes
    importance: Floats

    def leaves(self, inputs: Array) -> Integers:
        """Return the number of the leaf of every record, shape (n,); inputs of shape (n, q)."""
        leaves = np.empty(len(inputs), np.int64)
        find_leaves(by_column(inputs), self.nodes, leaves)
        return leaves

    def shares(self, taught: Array, classes: Integers, weights: Floats, asked: Array) -> Floats:
        """Return the shares of classes in the leaf of every record asked for, shape (n, classes).

        Parameters
        ----------
        taught, classes, weights
            What the tree was grown from, shapes (k, q), (k,) and (k,).
        asked
            Shape (n, q).
        """
        kinds = int(classes.max()) + 1
        cells = self.leaves(taught) * kinds + classes
        counts = np.bincount(cells, weights, minlength=len(self.nodes.column) * kinds)
        table = counts.reshape(-1, kinds)[self.leaves(asked)]
        return table / table.sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class SortedInputs:
    """Inputs of trees, sorted once by each column.

    Attributes
    ----------
    values
        By column, shape (q, n); no value is missing.
    order
        The records by each column, and as they are, shape (q + 1, n).
    """

    values: Floats
    order: Codes

    @classmethod
    def of(cls, inputs: Array) -> "SortedInputs":
        """Sort inputs of shape (n, q)."""
        values = by_column(inputs)
        order = np.empty((len(values) + 1, len(inputs)), np.int32)
        order[-1] = np.arange(len(inputs))
        for number, column in enumerate(values):
            order[number] = np.argsort(column, kind="stable")
        return cls(values, order)

    def tree(
        self,
        target: Array,
        weights: Floats | None = None,
        *,
        min_leaf: int,
        columns: int | None = None,
        drawn: Floats | None = None,
    ) -> DecisionTree:
        """Grow a tree: of classification if the target is whole numbers from 0, else of regression.

        Each node is split where the Gini impurity, or the sum of squares around the means, falls
        most; of splits that are equally good by the first column, at its lowest value. A node with
        one value of the target, or where a side would have fewer than ``min_leaf`` records, is a
        leaf. Records without weight do not count.

        Parameters
        ----------
        target, weights
            Shape (n,).
        min_leaf
            Smallest number of records in a leaf.
        columns, drawn
            How many columns each node looks at, and draws in [0, 1) that choose them; by default
            all are looked at.

        References
        ----------
        Breiman, Friedman, Olshen and Stone (1984). Classification and regression trees.

        Examples
        --------
        >>> inputs = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [1.0, 2.0]])
        >>> tree = SortedInputs.of(inputs).tree(np.array([0, 0, 1, 1]), min_leaf=1)
        >>> tree.leaves(inputs).tolist(), float(tree.nodes.threshold[0])
        ([1, 1, 2, 2], 0.5)
        """
        weights = np.ones(len(target)) if weights is None else np.asarray(weights, np.float64)
        count, rows = len(self.values), int((weights > 0).sum())
        order = self.order
        if rows < len(target):
            order = order[weights[order] > 0].reshape(count + 1, rows)
        is_number = target.dtype.kind == "f"
        kinds = 0 if is_number or not rows else int(target.max()) + 1
        numbers = target.astype(np.float64)
        most = max(2 * (rows // min_leaf) - 1, 1)
        nodes = Nodes(*(np.zeros(most, kind) for kind in ("i8", "f8", "i8", "i8", "i8")))
        nodes.end[0] = rows
        importance = np.zeros(count)
        space = Workspace(
            np.array(order),
            np.arange(count),
            np.empty(0) if drawn is None else drawn,
            np.empty((3, kinds)),
            np.empty(len(target), np.bool_),
            np.empty(rows, np.int32),
        )
        records = Records(self.values, numbers - numbers.mean() if is_number else numbers, weights)
        size = grow(records, space, nodes, importance, min_leaf, columns or count)
        kept = [part[:size].copy() for part in nodes]
        return DecisionTree(Nodes(*kept), importance)  # type: ignore[arg-type]


def by_column(inputs: Array) -> Floats:
    """Return inputs of shape (n, q) as numbers by column."""
    return np.ascontiguousarray(inputs.T, dtype=np.float64)
