"""What a distance between labels is, and the distance along a tree."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sudare.core import Array, Floats, InputError, Integers, Label
from sudare.engine.formats import read_rows

# Distances between some of the labels (rows) and others (columns), shape (rows, columns).
Block = Callable[[slice, slice], Floats]


class Distance(ABC):
    """A distance between labels or between points, given in blocks so that memory stays bounded.

    Attributes
    ----------
    cells
        The most distances that one block should hold.
    nothing
        The label that means "no value", where the distance has one.
    """

    cells: ClassVar[int] = 1 << 21
    nothing: Label = None

    @abstractmethod
    def between(self, labels: Sequence[Any] | Array) -> Block:
        """Return how to compute distances between these labels, block by block.

        Labels are looked up once, here: what the distance does not know is refused now.
        """

    def matrix(self, labels: Sequence[Any] | Array) -> Floats:
        """Return all distances between some labels, shape (u, u)."""
        return self.between(labels)(slice(None), slice(None))


class Tree(Distance):
    """Distance = number of edges on the way from one node to another, leaves and inner nodes alike.

    Nodes are numbered in the order in which they are met; these numbers are the codes below.

    Parameters
    ----------
    parents
        The parent of each node but the root; the root may be given with the parent ``None`` or "".

    Attributes
    ----------
    nodes
        The label of each node.
    parent
        Code of each node's parent, shape (nodes,); the root is its own.
    depth
        Number of edges from each node up to the root, shape (nodes,).

    Raises
    ------
    InputError
        If there is a cycle, or no root, or more than one: join several under a common parent first.

    Examples
    --------
    >>> tree = Tree({"Nara": "Kansai", "Osaka": "Kansai", "Kansai": "Japan", "Tokyo": "Japan"})
    >>> tree
    <Tree 5 nodes, 3 leaves, depth 2>
    >>> tree.matrix(["Nara", "Osaka", "Tokyo"]).tolist()
    [[0.0, 2.0, 3.0], [2.0, 0.0, 3.0], [3.0, 3.0, 0.0]]
    """

    def __init__(self, parents: Mapping[Any, Any]) -> None:
        edges = {child: None if up in {None, ""} else up for child, up in parents.items()}
        code_of: dict[Label, int] = {}
        for child, up in edges.items():
            code_of.setdefault(child, len(code_of))
            if up is not None:
                code_of.setdefault(up, len(code_of))
        self.nodes: tuple[Label, ...] = tuple(code_of)
        ups = (edges.get(node) for node in self.nodes)
        self.parent: Integers = np.array(
            [own if up is None else code_of[up] for own, up in enumerate(ups)], np.int64
        )
        self.depth: Integers = _depths(self.parent)
        self._codes = code_of

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        encoding: str | None = None,
        separator: str | None = None,
    ) -> "Tree":
        """Read a tree from a file whose rows are ``child,parent``, or longer ways up to the root.

        A first row that shares no label with any other is taken for a header: in a tree every edge
        meets another. A file of a generalization hierarchy (leaf first, root last) is such a file.
        """
        rows = read_rows(path, encoding=encoding, separator=separator)
        if len(rows) > 1 and not set(rows[0]) & {field for row in rows[1:] for field in row}:
            del rows[0]
        return cls(parents_of(rows))

    @property
    def root(self) -> int:
        """Code of the root."""
        return int(self.depth.argmin())

    @property
    def nothing(self) -> Label:  # type: ignore[override]
        """The root: a value of which nothing is known is generalized all the way."""
        return self.nodes[self.root]

    @cached_property
    def leaves(self) -> Integers:
        """Codes of the nodes that are nobody's parent."""
        inner = np.delete(self.parent, self.root)
        return np.setdiff1d(np.arange(len(self.nodes)), inner)

    @property
    def parents(self) -> dict[Label, Label]:
        """The parent of each node but the root, as the tree is made from them."""
        pairs = zip(self.nodes, self.parent.tolist(), strict=True)
        return {node: self.nodes[up] for node, up in pairs if node != self.nodes[up]}

    def codes(self, labels: Iterable[Label]) -> Integers:
        """Return the code of each label; a number is looked up as it is, then as text."""
        return codes_on(self._codes, labels)

    def lacking(self, labels: Iterable[Label]) -> tuple[Label, ...]:
        """Return the labels that are not nodes. Labels may be confidential: do not publish them."""
        return lacking_from(self._codes, labels)

    def ancestors(self, codes: Integers) -> Integers:
        """Return the ancestor at each depth, shape (depth of the tree + 1, u); row 0 is the root.

        Below its own depth a node stays itself, so that two different nodes have the same entry
        exactly at the depths of their common ancestors.
        """
        levels = int(self.depth.max()) + 1
        ancestors = np.empty((levels, len(codes)), np.int64)
        now = np.asarray(codes)
        for level in reversed(range(levels)):
            now = np.where(self.depth[now] > level, self.parent[now], now)
            ancestors[level] = now
        return ancestors

    def between(self, labels: Sequence[Any] | Array) -> Block:
        """Return depth + depth - 2 · depth of the lowest common ancestor, block by block."""
        codes = self.codes(labels)
        ways = self.ancestors(codes).astype(np.int32)
        depth = self.depth[codes]

        def block(rows: slice, columns: slice) -> Floats:
            sums = depth[rows, None] + depth[columns]
            common = np.zeros(sums.shape, np.int32)
            for level in ways:
                common += level[rows, None] == level[columns]
            common = np.minimum(common, sums // 2 + 1)  # a node meets itself below its depth too
            return (sums - 2.0 * (common - 1)).astype(np.float64)

        return block

    def __repr__(self) -> str:
        return (
            f"<Tree {len(self.nodes)} nodes, {len(self.leaves)} leaves, depth {self.depth.max()}>"
        )


# What a setting takes for one tree: the parent of each node, or a file of child,parent.
Parents = Mapping[str, str] | str | Path


def as_tree(declaration: Parents) -> Tree:
    """Return the tree that a setting declares.

    Examples
    --------
    >>> as_tree({"Nara": "Kansai", "Osaka": "Kansai"})
    <Tree 3 nodes, 2 leaves, depth 1>
    """
    return Tree(declaration) if isinstance(declaration, Mapping) else Tree.read(declaration)


def parents_of(ways: Iterable[Sequence[Label]]) -> dict[Label, Label]:
    """Return the parent of each node from ways up to the root; a node that repeats stays itself.

    Raises
    ------
    InputError
        If a node has different parents.
    """
    parents: dict[Label, Label] = {}
    twice = set()
    for way in ways:
        for child, up in pairwise(way):
            if child != up and parents.setdefault(child, up) != up:
                twice.add(child)
    if twice:
        raise InputError(
            "{count} {count:node has|nodes have} more than one parent, so this is not a tree.",
            count=len(twice),
        )
    return parents


def codes_on(code_of: Mapping[Label, int], labels: Iterable[Label]) -> Integers:
    """Return each label's code; refuse labels that have none."""
    labels = list(labels)
    lacking = len(lacking_from(code_of, labels))
    if lacking:
        raise InputError(
            "the tree or graph lacks {count} of {total} labels; lacking(labels) lists them.",
            count=lacking,
            total=len(labels),
        )
    codes = [code_of[label] if label in code_of else code_of[str(label)] for label in labels]
    return np.array(codes, np.int64)


def lacking_from(code_of: Mapping[Label, int], labels: Iterable[Label]) -> tuple[Label, ...]:
    """Return the labels that have no code, neither as they are nor as text."""
    return tuple(label for label in labels if label not in code_of and str(label) not in code_of)


def _depths(parent: Integers) -> Integers:
    """Return the number of steps up to the root, by steps of doubling length."""
    roots = int((parent == np.arange(len(parent))).sum())
    depth: Integers = (parent != np.arange(len(parent))).astype(np.int64)
    above = parent
    for _ in range(len(parent).bit_length()):
        depth = depth + depth[above]
        above = above[above]
    circling = int((parent[above] != above).sum())
    if circling:
        raise InputError(
            "the tree has a cycle: {count} {count:node never reaches|nodes never reach} a root.",
            count=circling,
        )
    if roots != 1:
        raise InputError(
            "the tree has {count} roots; give them a common parent, so that every two labels have "
            "a distance.",
            count=roots,
        )
    return depth
