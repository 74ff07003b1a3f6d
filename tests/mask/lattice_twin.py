"""Full-domain generalization said slowly: every combination of levels, record by record."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from math import log2

import numpy as np

from sudare.core.table.microdata import Microdata
from sudare.describe.hierarchies.hierarchy import Hierarchy

GAPS = (-2, -1)


@dataclass(frozen=True)
class Key:
    """A column as leaves (or a gap, -2 and -1) and the group of each leaf by level."""

    leaves: list[int]
    groups: list[list[int]]

    def published(self, leaf: int, level: int) -> object:
        if level == len(self.groups) - 1 and level > 0:
            return "*"
        return ("gap", leaf) if leaf in GAPS else self.groups[level][leaf]


def keys_of(data: Microdata, hierarchies: dict[str, Hierarchy]) -> list[Key]:
    keys = []
    for name, hierarchy in hierarchies.items():
        coded = data[name].coded
        leaf_of = hierarchy.leaf_codes(data[name])
        leaves = [int(code) if code < 0 else int(leaf_of[code]) for code in coded.codes]
        groups = hierarchy.groups.tolist()
        if len(groups) == 1 and any(leaf in GAPS for leaf in leaves):
            groups.append([0] * len(groups[0]))
        keys.append(Key(leaves, groups))
    return keys


def classes(keys: list[Key], levels: tuple[int, ...]) -> list[list[int]]:
    """Return the records of each class, in the order in which a sorted table meets them."""
    members = defaultdict(list)
    for record in range(len(keys[0].leaves)):
        published = tuple(
            k.published(k.leaves[record], lv) for k, lv in zip(keys, levels, strict=True)
        )
        members[published].append(record)
    return list(members.values())


def loss(name: str, keys: list[Key], levels: tuple[int, ...], kept: list[list[int]]) -> float:
    """Return the loss of publishing some classes and suppressing the rest."""
    n = len(keys[0].leaves)
    safe = {record for members in kept for record in members}
    lost = n - len(safe)
    if name == "discernibility":
        return float(sum(len(members) ** 2 for members in kept) + lost * n)
    if name == "class_size":
        return n / (len(kept) + (lost > 0))
    costs = [_costs(name, key, level, safe) for key, level in zip(keys, levels, strict=True)]
    if name == "height":
        return sum(c for c, _ in costs) / max(sum(m for _, m in costs), 1)
    if name == "entropy":
        return float(np.mean([c / m if m > 1e-12 else 0.0 for c, m in costs]))
    x = []
    for key, (cost, _) in zip(keys, costs, strict=True):
        least = n / len(key.groups[0])
        x.append((cost - least) / (n - least) if n > least else 0.0)
    return float(np.prod(1 + np.array(x)) ** (1 / len(x)) - 1)


def _costs(name: str, key: Key, level: int, safe: set[int]) -> tuple[float, float]:
    """Return what the values of one key cost, and what they would if all were suppressed."""
    top = len(key.groups) - 1
    spent = most = 0.0
    for record, leaf in enumerate(key.leaves):
        highest = _cost(name, key, top, leaf)
        spent += _cost(name, key, level, leaf) if record in safe else highest
        most += highest
    return spent, most


def _cost(name: str, key: Key, level: int, leaf: int) -> float:
    own = key.published(leaf, level)
    if name == "height":
        return float(level)
    if name == "entropy":
        alike = sum(key.published(other, level) == own for other in key.leaves)
        return log2(alike / sum(other == leaf for other in key.leaves))
    whole = len(key.groups[0])
    if own == "*":
        return 1.0
    alike = 1 if leaf in GAPS else sum(group == own for group in key.groups[level])
    return alike / whole


def all_levels(keys: list[Key]) -> list[tuple[int, ...]]:
    return list(product(*(range(len(key.groups)) for key in keys)))
