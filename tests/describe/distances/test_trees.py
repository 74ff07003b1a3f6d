"""Distances along trees and graphs, of numbers, of text, and by a function."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from sudare.core.errors import InputError, SettingError
from sudare.core.types import Floats
from sudare.describe.distances.graphs import Graph
from sudare.describe.distances.metrics import WORDS, Discrete, Edits, Function, PNorm, as_distance
from sudare.describe.distances.trees import Distance, Tree
from sudare.describe.hierarchies.hierarchy import Hierarchy

PARENTS = {"Nara": "Kansai", "Osaka": "Kansai", "Kansai": "Japan", "Tokyo": "Japan"}
NAMES = ["佐藤", "佐々木", "加藤", "齋藤", "斎藤", "髙橋", "高橋", "Smith", "Smyth", ""]


@st.composite
def trees(draw: st.DrawFn) -> dict[int, int]:
    """A random tree as the parent of each node; the numbers of the nodes say nothing of depth."""
    size = draw(st.integers(2, 25))
    names = draw(st.permutations(range(size)))
    return {names[i]: names[draw(st.integers(0, i - 1))] for i in range(1, size)}


def way_up(parents: dict[int, int], node: int) -> list[int]:
    way = [node]
    while way[-1] in parents:
        way.append(parents[way[-1]])
    return way


def edges_between(parents: dict[int, int], a: int, b: int) -> int:
    up, other = way_up(parents, a), way_up(parents, b)
    meeting = next(node for node in up if node in other)
    return up.index(meeting) + other.index(meeting)


@given(trees())
def test_a_tree_counts_the_edges_between_any_two_nodes(parents: dict[int, int]) -> None:
    tree = Tree(parents)
    expected = [[edges_between(parents, a, b) for b in tree.nodes] for a in tree.nodes]  # type: ignore[arg-type]
    np.testing.assert_array_equal(tree.matrix(tree.nodes), expected)


@given(trees())
def test_a_tree_distance_keeps_the_triangle_inequality(parents: dict[int, int]) -> None:
    tree = Tree(parents)
    assert is_metric(tree.matrix(tree.nodes))


def is_metric(far: Floats) -> bool:
    shorter = (far[:, :, None] + far[None]).min(axis=1)
    return bool((far == far.T).all() and (np.diag(far) == 0).all() and (far <= shorter).all())


def test_leaves_depth_and_root_of_a_tree() -> None:
    tree = Tree({**PARENTS, "Japan": None})
    assert [tree.nodes[code] for code in tree.leaves] == ["Nara", "Osaka", "Tokyo"]
    assert tree.nothing == "Japan"
    assert tree.depth[tree.codes(["Japan", "Kansai", "Nara"])].tolist() == [0, 1, 2]
    assert tree.lacking(["Nara", "Kyoto"]) == ("Kyoto",)


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({"a": "b", "b": "a"}, "a cycle: 2 nodes"),
        ({"a": "b", "b": "c", "c": "b"}, "a cycle: 3 nodes"),
        ({"a": "r", "b": "s"}, "2 roots; give them a common parent"),
        ({}, "0 roots"),
    ],
)
def test_what_is_no_tree_is_refused(parents: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tree(parents)


def test_a_label_that_is_no_node_is_counted_not_shown() -> None:
    with pytest.raises(InputError, match=r"lacks 1 of 2 labels") as caught:
        Tree(PARENTS).matrix(["Nara", "secret"])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("header", ["", "child,parent\n", "下位,上位\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_a_tree_is_read_from_a_file_with_or_without_header(
    tmp_path: Path, header: str, encoding: str
) -> None:
    path = tmp_path / "areas.csv"
    text = header + "奈良,関西\n大阪,関西\n\n東京,関東\n関西,日本\n関東,日本\n"
    path.write_text(text, encoding=encoding)
    tree = Tree.read(path)
    assert len(tree.nodes) == 6
    assert tree.matrix(["奈良", "東京"])[0, 1] == 4


def test_a_hierarchy_file_and_an_edge_file_give_the_same_tree(tmp_path: Path) -> None:
    long, short = tmp_path / "long.csv", tmp_path / "short.csv"
    long.write_text("a;A;*\nb;A;*\nc;c;*\n", encoding="utf-8")
    short.write_text("a\tA\nb\tA\nA\t*\nc\t*\n", encoding="utf-8")
    nodes = ["a", "b", "c", "A", "*"]
    np.testing.assert_array_equal(Tree.read(long).matrix(nodes), Tree.read(short).matrix(nodes))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nc\n", "row 2 of"),
        ("a\nb\n", "row 1 of"),
        ("\n", "is empty"),
        ("a,b\na,c\nb,r\nc,r\n", "1 node has more than one parent"),
    ],
)
def test_files_that_are_no_trees_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tree.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Tree.read(path)
    with pytest.raises(InputError, match="there is no file"):
        Tree.read(tmp_path / "none.csv")


def test_a_graph_gives_weights_and_refuses_gaps_unless_paths_may_be_walked() -> None:
    edges = [("a", "b", 1), ("b", "c", 4), ("d", "e", 1)]
    assert Graph(edges).matrix(["b", "c"]).tolist() == [[0, 4], [4, 0]]
    with pytest.raises(InputError, match="no edge between 1 pair of labels"):
        Graph(edges).matrix(["a", "b", "c"])
    with pytest.raises(InputError, match="no edge between 4 pairs of labels"):
        Graph(edges).between(["a", "b", "d", "e"])(slice(2), slice(None))
    walked = Graph(edges, shortest_path=True)
    assert walked.matrix(["a", "b", "c"]).tolist() == [[0, 1, 5], [1, 0, 4], [5, 4, 0]]
    with pytest.raises(InputError, match="no path between 1 pair"):
        walked.matrix(["a", "d"])
    assert walked.lacking(["a", "z"]) == ("z",)


@pytest.mark.parametrize(
    "edges",
    [
        [("a", "b", 0)],
        [("a", "a", 1)],
        [("a", "b", 1), ("b", "a", 2)],
        [("a", "b", None)],
        [("a", "b")],
        [("a", "b", "far")],
        [(["a"], "b", 1)],
        [3],
        [],
    ],
)
def test_a_graph_refuses_what_is_no_distance(edges: list[Any]) -> None:
    with pytest.raises(InputError, match="edges of the graph are not usable"):
        Graph(edges)


def test_a_graph_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "roads.csv"
    path.write_text("a,b,weight\nx,y,1.5\ny,z,2\n", encoding="utf-8")
    assert Graph.read(path, shortest_path=True).matrix(["x", "z"])[0, 1] == 3.5
    path.write_text("x,y,1.5\ny,z,far\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"1 row of .* is not of the form a,b,weight"):
        Graph.read(path)


@pytest.mark.parametrize("text", ["a,b,1 km\nb,c,1\na,c,5\n", "x,y,\na,b,1\n", "a,b\nc,d\n"])
def test_a_first_edge_that_is_faulty_is_no_header(tmp_path: Path, text: str) -> None:
    path = tmp_path / "roads.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"rows? of .* (is|are) not of the form a,b,weight"):
        Graph.read(path, shortest_path=True)


def test_a_graph_file_without_edges_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "roads.csv"
    path.write_text("from,to,minutes\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no edges"):
        Graph.read(path)


@pytest.mark.parametrize("label", ["two\nlines", "two\r\nlines", "a\u2028b", "a\x85b", "a\x0bb"])
def test_labels_of_a_file_keep_their_line_breaks(tmp_path: Path, label: str) -> None:
    path = tmp_path / "tree.csv"
    path.write_text(f'"{label}",all\nother,all\n', encoding="utf-8", newline="")
    assert set(Tree.read(path).nodes) == {label, "other", "all"}


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("a;1,A;1\nb;2,A;1\n", {"a;1", "b;2", "A;1"}),
        ("a;1,all\nb;2,all\n", {"a;1", "b;2", "all"}),
        ("3;[0, 10[;*\n14;[10, 20[;*\n", {"3", "14", "[0, 10[", "[10, 20[", "*"}),
        ("a, A\nb, A\n", {"a", "b", "A"}),
        ("a b\tA\nc d\tA\n", {"a b", "c d", "A"}),
    ],
)
def test_the_separator_of_a_file_is_found(tmp_path: Path, text: str, nodes: set[str]) -> None:
    path = tmp_path / "tree.csv"
    path.write_text(text, encoding="utf-8")
    assert set(Tree.read(path).nodes) == nodes


def test_rows_with_endless_quotes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tree.csv"
    path.write_text('a,"' + "b,c\n" * 50_000, encoding="utf-8")
    with pytest.raises(InputError, match="could not be read: field larger"):
        Tree.read(path)


@given(
    arrays(float, (5, 3), elements=st.floats(-100, 100)),
    st.one_of(st.floats(1, 6), st.just(math.inf)),
)
def test_p_norms_are_what_the_paper_writes(points: Floats, p: float) -> None:
    apart = np.abs(points[:, None] - points[None])
    expected = apart.max(axis=2) if p == math.inf else (apart**p).sum(axis=2) ** (1 / p)
    np.testing.assert_allclose(PNorm(p).matrix(points), expected, rtol=1e-9, atol=1e-9)


def test_a_norm_below_one_is_refused() -> None:
    with pytest.raises(SettingError, match=r"p must be at least 1, got 0.5"):
        PNorm(0.5)


def levenshtein(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]


@given(st.lists(st.text("あい佐藤齋ab", max_size=6), min_size=1, max_size=8))
def test_edits_are_counted_as_by_hand(words: list[str]) -> None:
    expected = [[levenshtein(a, b) for b in words] for a in words]
    np.testing.assert_array_equal(Edits("levenshtein").matrix(words), expected)


@pytest.mark.parametrize("word", ["levenshtein", "damerau-levenshtein", "indel"])
def test_counted_edits_of_names_are_metrics(word: str) -> None:
    assert is_metric(as_distance(word).matrix(NAMES))


def test_names_that_differ_by_a_variant_character_are_near() -> None:
    far = as_distance("jaro-winkler").matrix(["齋藤健", "斎藤健", "高橋誠"])
    assert far[0, 1] < far[0, 2] == 1


DISTANCES: list[Distance] = [
    *(as_distance(word) for word in WORDS if not isinstance(as_distance(word), PNorm)),
    Function(lambda a, b: abs(len(a) - len(b)) / 2),
    Tree(dict.fromkeys(NAMES[:-1], "root") | {"": "佐藤"}),
    Graph([(name, "hub", 1 + i) for i, name in enumerate(NAMES)], shortest_path=True),
    Graph([(a, b, 1) for i, a in enumerate(NAMES) for b in NAMES[:i]]),
]


@pytest.mark.parametrize("distance", DISTANCES, ids=repr)
def test_blocks_equal_the_whole(distance: Distance) -> None:
    whole, block = distance.matrix(NAMES), distance.between(NAMES)
    for rows in (slice(0, 1), slice(2, 7), slice(9, 10)):
        for columns in (slice(0, 3), slice(4, 10)):
            np.testing.assert_array_equal(block(rows, columns), whole[rows, columns])


def test_a_function_that_is_no_distance_is_refused() -> None:
    with pytest.raises(SettingError, match="returned 2 values that are negative"):
        Function(lambda a, b: -1).matrix(["a", "b"])


def test_words_objects_and_functions_become_distances() -> None:
    assert repr(as_distance("manhattan")) == "PNorm(1)"
    assert isinstance(as_distance(lambda a, b: 0), Function)
    assert as_distance(tree := Tree(PARENTS)) is tree
    assert Discrete().matrix(["a", "b", "a"]).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    with pytest.raises(SettingError, match="did you mean 'levenshtein'"):
        as_distance("levenstein")
    with pytest.raises(SettingError, match=r"a Hierarchy is not a distance; use its tree\(\)"):
        as_distance(Hierarchy.of([("a", "A"), ("b", "A")]))  # type: ignore[arg-type]
    for wrong, name in ((42, "int"), (None, "NoneType"), (Tree, "Tree")):
        with pytest.raises(SettingError, match=f"or a function of two labels; got {name}"):
            as_distance(wrong)  # type: ignore[arg-type]


def test_printing_a_distance_shows_no_label() -> None:
    assert repr(Tree(PARENTS)) == "<Tree 5 nodes, 3 leaves, depth 2>"
    assert repr(Graph([("secret", "b", 1)])) == "<Graph 2 nodes, 1 edges>"
