from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare import errors
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.describe.distances.trees import Tree
from sudare.mask.microaggregation.tree_microaggregation import TreeMicroaggregation, settled_nodes

PARENTS = {
    **dict.fromkeys(("a11", "a12"), "a1"),
    **dict.fromkeys(("a21", "a22"), "a2"),
    **dict.fromkeys(("a1", "a2"), "a"),
}


def nodes_of(k: int, **records: int) -> dict[str, object]:
    tree = Tree(PARENTS)
    counts = np.array([records.get(str(node), 0) for node in tree.nodes])
    nodes = settled_nodes(tree, counts, k)[tree.codes(records)]
    return {name: tree.nodes[node] for name, node in zip(records, nodes, strict=True)}


def test_the_paper_example_goes_up_one_level_and_then_to_the_root() -> None:
    single = {"a11": 1, "a12": 1, "a21": 1, "a22": 1}
    assert nodes_of(2, **single) == {"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2"}
    assert set(nodes_of(3, **single).values()) == {"a"}


def test_frequent_categories_stay_and_the_cheapest_sibling_joins_a_rare_one() -> None:
    assert nodes_of(3, a11=3, a12=5, a21=9) == {"a11": "a11", "a12": "a12", "a21": "a21"}
    assert nodes_of(3, a11=2, a12=5, a21=4) == {"a11": "a1", "a12": "a1", "a21": "a21"}
    assert nodes_of(3, a11=2, a21=3, a22=3) == {"a11": "a", "a21": "a", "a22": "a22"}


def test_records_at_inner_nodes_count() -> None:
    assert nodes_of(3, a1=2, a11=1, a12=4) == {"a1": "a1", "a11": "a1", "a12": "a12"}
    assert nodes_of(3, a1=3, a11=3) == {"a1": "a1", "a11": "a11"}


@given(st.lists(st.integers(0, 6), min_size=7, max_size=7), st.integers(2, 5))
def test_every_node_used_has_k_records_and_is_an_ancestor(counts: list[int], k: int) -> None:
    tree = Tree(PARENTS)
    if sum(counts) < k:
        return
    nodes = settled_nodes(tree, np.array(counts), k)
    sizes = np.bincount(nodes, counts, len(counts))
    assert all(size == 0 or size >= k for size in sizes)
    for node, replacement in enumerate(nodes):
        assert replacement in tree.ancestors(np.array([node]))


def column(*codes: int) -> Microdata:
    return Microdata((Categorical("area", np.array(codes), ("x", "y", "z"), role="key"),))


def test_without_a_tree_rare_categories_share_one_label() -> None:
    masked = TreeMicroaggregation(k=2).fit(column(0, 0, 1, 2, -1)).transform(column(0, 0, 1, 2, -1))
    area = masked["area"].coded
    assert area.labels == ("x", "*")
    assert area.codes.tolist() == [0, 0, 1, 1, -1]


def test_a_tree_comes_from_a_file_or_a_table(tmp_path: Path) -> None:
    path = tmp_path / "tree.csv"
    path.write_text("x,a\ny,a\na,all\nz,all\n", encoding="utf-8")
    parents = {"x": "a", "y": "a", "a": "all", "z": "all"}
    data = column(0, 1, 2, 2)
    for declaration in (path, str(path), parents):
        masked = TreeMicroaggregation(k=2, trees={"area": declaration}).fit(data).transform(data)
        assert masked["area"].coded.labels == ("a", "z")
    words = (
        "trees must be a table with a table or text for each column or nothing, got a table with"
    )
    with pytest.raises(errors.SettingError, match=words):
        TreeMicroaggregation(trees={"area": 3})  # type: ignore[dict-item]


def test_too_few_values_and_a_tree_for_another_column_are_refused() -> None:
    with pytest.raises(errors.SettingError, match="has 2 values, fewer than k = 3"):
        TreeMicroaggregation().fit(column(0, 1, -1))
    with pytest.raises(errors.SettingError, match="tree for column 'town'"):
        TreeMicroaggregation(trees={"town": {"x": "all"}}).fit(column(0, 0, 0))


def test_labels_that_the_tree_lacks_are_refused() -> None:
    with pytest.raises(errors.ColumnError, match="'area': the tree or graph lacks 2 of 3"):
        TreeMicroaggregation(trees={"area": {"x": "all"}}).fit(column(0, 1, 2))
    with pytest.raises(errors.ColumnError, match="'area': the tree has a cycle"):
        TreeMicroaggregation(trees={"area": {"x": "y", "y": "x"}}).fit(column(0, 1, 2))
