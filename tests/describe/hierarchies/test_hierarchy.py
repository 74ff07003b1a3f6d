"""Generalization hierarchies: from files, intervals, prefixes and trees."""

import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError, InputError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.numeric import Numeric
from sudare.describe.distances.trees import Tree
from sudare.describe.hierarchies.hierarchy import Hierarchy
from sudare.describe.hierarchies.hierarchy_settings import automatic, declared

AREAS = [("Nara", "Kansai"), ("Osaka", "Kansai"), ("Tokyo", "Kanto"), ("Chiba", "Kanto")]


def test_levels_are_tables_of_codes_and_end_in_one_group() -> None:
    areas = Hierarchy.of(AREAS)
    assert areas.groups.tolist() == [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]
    assert areas.labels == (("Nara", "Osaka", "Tokyo", "Chiba"), ("Kansai", "Kanto"), ("*",))
    assert not areas.groups.flags.writeable


@pytest.mark.parametrize(
    ("ways", "message"),
    [
        ([("a", "A"), ("a", "A")], "1 leaf of the hierarchy occurs more than once"),
        ([("a", "A", "X"), ("b", "A", "Y")], "1 group of level 1 lies in more than one"),
        ([("a", "A"), ("b",)], "the same number of levels"),
        ([], "needs leaves"),
    ],
)
def test_what_is_no_hierarchy_is_refused(ways: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Hierarchy.of(ways)


@pytest.mark.parametrize("separator", [";", ","])
@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_a_hierarchy_is_read_leaf_first(tmp_path: Path, separator: str, encoding: str) -> None:
    path = tmp_path / "areas.csv"
    rows = [("奈良", "関西", "*"), ("大阪", "関西", "*"), ("東京", "関東", "*")]
    path.write_text("\n".join(separator.join(row) for row in rows), encoding=encoding)
    assert Hierarchy.read(path).labels[1] == ("関西", "関東")
    path.write_text("leaf;region\n奈良;関西\n大阪;関西\n", encoding="utf-8")
    assert Hierarchy.read(path, header=True).labels == (("奈良", "大阪"), ("関西",))


@pytest.mark.parametrize(
    ("name", "shape"),
    [("age", (5, 100)), ("education", (4, 16)), ("native-country", (3, 41)), ("sex", (2, 2))],
)
def test_the_hierarchies_of_adult_are_read(
    real_data: Path, name: str, shape: tuple[int, int]
) -> None:
    path = real_data / "hierarchies" / f"{name}.csv"
    hierarchy = Hierarchy.read(path)
    assert hierarchy.groups.shape == shape
    assert hierarchy.labels[-1] == ("*",)
    assert len(Tree.read(path).leaves) == shape[1]


@given(st.sets(st.integers(-50, 150), min_size=1), st.integers(1, 5), st.integers(2, 4))
def test_intervals_are_nested_and_hold_their_numbers(
    values: set[int], width: int, factor: int
) -> None:
    hierarchy = Hierarchy.intervals(values, widths=(width, width * factor))
    for leaf, group in zip(hierarchy.leaves, hierarchy.groups[1].tolist(), strict=True):
        low = min(
            v for v, g in zip(hierarchy.leaves, hierarchy.groups[1], strict=True) if g == group
        )  # type: ignore[type-var]
        assert 0 <= leaf - low < width  # type: ignore[operator]


def test_intervals_of_fractions_and_cuts() -> None:
    rates = Hierarchy.intervals([0.1, 0.2, 0.3, 0.45], widths=(0.1, 0.2))
    assert rates.labels[1] == ("[0.1, 0.2)", "[0.2, 0.3)", "[0.3, 0.4)", "[0.4, 0.5)")
    ages = Hierarchy.intervals([5, 18, 64, 65], cuts=[(18, 65), (65,)])
    assert ages.labels[1:] == (("<18", "18–64", "≥65"), ("<65", "≥65"), ("*",))


def test_long_numbers_keep_their_digits() -> None:
    hierarchy = Hierarchy.intervals([1234561.5, 1234562.5, 1234568.5, 1234569.5], widths=(1, 4))
    assert hierarchy.groups[1:3].tolist() == [[0, 1, 2, 3], [0, 0, 1, 1]]
    assert hierarchy.labels[2] == ("[1234560, 1234564)", "[1234568, 1234572)")
    cut = Hierarchy.intervals([1000000, 1234566, 1234567], cuts=[[1234567]])
    assert cut.labels[1] == ("<1234567", "≥1234567")


@given(
    st.sets(st.decimals(-2000, 2000, places=6), min_size=1, max_size=40),
    st.sampled_from(["0.000001", "0.00002", "0.005", "0.7", "3"]),
    st.decimals(-1, 1, places=3),
)
def test_decimals_lie_in_the_interval_they_are_said_to_be_in(
    values: set[Decimal], width: str, start: Decimal
) -> None:
    leaves = [float(value) for value in values]
    size = float(width)
    hierarchy = Hierarchy.intervals(leaves, widths=(size, 2 * size, 4 * size), start=float(start))
    for labels, groups in zip(hierarchy.labels[1:4], hierarchy.groups[1:4], strict=True):
        assert len(set(labels)) == len(labels) == groups.max() + 1
        for leaf, group in zip(hierarchy.leaves, groups.tolist(), strict=True):
            low, high = map(Decimal, re.findall(r"-?[0-9.]+", str(labels[group])))
            if "–" not in str(labels[group]):
                assert low <= Decimal(str(leaf)) < high


@pytest.mark.parametrize("settings", [{}, {"widths": (5,), "cuts": ((1,),)}, {"widths": (0,)}])
def test_intervals_need_widths_or_cuts(settings: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(SettingError, match="intervals"):
        Hierarchy.intervals([1, 2], **settings)  # type: ignore[arg-type]


def test_intervals_need_numbers() -> None:
    with pytest.raises(InputError, match="need numbers"):
        Hierarchy.intervals([], widths=(5,))


def test_widths_that_do_not_divide_are_refused() -> None:
    with pytest.raises(InputError, match="not nested"):
        Hierarchy.intervals(range(20), widths=(4, 6))


def test_codes_lose_their_last_characters() -> None:
    hierarchy = Hierarchy.prefixes(["1000", "1001", "2000"])
    assert hierarchy.labels[1:] == (("100*", "200*"), ("10**", "20**"), ("1***", "2***"), ("*",))
    with pytest.raises(SettingError, match="lengths must fall from level to level, between 1 and"):
        Hierarchy.prefixes(["1000"], lengths=(2, 3))


def test_a_tree_becomes_a_hierarchy_and_a_tree_again() -> None:
    tree = Tree({"a": "A", "b": "A", "A": "root", "c": "root"})
    hierarchy = Hierarchy.from_tree(tree)
    assert hierarchy.labels == (("a", "b", "c"), ("A", "c"), ("root",))
    np.testing.assert_array_equal(hierarchy.tree().matrix(tree.nodes), tree.matrix(tree.nodes))


def test_a_label_that_means_two_groups_makes_no_tree() -> None:
    with pytest.raises(InputError, match="more than one parent"):
        Hierarchy.of([("x", "y", "*"), ("y", "z", "*")]).tree()


def test_a_column_is_generalized_and_absent_values_stay_absent() -> None:
    column = Categorical("area", np.array([1, 0, -1, -2]), ("Nara", "Tokyo"), role="key")
    regions = Hierarchy.of(AREAS).generalized(column, 1)
    assert regions.labels == ("Kansai", "Kanto")
    assert regions.codes.tolist() == [1, 0, -1, -2]
    assert regions.role == "key"
    with pytest.raises(SettingError, match="'area' has levels 0 to 2, not 3"):
        Hierarchy.of(AREAS).generalized(column, 3)


def test_numbers_of_a_column_are_found_as_text_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "age.csv"
    path.write_text("30;young;*\n40;old;*\n", encoding="utf-8")
    column = Numeric("age", np.array([40.0, 30.0, np.nan]))
    assert Hierarchy.read(path).generalized(column, 1).codes.tolist() == [1, 0, -1]


def test_categories_that_are_no_leaves_are_counted_not_shown() -> None:
    column = Categorical("area", np.array([0, 1]), ("Nara", "secret"))
    areas = Hierarchy.of(AREAS)
    with pytest.raises(ColumnError, match=r"of 'area' lacks 1 of 2 categories") as caught:
        areas.generalized(column, 1)
    assert "secret" not in str(caught.value) + repr(areas)
    assert areas.lacking(column) == ("secret",)


def test_coordinates_get_a_hierarchy_of_their_own() -> None:
    longitudes = (139.6 + np.random.default_rng(0).random(2000) * 0.01).round(6)
    hierarchy = automatic(Numeric("lon", longitudes))
    assert [labels[0] for labels in hierarchy.labels[1:3]] == [
        "[139.6, 139.6005)",
        "[139.6, 139.601)",
    ]
    tiny = automatic(Numeric("rate", np.arange(33) * 5e-6))
    assert tiny.labels[1][:2] == ("[0, 0.000005)", "[0.000005, 0.00001)")


DAYS = ("2019-12-31", "2020-01-03", "2020-01-20", "2020-02-01")


@pytest.fixture(params=[pa.date32(), pa.timestamp("us"), pa.timestamp("ns")])
def dates(request: pytest.FixtureRequest) -> Column:
    days = pa.array(DAYS).cast(pa.date32()).cast(request.param)
    return sudare.read(pa.table({"day": days}), roles={"day": "key"})["day"]


def test_dates_are_found_as_text_in_a_file(tmp_path: Path, dates: Column) -> None:
    path = tmp_path / "day.csv"
    path.write_text("".join(f"{day};{day[:7]};{day[:4]}\n" for day in DAYS), encoding="utf-8")
    assert declared(dates, path).generalized(dates, 2).labels == ("2019", "2020")
    ways = [[day, day[:4]] for day in DAYS]
    assert declared(dates, {"ways": ways}).generalized(dates, 1).codes.tolist() == [0, 1, 1, 1]


def test_dates_lose_their_last_characters(dates: Column) -> None:
    hierarchy = declared(dates, {"prefixes": [7, 4]})
    assert hierarchy.labels[1] == ("2019-12***", "2020-01***", "2020-02***")


def test_dates_become_months_years_and_decades(dates: Column) -> None:
    hierarchy = declared(dates, None)
    assert hierarchy.leaves == DAYS
    assert hierarchy.labels[1] == ("2019-12", "2020-01", "2020-02")
    assert hierarchy.labels[2:] == (("2019", "2020"), ("*",))


def test_dates_are_cut_at_dates_and_counted_in_days(dates: Column) -> None:
    by_cuts = declared(dates, {"cuts": [["2020-01-01", date(2020, 2, 1)]]})
    assert by_cuts.labels[1] == ("<2020-01-01", "2020-01-01–2020-01-31", "≥2020-02-01")
    weeks = declared(dates, {"widths": [7], "start": "2019-12-30"})
    assert weeks.labels[1][:2] == ("2019-12-30–2020-01-05", "2020-01-20–2020-01-26")
    wrong: list[dict[str, object]] = [{"cuts": [["secret"]]}, {"widths": [0.5]}, {"cuts": [[]]}]
    for declaration in wrong:
        with pytest.raises(SettingError, match="of 'day' is") as caught:
            declared(dates, declaration)
        assert "secret" not in str(caught.value)


def test_times_have_days_above_them() -> None:
    times = pa.array(["2020-01-03 10:00:00", "2020-01-03 00:00:00", "2020-01-20 10:00:00.5"])
    column = sudare.read(pa.table({"time": times.cast(pa.timestamp("us"))}))["time"]
    hierarchy = automatic(column)
    assert hierarchy.leaves == ("2020-01-03", "2020-01-03T10:00:00", "2020-01-20T10:00:00.500000")
    assert hierarchy.labels[1:] == (("2020-01-03", "2020-01-20"), ("*",))
