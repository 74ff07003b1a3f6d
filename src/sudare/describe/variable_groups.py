"""Groups of variables that hang together, for studies whose subsets would explode."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Figure, Floats, SettingError, nominal, quantitative


@dataclass(frozen=True, eq=False)
class Grouping:
    """Variables in groups of associated ones.

    Attributes
    ----------
    groups
        Names by group, each in the order of the data; every variable is in one.
    names, association
        The variables in the order of the clustering, and Cramér's V between them.
    """

    groups: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    association: Floats

    def figure(self) -> Figure:
        """Return the association between the variables as a heat map, group by group."""
        group_of = {name: i + 1 for i, group in enumerate(self.groups) for name in group}
        cells = [
            {
                "row": row,
                "column": column,
                "V": round(float(self.association[i, j]), 4),
                "groups": f"{group_of[row]}, {group_of[column]}",
                "same": group_of[row] == group_of[column],
            }
            for i, row in enumerate(self.names)
            for j, column in enumerate(self.names)
        ]
        order = list(self.names)
        framed = {"test": "datum.same", "value": "#c9873c"}
        return Figure(
            title="Cramér's V",
            background=None,
            width={"step": 18},
            height={"step": 18},
            data={"values": cells},
            mark={"type": "rect", "tooltip": True},
            encoding={
                "x": nominal("column", sort=order, title=None),
                "y": nominal("row", sort=order, title=None),
                "color": quantitative("V", scale={"scheme": "greens", "domain": [0, 1]}),
                "stroke": {"condition": framed, "value": None},
            },
        )


def group_variables(names: Sequence[str], association: Floats, *, largest: int = 5) -> Grouping:
    """Cluster variables by association (average linkage on 1 - V) into groups of limited size.

    The tree of clusters is cut from the top: a cluster that is small enough is a group. A variable
    left alone joins the group that it is associated with most, among those that have room. A pair
    without a V (a constant variable) counts as not associated.

    Parameters
    ----------
    names
        The variables, p of them.
    association
        Cramér's V between them, shape (p, p).
    largest
        The most variables that a group may have.

    Examples
    --------
    >>> v = np.array([[1, 0.9, 0.1], [0.9, 1, 0.1], [0.1, 0.1, 1]])
    >>> group_variables(["industry", "region", "occupation"], v, largest=2).groups
    (('occupation',), ('industry', 'region'))
    >>> group_variables(["industry", "region", "occupation"], v, largest=3).groups
    (('industry', 'region', 'occupation'),)
    """
    from scipy.cluster.hierarchy import linkage, to_tree
    from scipy.spatial.distance import squareform

    if largest < 1:
        raise SettingError("groups must have room for at least one variable.")
    if len(names) == 1:
        return Grouping(((names[0],),), (names[0],), association)
    distance = 1 - np.nan_to_num(association)
    np.fill_diagonal(distance, 0)
    tree = to_tree(linkage(squareform(distance, checks=False), method="average"))
    order = tree.pre_order()
    waiting, groups = [tree], []
    while waiting:
        node = waiting.pop()
        if node.get_count() <= largest:
            groups.append(tuple(names[i] for i in sorted(node.pre_order())))
        else:
            waiting += [node.get_right(), node.get_left()]
    groups = _without_single(groups, list(names), np.nan_to_num(association), largest)
    arranged = np.nan_to_num(association)[np.ix_(order, order)]
    return Grouping(tuple(groups), tuple(names[i] for i in order), arranged)


def _without_single(
    groups: list[tuple[str, ...]], names: list[str], association: Floats, largest: int
) -> list[tuple[str, ...]]:
    """Return the groups with those of one variable joined to others, as far as these have room."""
    position = {name: i for i, name in enumerate(names)}
    kept = list(groups)
    for single in [group for group in groups if len(group) == 1]:
        others = [g for g in kept if g != single and len(g) < largest]
        if single not in kept or not others:
            continue
        row = association[position[single[0]]]
        nearest = max(others, key=lambda g: float(np.mean([row[position[name]] for name in g])))
        kept.remove(single)
        kept[kept.index(nearest)] = tuple(sorted((*nearest, *single), key=position.__getitem__))
    return kept
