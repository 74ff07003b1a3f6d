"""Kernels of decision trees: growing one by best splits, and the leaf of every record."""

from typing import NamedTuple

from sudare.core import (
    CodeMatrix,
    CodeVector,
    FlagVector,
    FloatMatrix,
    FloatVector,
    IntegerVector,
    inlined,
    kernel,
)

_BETTER = 1 + 1e-10  # by which a split must be better than one before it: more than rounding


class Records(NamedTuple):
    """What is learned from.

    Attributes
    ----------
    inputs
        By column, shape (q, n).
    target
        Numbers, or the numbers of classes, shape (n,).
    weights
        Positive, shape (n,).
    """

    inputs: FloatMatrix
    target: FloatVector
    weights: FloatVector


class Workspace(NamedTuple):
    """What growing needs besides.

    Attributes
    ----------
    order
        The records sorted by each column, later by node and then by column; the last has those of
        each node in any order. Shape (q + 1, n).
    columns
        The numbers of the columns, in the order in which they are looked at, shape (q,).
    drawn
        Draws in [0, 1) that choose columns, used in turn; without any, all are looked at.
    counts
        Weight of the classes on the left, on the right and in the node, shape (3, classes);
        without any classes the target is a number.
    on_left, waiting
        Shape (n,).
    """

    order: CodeMatrix
    columns: IntegerVector
    drawn: FloatVector
    counts: FloatMatrix
    on_left: FlagVector
    waiting: CodeVector


class Nodes(NamedTuple):
    """The tree, and which stretch of the sorted records each node has; shape (nodes,).

    Attributes
    ----------
    column
        By which a node is split; -1 in a leaf.
    threshold
        Records up to it go to the left.
    left
        The node on the left; the one on the right is the next.
    start, end
        Of the stretch.
    """

    column: IntegerVector
    threshold: FloatVector
    left: IntegerVector
    start: IntegerVector
    end: IntegerVector


class Stretch(NamedTuple):
    """The number of a node, and where its records are in the orders."""

    node: int
    start: int
    end: int


class NodeSums(NamedTuple):
    """A node that is split: the weight of its records, and the sum of their target."""

    weight: float
    total: float


class Split(NamedTuple):
    """The best split of a node: its score, its column (-1 if none), the size of its left side."""

    score: float
    column: int
    size: int


@inlined
def is_pure(records: Records, members: CodeVector) -> bool:
    """Whether all records have the same target."""
    same = 1
    while same < len(members) and records.target[members[same]] == records.target[members[0]]:
        same += 1
    return same == len(members)


@inlined
def summed(records: Records, space: Workspace, members: CodeVector) -> tuple[float, float]:
    """Return the sums of a node; those of the classes go to the third row of the counts."""
    whole = space.counts[2]
    for kind in range(len(whole)):
        whole[kind] = 0.0
    sum_of_weights, total = 0.0, 0.0
    for at in range(len(members)):
        record = members[at]
        weight = records.weights[record]
        sum_of_weights += weight
        if len(whole) > 0:
            whole[int(records.target[record])] += weight
        else:
            total += weight * records.target[record]
    return sum_of_weights, total


@inlined
def score_of_whole(space: Workspace, node: NodeSums) -> float:
    """Return the score of a node that is not split."""
    whole, square = space.counts[2], node.total * node.total
    for kind in range(len(whole)):
        square += whole[kind] * whole[kind]
    return square / node.weight


@inlined
def best_of_column(
    records: Records,
    space: Workspace,
    node: NodeSums,
    values: FloatVector,
    order: CodeVector,
    min_leaf: int,
) -> tuple[float, int]:
    """Return the score of the best split by a column, and how many records go left; 0 if none.

    The score is the sum over both sides of the squared sum of the target over the weight, or of the
    squared weights of the classes: where it is largest, squares around the means are smallest, or
    the Gini impurity.
    """
    left, right, whole = space.counts[0], space.counts[1], space.counts[2]
    classes = len(whole)
    square, other_square, on_left, on_right, total = 0.0, 0.0, 0.0, node.weight, 0.0
    for kind in range(classes):
        left[kind], right[kind] = 0.0, whole[kind]
        square += whole[kind] * whole[kind]
    best, count = 0.0, 0
    for at in range(len(order) - min_leaf):
        record = order[at]
        weight = records.weights[record]
        on_left, on_right = on_left + weight, on_right - weight
        if classes > 0:
            kind = int(records.target[record])
            other_square += weight * (2.0 * left[kind] + weight)
            square -= weight * (2.0 * right[kind] - weight)
            left[kind], right[kind] = left[kind] + weight, right[kind] - weight
        else:
            total += weight * records.target[record]
            other_square, square = total * total, (node.total - total) * (node.total - total)
        if at + 1 >= min_leaf and values[record] < values[order[at + 1]]:
            score = other_square / on_left + square / on_right
            if count == 0 or score > best * _BETTER:
                best, count = score, at + 1
    return best, count


