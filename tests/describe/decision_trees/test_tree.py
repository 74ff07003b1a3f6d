"""Decision trees: the best split at every node, by an obvious twin and by scikit-learn."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core import Array, Floats, Integers
from sudare.describe.decision_trees import DecisionTree, Forest, SortedInputs


def impurity(target: Array, weights: Floats) -> float:
    """Return the weighted squares around the mean, or the weighted Gini impurity."""
    total = weights.sum()
    if target.dtype.kind == "f":
        return float(weights @ (target - weights @ target / total) ** 2)
    shares = np.bincount(target, weights) / total
    return float(total * (1 - shares @ shares))


def best_split(inputs: Floats, target: Array, weights: Floats, least: int) -> list[float]:
    """Return what is left by every split that is allowed."""
    sides = [inputs[:, q] <= x for q in range(inputs.shape[1]) for x in np.unique(inputs[:, q])]
    return [
        impurity(target[side], weights[side]) + impurity(target[~side], weights[~side])
        for side in sides
        if least <= side.sum() <= len(side) - least
    ]


def check(tree: DecisionTree, data: tuple[Floats, Array, Floats], least: int) -> None:
    """Go down the tree: every node is split as well as any split, or cannot be."""
    inputs, target, weights = data
    waiting = [(0, np.arange(len(target)))]
    while waiting:
        node, rows = waiting.pop()
        column = tree.nodes.column[node]
        splits = best_split(inputs[rows], target[rows], weights[rows], least)
        if column < 0:
            assert not splits or len(np.unique(target[rows])) == 1
            assert (tree.leaves(inputs[rows]) == node).all()
            continue
        side = inputs[rows, column] <= tree.nodes.threshold[node]
        left, right = rows[side], rows[~side]
        parts = impurity(target[left], weights[left]) + impurity(target[right], weights[right])
        assert parts <= min(splits) + 1e-6
        assert min(len(left), len(right)) >= least
        waiting += [(int(tree.nodes.left[node]), left), (int(tree.nodes.left[node]) + 1, right)]


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[Floats, Array, Floats], int]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows, columns = draw(st.integers(1, 40)), draw(st.integers(1, 4))
    inputs = rng.integers(0, draw(st.integers(1, 12)), (rows, columns)).astype(np.float64)
    target: Array = rng.integers(0, 3, rows)
    if draw(st.booleans()):
        target = target + rng.normal(size=rows).round(1)
    weights = rng.integers(1, 4, rows).astype(np.float64)
    return (inputs, target, weights), draw(st.integers(1, 6))


@given(tables())
def test_every_node_is_split_where_least_impurity_is_left(drawn: tuple[Any, int]) -> None:
    (inputs, target, weights), least = drawn
    check(SortedInputs.of(inputs).tree(target, weights, min_leaf=least), drawn[0], least)


@pytest.mark.parametrize("kind", ["DecisionTreeClassifier", "DecisionTreeRegressor"])
def test_what_is_left_is_what_is_left_by_scikit_learn(kind: str) -> None:
    from sklearn import tree as peers

    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(800, 4))
    inputs[:, 1] = inputs[:, 1].round()
    target: Array = inputs[:, 0] * inputs[:, 1] + rng.normal(size=800)
    if kind == "DecisionTreeClassifier":
        target = (target > 0).astype(np.int64) + (target > 1)
    weights = rng.integers(0, 4, 800).astype(np.float64)
    peer = getattr(peers, kind)(min_samples_leaf=7, random_state=0)
    peer.fit(inputs, target, sample_weight=weights)
    tree = SortedInputs.of(inputs).tree(target, weights, min_leaf=7)

    def left(leaves: Integers) -> float:
        used = weights > 0
        sides = [used & (leaves == leaf) for leaf in np.unique(leaves[used])]
        return sum(impurity(target[side], weights[side]) for side in sides)

    assert left(tree.leaves(inputs)) == pytest.approx(left(peer.apply(inputs)), rel=1e-9)


def test_leaves_hold_shares_by_weight_and_edges_are_leaves() -> None:
    inputs = np.array([[1.0], [1.0], [2.0], [np.nextafter(2.0, 3.0)], [9.0]])
    classes, weights = np.array([0, 1, 1, 0, 0]), np.array([3.0, 1.0, 1.0, 1.0, 0.0])
    tree = SortedInputs.of(inputs).tree(classes, weights, min_leaf=1)
    shares = tree.shares(inputs, classes, weights, inputs)
    np.testing.assert_allclose(shares[:, 1], [0.25, 0.25, 1, 0, 0])
    for few in (inputs[:1], np.ones((4, 2))):
        alone = SortedInputs.of(few).tree(np.arange(len(few)) % 2, min_leaf=1)
        assert alone.leaves(few).tolist() == [0] * len(few)


def test_a_forest_knows_what_no_single_column_says() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.normal(size=(900, 4))
    classes = (inputs[:, 0] * inputs[:, 1] > 0).astype(np.int64)
    forest = Forest.judging(inputs[600:], inputs[:600], classes[:600], trees=30, min_leaf=3)
    assert ((forest.shares[:, 1] > 0.5) == classes[600:]).mean() > 0.8
    assert forest.importance[:2].min() > forest.importance[2:].max()
    np.testing.assert_allclose(forest.shares.sum(axis=1), 1)
    assert forest.importance.sum() == pytest.approx(1)
