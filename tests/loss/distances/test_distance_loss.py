"""ILD of a whole table: mixed columns, absent values, units and weights."""

from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core.errors import ColumnError, MismatchError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.describe.distances.graphs import Graph
from sudare.describe.distances.metrics import Function, PNorm
from sudare.describe.distances.trees import Tree
from sudare.loss.distances.capacity import ild
from sudare.loss.distances.distance_loss import DistanceLoss

AREAS = {"Nara": "Kansai", "Osaka": "Kansai", "Tokyo": "Kanto", "Kansai": "Japan", "Kanto": "Japan"}


def table(areas: list[str | None], pay: list[float], name: str = "area") -> Microdata:
    labels = tuple(sorted({area for area in areas if area is not None}))
    codes = [-1 if area is None else labels.index(area) for area in areas]
    weight = Numeric("w", np.arange(1.0, len(pay) + 1), role="weight")
    return Microdata(
        (Categorical(name, np.array(codes), labels), Numeric("pay", np.array(pay)), weight)
    )


BEFORE = table(["Nara", "Osaka", "Tokyo", "Tokyo"], [1, 2, 3, 4])
AFTER = table(["Kansai", "Kansai", "Kanto", "Kanto"], [1.5, 1.5, 3.5, 3.5])


def test_each_part_is_the_ild_of_its_column() -> None:
    result = DistanceLoss(distance={"area": Tree(AREAS)})(BEFORE, AFTER)
    areas = ["Nara", "Osaka", "Tokyo", "Tokyo"], ["Kansai", "Kansai", "Kanto", "Kanto"]
    assert result.parts["area"] == ild(*areas, Tree(AREAS))
    assert result.parts["pay"] == pytest.approx(0.2)


def test_the_value_is_the_loss_of_the_summed_capacities() -> None:
    # area: 10 of 16 ordered pairs differ before, 8 after; pay in sd: 2n² = 32 before, 25.6 after
    assert DistanceLoss()(BEFORE, AFTER).value == pytest.approx((10 + 32 - 8 - 25.6) / 42)
    own = DistanceLoss(unit="own")(BEFORE, AFTER).value
    assert own == pytest.approx((10 + 40 - 8 - 32) / 50)
    alike = DistanceLoss(unit="capacity", weights={"area": 3})(BEFORE, AFTER).value
    assert alike == pytest.approx((3 * 0.2 + 0.2) / 4)
    weighted = DistanceLoss(unit="own", weights={"area": 0})(BEFORE, AFTER)
    assert weighted.value == weighted.parts["pay"] == pytest.approx(0.2)


def test_a_mixed_distance_is_what_the_combined_distance_of_records_gives() -> None:
    records = list(zip(["Nara", "Osaka", "Tokyo", "Tokyo"], [1, 2, 3, 4], strict=True))
    masked = list(zip(["Kansai", "Kansai", "Kanto", "Kanto"], [1.5, 1.5, 3.5, 3.5], strict=True))

    def combined(x: tuple[str, float], y: tuple[str, float]) -> float:
        return float(np.sqrt((x[0] != y[0]) + 2 * (x[1] - y[1]) ** 2))

    lost = DistanceLoss(unit="own", weights={"pay": 2})(BEFORE, AFTER).value
    assert lost == pytest.approx(ild(records, masked, combined), rel=1e-12)


def test_a_distance_may_be_a_word_an_object_or_a_file(tmp_path: Path) -> None:
    tree, graph = tmp_path / "tree.csv", tmp_path / "graph.csv"
    tree.write_text("\n".join(f"{a},{b}" for a, b in AREAS.items()), encoding="utf-8")
    edges = [
        ("Nara", "Osaka", 1),
        ("Nara", "Tokyo", 2),
        ("Osaka", "Tokyo", 2),
        ("Kansai", "Kanto", 2),
    ]
    graph.write_text("\n".join(f"{a},{b},{w}" for a, b, w in edges), encoding="utf-8")
    pairs = [
        (DistanceLoss(trees={"area": str(tree)}), DistanceLoss(distance={"area": Tree(AREAS)})),
        (DistanceLoss(trees={"area": AREAS}), DistanceLoss(distance={"area": Tree(AREAS)})),
        (DistanceLoss(graphs={"area": str(graph)}), DistanceLoss(distance={"area": Graph(edges)})),
        (DistanceLoss(distance={"nominal": "discrete"}), DistanceLoss()),
        (DistanceLoss(distance={"pay": PNorm(1)}), DistanceLoss()),
    ]
    for setting, written_out in pairs:
        assert setting(BEFORE, AFTER).parts == written_out(BEFORE, AFTER).parts
    words = DistanceLoss(columns=("area",), distance="levenshtein", power=1)(BEFORE, AFTER)
    assert words.value == ild(
        ["Nara", "Osaka", "Tokyo", "Tokyo"], ["Kansai"] * 2 + ["Kanto"] * 2, "levenshtein", 1
    )
    length = Function(lambda a, b: abs(len(a) - len(b)))
    assert DistanceLoss(columns=("area",), distance=length)(BEFORE, BEFORE).value == 0


def test_a_sparse_graph_needs_shortest_paths(tmp_path: Path) -> None:
    path = tmp_path / "graph.csv"
    path.write_text("Nara,Osaka,1\nOsaka,Tokyo,4\nKansai,Kanto,3\nKanto,Tokyo,1\n")
    graphs = {"area": str(path)}
    with pytest.raises(ColumnError, match=r"'area': the graph has no edge .* set shortest_path"):
        DistanceLoss(columns=("area",), graphs=graphs)(BEFORE, AFTER)
    result = DistanceLoss(columns=("area",), graphs=graphs, shortest_path=True)(BEFORE, AFTER)
    before = 2 * (1**2 + 2 * 5**2 + 2 * 4**2)
    assert result.value == pytest.approx(1 - 2 * 4 * 3**2 / before)
    path.write_text("Nara,Osaka,1\nTokyo,Kanto,1\n")
    with pytest.raises(ColumnError, match="has no path between"):
        DistanceLoss(columns=("area",), graphs=graphs, shortest_path=True)(BEFORE, AFTER)


