"""The hierarchy of a column for a person who edits it: a tree, what it lacks, and its changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sudare.core import Column, InputError, Numeric, SettingError
from sudare.describe import Hierarchy
from sudare.describe.hierarchies import declared
from sudare.engine.frames import is_dated, written_labels
from sudare.workbench.recoding.column_recoding import ColumnRecoding

_ALL = "*"


@dataclass(frozen=True)
class HierarchyNode:
    """A group of the tree with what it holds, or a leaf with its code in the column."""

    label: str
    leaf: int | None
    children: tuple["HierarchyNode", ...] = ()

    @property
    def leaves(self) -> int:
        """Number of leaves below, or 1."""
        return sum(child.leaves for child in self.children) if self.children else 1


@dataclass(frozen=True)
class HierarchyView:
    """A hierarchy as its screen shows it.

    Attributes
    ----------
    levels
        Number of groups at each level; the first are the categories themselves.
    roots
        The tree, from the groups below that of all.
    lacking
        Number of categories of the column that are not in it.
    ways
        Each category with its groups, as a project holds them.
    """

    levels: tuple[int, ...]
    roots: tuple[HierarchyNode, ...]
    lacking: int
    ways: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """The hierarchy as lines, for a spreadsheet."""
        return "\n".join("\t".join(way) for way in self.ways)


def hierarchy_view(column: Column, declaration: Any) -> HierarchyView:
    """Return the hierarchy that is declared for a column; without one, every category alone."""
    if declaration is None:
        ways: list[tuple[str, ...]] = [(str(label), _ALL) for label in written_labels(column)]
        hierarchy = Hierarchy.of(ways)
    else:
        hierarchy = declared(column, declaration)
        ways = [tuple(map(str, way)) for way in hierarchy.ways()]
    codes = {str(label): code for code, label in enumerate(written_labels(column))}
    return HierarchyView(
        levels=tuple(len(labels) for labels in hierarchy.labels),
        roots=_tree([way[::-1] for way in ways], codes, skip=1),
        lacking=len(hierarchy.lacking(column)),
        ways=tuple(ways),
    )


def _tree(
    paths: Sequence[tuple[str, ...]], codes: Mapping[str, int], skip: int
) -> tuple[HierarchyNode, ...]:
    """Return the tree of paths from the root to the leaves, below the first levels."""
    below: dict[str, list[tuple[str, ...]]] = {}
    for path in paths:
        below.setdefault(path[skip], []).append(path)
    return tuple(
        HierarchyNode(label, codes.get(label, -1))
        if len(members[0]) == skip + 1
        else HierarchyNode(label, None, _tree(members, codes, skip + 1))
        for label, members in below.items()
    )


def grouped(
    ways: Sequence[Sequence[str]], leaves: Sequence[str], group: str, level: int
) -> dict[str, Any]:
    """Return the hierarchy in which some leaves lie in a group at a level.

    Groups above follow: those of other leaves that are in the group, else those that the leaves
    had. A new level is made where there was none of that number.

    Examples
    --------
    >>> grouped([("Nara", "*"), ("Osaka", "*"), ("Tokyo", "*")], ["Nara", "Osaka"], "Kansai", 1)
    {'ways': [['Nara', 'Kansai', '*'], ['Osaka', 'Kansai', '*'], ['Tokyo', 'Tokyo', '*']]}
    """
    if not leaves or not group.strip():
        raise SettingError("choose categories, and a name for their group.")
    rows = [list(way) for way in ways]
    if level == len(rows[0]) - 1:  # the group of all: a new level goes below it
        rows = [[*row[:-1], row[-2], row[-1]] for row in rows]
    if not 1 <= level < len(rows[0]) - 1:
        raise SettingError("there is no such level of the hierarchy.")
    chosen = set(leaves)
    above = next((row[level + 1 :] for row in rows if row[level] == group), None)
    for row in rows:
        if row[0] in chosen:
            row[level:] = [group, *(above or row[level + 1 :])]
            above = row[level + 1 :]
    Hierarchy.of(map(tuple, rows))  # refused where it is not nested
    return {"ways": rows}


def pasted(text: str) -> dict[str, Any] | None:
    """Return the hierarchy of pasted lines: a category, a tab, its group, and so on."""
    rows = [line.split("\t") for line in text.replace("\r\n", "\n").split("\n") if line.strip()]
    if not rows:
        return None
    if len({len(row) for row in rows}) > 1:
        raise InputError("each line needs a category and the same number of groups, by tabs.")
    Hierarchy.of(map(tuple, rows))
    return {"ways": rows}


def at_level(column: Column, hierarchy: Hierarchy, level: int) -> ColumnRecoding:
    """Return the recoding that takes a column to a level of its hierarchy.

    Numbers are cut where a group ends, categories mapped to their groups.

    Examples
    --------
    >>> import numpy as np
    >>> from sudare.core import Numeric
    >>> ages = Numeric("age", values=np.array([3.0, 17.0, 30.0]))
    >>> at_level(ages, Hierarchy.intervals([3, 17, 30], widths=(10,)), 1).cuts
    (17, 30)
    """
    generalized = hierarchy.generalized(column, level)
    labels = written_labels(column)
    codes = dict(zip(column.coded.codes.tolist(), generalized.codes.tolist(), strict=True))
    groups = [codes.get(code, -1) for code in range(len(labels))]
    if isinstance(column, Numeric):
        if is_dated(column):
            raise SettingError("dates are generalized by a method that takes hierarchies.")
        cuts = (
            number
            for (_, before), (number, after) in pairwise(zip(labels, groups, strict=True))
            if before != after
        )
        return ColumnRecoding(cuts=tuple(cuts))  # type: ignore[arg-type]
    texts = zip(map(str, labels), groups, strict=True)
    named = {text: str(generalized.labels[group]) for text, group in texts if group >= 0}
    return ColumnRecoding({old: new for old, new in named.items() if old != new})
