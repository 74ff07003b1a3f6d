"""The examples that Akiyama and Wada print, and their figures."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sudare.describe import Graph, Tree
from sudare.describe.distances import Given

REGIONS: Mapping[str, tuple[str, str]] = {
    "甲信越": ("長野", "新潟"),
    "関東": ("東京", "神奈川"),
    "関西": ("大阪", "奈良"),
    "九州": ("福岡", "熊本"),
}
REGION_OF = {name: region for region, names in REGIONS.items() for name in names}
HALF_OF = {"甲信越": "東日本", "関東": "東日本", "関西": "西日本", "九州": "西日本"}
JAPAN = Tree(REGION_OF | HALF_OF | {"東日本": "日本", "西日本": "日本"})

# Fig. 3 and 4: 6 thick, 4 thick broken, 2 thin, 1 thin broken (inside a region). The capacities
# need one pair of regions at 6 (Kanto and Kyushu), two at 4 and three at 2.
APART = {
    ("関東", "九州"): 6,
    ("甲信越", "九州"): 4,
    ("関東", "関西"): 4,
    ("甲信越", "関東"): 2,
    ("甲信越", "関西"): 2,
    ("関西", "九州"): 2,
}
ROADS = Graph(
    [(a, b, 1) for a, b in REGIONS.values()]
    + [(a, b, far) for (a, b), far in APART.items()]
    + [(a, b, far) for (x, y), far in APART.items() for a in REGIONS[x] for b in REGIONS[y]]
)
SYMBOLS = Tree({"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a1": "a", "a2": "a"})

Values = Sequence[str] | Sequence[float]


class Example(NamedTuple):
    """Values before and after, a distance, and what the paper prints for them."""

    source: str
    distance_name: str
    before: Values
    after: Values
    distance: Given
    power: int
    printed: tuple[float, float, float]


_SYMBOLS = ["a11", "a12", "a21", "a22"]
_MAPS = (list(REGION_OF), list(REGION_OF.values()))
EXAMPLES = (
    *[
        Example(
            "2.1", "Euclidean", [1.0, 2, 3, 4], [1.5, 1.5, 3.5, 3.5], "euclidean", 2, (40, 32, 0.2)
        ),
        Example("2.2", "tree", _SYMBOLS, ["a1", "a1", "a2", "a2"], SYMBOLS, 2, (144, 32, 0.778)),
        Example("2.2", "tree", _SYMBOLS, ["a"] * 4, SYMBOLS, 2, (144, 0, 1.0)),
    ],
    *[
        Example(f"table {3 - power}", name, *_MAPS, distance, power, printed)
        for power, name, distance, printed in (
            (2, "discrete", "discrete", (56, 48, 0.14285)),
            (2, "tree", JAPAN, (1440, 576, 0.6)),
            (2, "graph", ROADS, (648, 640, 0.01234)),
            (1, "discrete", "discrete", (56, 48, 0.14285)),
            (1, "tree", JAPAN, (272, 160, 0.41176)),
            (1, "graph", ROADS, (168, 160, 0.04762)),
        )
    ],
)