def test_suppressing_everything_loses_everything() -> None:
    nothing = table([None] * 4, [np.nan] * 4)
    for distance in (None, {"area": Tree(AREAS)}, {"area": "levenshtein"}):
        result = DistanceLoss(distance=distance)(BEFORE, nothing)
        assert result.value == 1
        assert result.parts == {"area": 1, "pay": 1}


def test_absent_labels_are_categories_and_absent_numbers_do_not_count() -> None:
    before = table(["Nara", None, "Osaka", None], [1, np.nan, 3, np.nan])
    after = table(["Nara", None, "Nara", None], [1, 9, 3, np.nan])
    result = DistanceLoss()(before, after)
    assert result.parts["pay"] == 0
    assert result.parts["area"] == pytest.approx((10 - 8) / 10)


def test_a_distance_that_does_not_know_nothing_refuses_suppressed_labels() -> None:
    length = Function(lambda a, b: abs(len(a) - len(b)))
    before = table(["Nara", None, "Osaka"], [1, 2, 3])
    assert DistanceLoss(columns=("area",), distance=length)(before, before).value == 0
    with pytest.raises(ColumnError, match="'area': 1 label was suppressed"):
        DistanceLoss(columns=("area",), distance=length)(
            before, table(["Nara", None, None], [1, 2, 3])
        )


def test_noise_makes_the_loss_negative(toy: sudare.Microdata) -> None:
    noisy = sudare.apply(toy, sudare.mask.Noise(sd_ratio=1.0), seed=1).data
    result = DistanceLoss(columns=("income",))(toy, noisy)
    assert result.value == pytest.approx(-1, abs=0.3)


def test_sampling_weights_count_when_asked() -> None:
    lost = DistanceLoss(columns=("area",), weighted=True)(BEFORE, AFTER).value
    assert lost == pytest.approx(1 - (2 * 3 * 7) / (2 * (1 * 2 + 1 * 7 + 2 * 7)))


def test_what_does_not_suit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="there is no distance 'euclidian'"):
        DistanceLoss(distance="euclidian")
    with pytest.raises(ColumnError, match="there is no column 'aera'; did you mean 'area'"):
        DistanceLoss(weights={"aera": 2})(BEFORE, AFTER)
    with pytest.raises(ColumnError, match="column 'area': the tree or graph lacks 1 of 3 labels"):
        DistanceLoss(distance={"area": Tree({"Nara": "x", "Tokyo": "x"})})(BEFORE, AFTER)
    with pytest.raises(MismatchError, match="'area' must hold numbers"):
        DistanceLoss(distance="euclidean")(BEFORE, AFTER)
    with pytest.raises(ColumnError, match="column 'area': there is no file"):
        DistanceLoss(trees={"area": str(tmp_path / "none.csv")})(BEFORE, AFTER)
    (tmp_path / "tree.csv").write_text("a,b\nb,a\n", encoding="utf-8")
    with pytest.raises(ColumnError, match="column 'area': the tree has a cycle"):
        DistanceLoss(trees={"area": str(tmp_path / "tree.csv")})(BEFORE, AFTER)
    with pytest.raises(ColumnError, match=r"column 'area': 2 rows of .* are not of the form"):
        DistanceLoss(graphs={"area": str(tmp_path / "tree.csv")})(BEFORE, AFTER)
    with pytest.raises(SettingError, match="power must be at least 1"):
        DistanceLoss(power=0)


def test_printing_a_measure_shows_no_label() -> None:
    assert DistanceLoss(distance=Tree(AREAS)).label() == (
        "DistanceLoss(distance=<Tree 6 nodes, 3 leaves, depth 2>)"
    )


@pytest.mark.parametrize("scale", [1e-200, 1e160, 1e300])
@pytest.mark.parametrize("power", [1.0, 2.0, 3.0])
def test_numbers_of_any_size_are_measured(scale: float, power: float) -> None:
    small, large = (
        [
            Microdata((Numeric("x", np.array(x) * unit), Numeric("y", np.arange(4.0))))
            for x in ([1.0, 2, 3, 4], [1.5, 1.5, 3.5, np.nan])
        ]
        for unit in (1.0, scale)
    )
    loss = DistanceLoss(columns=("x", "y"), power=power)
    expected, result = loss(*small), loss(*large)
    assert result.value == pytest.approx(expected.value)
    assert result.parts == pytest.approx(expected.parts)


def test_infinite_weights_and_squares_are_refused() -> None:
    with pytest.raises(SettingError, match="weight of column 'x' must be a finite number"):
        DistanceLoss(weights={"x": np.inf})
    data = Microdata((Numeric("x", np.array([1e300, -1e300])),))
    with pytest.raises(SettingError, match="too large to be squared in their own unit"):
        DistanceLoss(columns=("x",), unit="own")(data, data)


def test_a_constant_column_keeps_its_own_unit() -> None:
    before, after = (
        Microdata((Numeric("x", np.array(x)), Numeric("y", np.arange(4.0))))
        for x in ([5.0, 5, 5, 5], [4.0, 6, 5, 5])
    )
    assert DistanceLoss(columns=("x", "y"))(before, after).value == pytest.approx(-0.5)
