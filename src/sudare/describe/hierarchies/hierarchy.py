"""Generalization hierarchies: each category of a column, level by level, up to one group of all."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    Categorical,
    Codes,
    Column,
    ColumnError,
    InputError,
    Label,
    SettingError,
    label_codes,
)
from sudare.describe.distances import Tree, lacking_from, parents_of
from sudare.describe.hierarchies.number_classes import by_cuts, by_width
from sudare.engine.formats import read_rows
from sudare.engine.frames import written_labels

ALL = "*"  # the label of the group of all


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """A hierarchy of one column, as small tables of whole numbers.

    Level 0 are the categories themselves (the leaves), the last level is one group of all: it is
    added, as ``*``, where the levels given end before.

    Attributes
    ----------
    groups
        The group of each leaf at each level, shape (levels, leaves); row 0 is 0, 1, 2, ….
    labels
        The labels of the groups, one tuple for each level; ``labels[0]`` are the leaves.

    Examples
    --------
    >>> areas = Hierarchy.of([("Nara", "Kansai"), ("Osaka", "Kansai"), ("Tokyo", "Kanto")])
    >>> areas
    <Hierarchy 3 levels, 3 leaves>
    >>> areas.groups.tolist()
    [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
    >>> areas.labels[1]
    ('Kansai', 'Kanto')
    """

    groups: Codes
    labels: tuple[tuple[Label, ...], ...]

    @classmethod
    def of(cls, ways: Iterable[Sequence[Label]]) -> "Hierarchy":
        """Return a hierarchy from one way per leaf: the leaf, its group at level 1, and so on.

        Raises
        ------
        InputError
            If ways differ in length, a leaf has several, or a group lies in two groups above it.
        """
        rows = [tuple(way) for way in ways]
        if not rows or len({len(row) for row in rows}) > 1:
            raise InputError("a hierarchy needs leaves, and the same number of levels for each.")
        groups, labels = [], []
        for level in zip(*rows, strict=True):
            labels.append(tuple(dict.fromkeys(level)))
            groups.append(label_codes(level, labels[-1])[:-2])
        return cls._of_levels(groups, labels)

    @classmethod
    def _of_levels(
        cls, groups: Sequence[Codes], labels: Sequence[tuple[Label, ...]]
    ) -> "Hierarchy":
        """Return a hierarchy from its levels, with one group of all at the end."""
        if len(labels[-1]) > 1:
            groups, labels = [*groups, np.zeros_like(groups[0])], [*labels, (ALL,)]
        return cls(_checked(np.stack(groups).astype(np.int32)), tuple(labels))

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        header: bool = False,
        encoding: str | None = None,
        separator: str | None = None,
    ) -> "Hierarchy":
        """Read a hierarchy from a file with a row for each leaf: the leaf first, the root last.

        Encoding and separator are found where they are not given; ``header`` says that the first
        row holds names of levels. Labels are text; numbers in a column are looked up as text, dates
        as 2020-01-31.
        """
        rows = read_rows(path, encoding=encoding, separator=separator)
        return cls.of(rows[1:] if header else rows)

    @classmethod
    def intervals(
        cls,
        values: Iterable[float],
        *,
        widths: Sequence[float] = (),
        cuts: Sequence[Sequence[float]] = (),
        start: float = 0,
    ) -> "Hierarchy":
        """Return a hierarchy of numbers by intervals, closed below and open above.

        Parameters
        ----------
        values
            The numbers that occur; each distinct one is a leaf.
        widths
            Width of the intervals at each level, counted from ``start``; each has to be a multiple
            of the one before, or the levels would not be nested.
        cuts
            Instead of widths: the numbers at which each level is cut.

        Examples
        --------
        >>> ages = Hierarchy.intervals(range(100), widths=(5, 10, 20))
        >>> [labels[0] for labels in ages.labels]
        [0, '0–4', '0–9', '0–19', '*']
        >>> Hierarchy.intervals([17, 18, 70], cuts=[(18, 65)]).labels[1]
        ('<18', '18–64', '≥65')
        """
        if bool(widths) == bool(cuts):
            raise SettingError("intervals need either widths or cuts.")
        if not all(width > 0 for width in widths) or not all(map(len, cuts)):
            raise SettingError("intervals: widths must be above 0, and each level must have cuts.")
        leaves = sorted(set(values))
        if not leaves:
            raise InputError("intervals need numbers, and there are none.")
        numbers = (*leaves, *widths, start, *(cut for level in cuts for cut in level))
        whole = all(float(number).is_integer() for number in numbers)
        points = np.array(leaves, np.float64)
        levels = [by_width(points, width, start, whole=whole) for width in widths]
        levels += [by_cuts(points, sorted(level), whole=whole) for level in cuts]
        groups = [np.arange(len(leaves), dtype=np.int32), *(level for level, _ in levels)]
        return cls._of_levels(groups, [tuple(leaves), *(labels for _, labels in levels)])

    @classmethod
    def prefixes(cls, codes: Iterable[str], *, lengths: Sequence[int] | None = None) -> "Hierarchy":
        """Return a hierarchy of codes whose last characters are struck out, level by level.

        Parameters
        ----------
        codes
            The codes that occur, such as postal codes.
        lengths
            How many characters are kept at each level; by default one less at each.

        Examples
        --------
        >>> Hierarchy.prefixes(["100-0001", "100-0002", "104-0061"], lengths=(3, 2)).labels[1:3]
        (('100*****', '104*****'), ('10******',))
        """
        leaves = sorted(set(codes))
        longest = max(map(len, leaves), default=0)
        kept = tuple(range(longest - 1, 0, -1)) if lengths is None else tuple(lengths)
        if any(not 0 < length < longest for length in kept) or list(kept) != sorted(kept)[::-1]:
            raise SettingError(
                "prefixes: lengths must fall from level to level, between 1 and {longest}.",
                longest=longest - 1,
            )
        return cls.of(
            (leaf, *(leaf[:length].ljust(longest, ALL) for length in kept), ALL) for leaf in leaves
        )

    @classmethod
    def from_tree(cls, tree: Tree) -> "Hierarchy":
        """Return the hierarchy of a tree's leaves; a leaf nearer the root stays itself for longer.

        Examples
        --------
        >>> tree = Tree({"Nara": "Kansai", "Osaka": "Kansai", "Kansai": "Japan", "Tokyo": "Japan"})
        >>> Hierarchy.from_tree(tree).labels
        (('Nara', 'Osaka', 'Tokyo'), ('Kansai', 'Tokyo'), ('Japan',))
        """
        ways = tree.ancestors(tree.leaves)[::-1].T.tolist()
        return cls.of([tree.nodes[code] for code in way] for way in ways)

    def tree(self) -> Tree:
        """Return the tree of the groups; a group that has one label on several levels is one node.

        Raises
        ------
        InputError
            If a label means different groups on different levels.
        """
        return Tree(parents_of(self.ways()))

    @property
    def leaves(self) -> tuple[Label, ...]:
        """The categories."""
        return self.labels[0]

    def lacking(self, column: Column) -> tuple[Label, ...]:
        """Return the categories of a column that are not leaves. May be confidential."""
        return lacking_from(self._codes(), written_labels(column))

    def leaf_codes(self, column: Column) -> Codes:
        """Return the leaf of each of a column's categories, shape (labels,).

        Raises
        ------
        ColumnError
            If a category is not a leaf.
        """
        categories, code_of = written_labels(column), self._codes()
        lacking = len(self.lacking(column))
        if lacking:
            raise ColumnError(
                "the hierarchy of '{column}' lacks {count} of {total} categories; "
                "lacking(column) lists them.",
                column=column.name,
                count=lacking,
                total=len(categories),
            )
        codes = (
            code_of[label] if label in code_of else code_of[str(label)] for label in categories
        )
        return np.fromiter(codes, np.int32, len(categories))

    def generalized(self, column: Column, level: int) -> Categorical:
        """Return a column at a level; absent values stay absent.

        Examples
        --------
        >>> areas = Hierarchy.of([("Nara", "Kansai"), ("Osaka", "Kansai"), ("Tokyo", "Kanto")])
        >>> column = Categorical("area", np.array([0, 1, -1]), ("Osaka", "Tokyo"))
        >>> areas.generalized(column, 1).codes.tolist()
        [0, 1, -1]
        """
        if not 0 <= level < len(self.labels):
            raise SettingError(
                "the hierarchy of '{column}' has levels 0 to {highest}, not {level}.",
                column=column.name,
                highest=len(self.labels) - 1,
                level=level,
            )
        ends = [NOT_APPLICABLE, MISSING]  # codes -2 and -1 index the last two entries
        table = np.r_[self.groups[level][self.leaf_codes(column)], ends].astype(np.int32)
        coded = column.coded
        return replace(coded, codes=table[coded.codes], labels=self.labels[level])

    def _codes(self) -> Mapping[Label, int]:
        return {label: code for code, label in enumerate(self.leaves)}

    def ways(self) -> Iterable[tuple[Label, ...]]:
        """Return each leaf with its groups, from level 1 to the last, as :meth:`of` takes them."""
        for leaf in self.groups.T.tolist():
            yield tuple(labels[code] for labels, code in zip(self.labels, leaf, strict=True))

    def __repr__(self) -> str:
        return f"<Hierarchy {len(self.labels)} levels, {len(self.leaves)} leaves>"


def _checked(groups: Codes) -> Codes:
    """Refuse leaves that occur twice and levels that are not nested."""
    twice = groups.shape[1] - len(np.unique(groups[0]))
    if twice:
        raise InputError(
            "{count} {count:leaf of the hierarchy occurs|leaves of the hierarchy "
            "occur} more than once.",
            count=twice,
        )
    for level in range(1, len(groups)):
        below, above = groups[level - 1].astype(np.int64), groups[level]
        width = int(above.max()) + 1
        pairs = np.unique(below * width + above)
        torn = int((np.bincount(pairs // width) > 1).sum())
        if torn:
            raise InputError(
                "the hierarchy is not nested: {count} {count:group|groups} of level {level} "
                "{count:lies|lie} in more than one group of the level above.",
                count=torn,
                level=level - 1,
            )
    groups.flags.writeable = False
    return groups
