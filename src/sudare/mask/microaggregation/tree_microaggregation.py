"""Microaggregation along a tree: rare categories are replaced by a common ancestor."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from sudare.core import (
    AtLeast,
    Categorical,
    Floats,
    Integers,
    Label,
    Masker,
    Microdata,
    Plan,
    SettingError,
    label_codes,
    naming_column,
)
from sudare.describe import Tree
from sudare.describe.distances import Parents, as_tree
from sudare.engine.counting import label_counts
from sudare.mask.recode import RecodePlan, Recoding


def settled_nodes(tree: Tree, counts: Integers, k: int) -> Integers:
    """Return the node that replaces each node, so that every one used has at least k records.

    From the leaves up: a node with fewer than k records takes in the nodes below it that cost
    least (records times edges) until it has k; if there are not enough below it, all of them go on
    to its parent.

    Parameters
    ----------
    tree
        The tree.
    counts
        Number of records at each node, shape (nodes,); at least k in all.

    Examples
    --------
    >>> tree = Tree({"a1": "a", "a2": "a", "b1": "b", "b2": "b", "a": "all", "b": "all"})
    >>> records = {"a1": 1, "a2": 2, "b1": 3, "b2": 4}
    >>> nodes = settled_nodes(tree, np.array([records.get(node, 0) for node in tree.nodes]), 3)
    >>> [tree.nodes[node] for node in nodes[tree.codes(records)]]
    ['a', 'a', 'b1', 'b2']
    """
    sizes, replacement = counts.copy(), np.arange(len(counts))
    used: list[list[int]] = [[] for _ in counts]  # nodes with records, below and at each node
    for node in np.lexsort((np.arange(len(counts)), -tree.depth)):
        below, parent = used[node], tree.parent[node]
        if 0 < sizes[node] < k:
            below.sort(key=lambda lower, top=node: _cost(tree, sizes, lower, top))  # type: ignore[misc]
            while below and sizes[node] < k:
                joined = below.pop(0)
                sizes[node] += sizes[joined]
                replacement[joined], sizes[joined] = node, 0
        if 0 < sizes[node] < k and node != parent:
            sizes[parent] += sizes[node]
            replacement[node], sizes[node] = parent, 0
        if sizes[node] > 0:
            below.append(int(node))
        if node != parent:
            used[parent].extend(below)
    return _followed(replacement)


def _cost(tree: Tree, sizes: Integers, node: int, top: int) -> tuple[int, int]:
    return int(sizes[node] * (tree.depth[node] - tree.depth[top])), node


def _followed(replacement: Integers) -> Integers:
    """Return where each chain of replacements ends."""
    while (replacement[replacement] != replacement).any():
        replacement = replacement[replacement]
    return replacement


class TreeMicroaggregation(Masker):
    """Replace rare categories by their common ancestor in a tree.

    Each column is recoded by its own tree until every category that occurs has at least k records.
    A category may be any node. Without a tree, a column has one common ancestor for all,
    called ``root``. Missing and not-applicable values stay what they are and are not counted.

    References
    ----------
    Akiyama and Wada. Application of an information loss index to non-numerical data, example 2.2
    (hierarchical microaggregation by a tree; how to form the groups is left open there).

    Examples
    --------
    >>> import sudare
    >>> from sudare.mask.microaggregation.tree_microaggregation import TreeMicroaggregation
    >>> data = sudare.datasets.toy()
    >>> parents = {"farming": "outdoor", "manual": "outdoor", "clerical": "office"}
    >>> parents |= {"manager": "office", "sales": "service", "specialist": "office"}
    >>> parents |= dict.fromkeys(("outdoor", "office", "service"), "any")
    >>> masker = TreeMicroaggregation(k=20, columns=("occupation",), trees={"occupation": parents})
    >>> masker.fit(data).transform(data)["occupation"].coded.labels
    ('clerical', 'outdoor', 'office', 'sales', 'service')
    """

    works_on = "rows"
    relation = "covers"
    takes = "categories"

    k: Annotated[int, AtLeast(2), "least number of records of a category"] = 3
    trees: Annotated[
        Mapping[str, Parents] | None,
        "by column, a tree: a file of child,parent, or the parent of each node",
    ] = None
    root: Annotated[str, "what represents all categories of a column without a tree"] = "*"

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        for name in self.trees or {}:
            if name not in columns:
                raise SettingError(
                    "{method}: there is a tree for column '{column}', which is not masked.",
                    method=type(self).__name__,
                    column=name,
                )
        recodings = {name: self._recoding(data[name].coded) for name in columns}
        public = {name: {"categories": len(made.after)} for name, made in recodings.items()}
        return RecodePlan(self.step(columns, public), recodings)

    def _recoding(self, column: Categorical) -> Recoding:
        counts = label_counts(column)
        if counts.sum() < self.k:
            raise SettingError(
                "{method}: column '{column}' has {rows} values, fewer than k = {k}; lower k, or "
                "leave the column out.",
                method=type(self).__name__,
                column=column.name,
                rows=int(counts.sum()),
                k=self.k,
            )
        with naming_column(column.name):
            tree = self._tree(column)
            codes = tree.codes(column.labels)
        at_node = np.bincount(codes, counts, len(tree.nodes)).astype(np.int64)
        return _recoded(column, counts, tree, codes, settled_nodes(tree, at_node, self.k)[codes])

    def _tree(self, column: Categorical) -> Tree:
        declaration = (self.trees or {}).get(column.name)
        if declaration is not None:
            return as_tree(declaration)
        return Tree({label: self.root for label in column.labels if label != self.root})


def _recoded(
    column: Categorical, counts: Floats, tree: Tree, own: Integers, replacement: Integers
) -> Recoding:
    """Return the recoding; a node takes the position of the first of its categories."""
    names: list[Label] = [
        label if node == code else tree.nodes[node]
        for label, code, node in zip(column.labels, own, replacement, strict=True)
    ]
    kept = dict.fromkeys(name for name, count in zip(names, counts, strict=True) if count > 0)
    after = tuple(kept) + tuple(dict.fromkeys(name for name in names if name not in kept))
    return Recoding(column.labels, label_codes(names, after)[:-2], after)