@inlined
def best_split(
    records: Records, space: Workspace, node: NodeSums, stretch: Stretch, min_leaf: int, most: int
) -> tuple[float, int, int]:
    """Return the best split of a node (see Split), by all columns or by some that are drawn."""
    best, by, middle, columns = 0.0, -1, 0, len(space.columns)
    for number in range(columns):
        if number >= most and by >= 0:
            break
        if len(space.drawn) > 0:
            draw = space.drawn[(stretch.node * columns + number) % len(space.drawn)]
            other = number + int(draw * (columns - number))
            swapped = space.columns[other]
            space.columns[other] = space.columns[number]
            space.columns[number] = swapped
        column = space.columns[number]
        order, values = space.order[column][stretch.start : stretch.end], records.inputs[column]
        if values[order[0]] == values[order[len(order) - 1]]:
            continue
        score, count = best_of_column(records, space, node, values, order, min_leaf)
        if count > 0 and (by < 0 or score > best * _BETTER):
            best, by, middle = score, column, count
    return best, by, middle


@inlined
def part_records(records: Records, space: Workspace, stretch: Stretch, split: Split) -> None:
    """Put the records of both sides next to each other in every order, each still sorted.

    A column with one value in this node has one in all below: its order no longer matters.
    """
    chosen = space.order[split.column][stretch.start : stretch.end]
    for at in range(len(chosen)):
        space.on_left[chosen[at]] = at < split.size
    columns = len(space.columns)
    for column in range(columns + 1):
        order = space.order[column][stretch.start : stretch.end]
        if column < columns:
            values = records.inputs[column]
            if values[order[0]] == values[order[len(order) - 1]]:
                continue
        to, waiting = 0, 0
        for at in range(len(order)):
            record = order[at]
            if space.on_left[record]:
                order[to] = record
                to += 1
            else:
                space.waiting[waiting] = record
                waiting += 1
        for at in range(waiting):
            order[to + at] = space.waiting[at]


@inlined
def between(low: float, high: float) -> float:
    """Return a number from low on and below high: halfway, if there is one."""
    half = low / 2.0 + high / 2.0
    return half if low <= half < high else low


@kernel
def grow(
    records: Records,
    space: Workspace,
    nodes: Nodes,
    importance: FloatVector,
    min_leaf: int,
    most: int,
) -> int:
    """Grow a tree from its root, node 0, and return how many nodes it has."""
    count, at = 1, 0
    while at < count:
        stretch = Stretch(at, nodes.start[at], nodes.end[at])
        members = space.order[len(space.columns)][stretch.start : stretch.end]
        nodes.column[at] = -1
        at += 1
        if len(members) < 2 * min_leaf or is_pure(records, members):
            continue
        weight, total = summed(records, space, members)
        node = NodeSums(weight, total)
        best, column, size = best_split(records, space, node, stretch, min_leaf, most)
        split = Split(best, column, size)
        if split.column < 0:
            continue
        values, order = records.inputs[split.column], space.order[split.column]
        middle = stretch.start + split.size
        nodes.column[stretch.node], nodes.left[stretch.node] = split.column, count
        nodes.threshold[stretch.node] = between(values[order[middle - 1]], values[order[middle]])
        importance[split.column] += split.score - score_of_whole(space, node)
        part_records(records, space, stretch, split)
        nodes.start[count], nodes.end[count] = stretch.start, middle
        nodes.start[count + 1], nodes.end[count + 1] = middle, stretch.end
        count += 2
    return count


@kernel
def find_leaves(inputs: FloatMatrix, nodes: Nodes, leaves: IntegerVector) -> None:
    """Find the leaf of every record; inputs by column, shape (q, n)."""
    for record in range(inputs.shape[1]):
        node = 0
        while nodes.column[node] >= 0:
            right = inputs[nodes.column[node]][record] > nodes.threshold[node]
            node = nodes.left[node] + int(right)
        leaves[record] = node
