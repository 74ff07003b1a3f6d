"""Recoding by hand: what the page counts is what the command line gives."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.catalog import masker
from sudare.core import Categorical, SettingError
from sudare.workbench.recoding import (
    ColumnRecoding,
    grouped,
    hierarchy_view,
    pasted,
    recode_view,
    recoded_entries,
    recoded_steps,
    recoding_of,
)
from sudare.workbench.tables import KeyGroups, TableCounts, uniques_without
from sudare.workbench.tables.table_counts import combined

KEYS = ("sex", "age", "region", "education")


def built(steps: list[dict[str, Any]]) -> list[Any]:
    return [
        masker(step["method"], {k: v for k, v in step.items() if k != "method"}) for step in steps
    ]


def test_counts_of_the_page_are_those_of_the_masked_table(toy: sudare.Microdata) -> None:
    steps = recoded_steps([], "age", ColumnRecoding(cuts=(30, 60)))
    first, second, *_ = (str(label) for label in toy["region"].coded.labels)
    merged = ColumnRecoding().merged([first, second], "both", [first, second])
    steps = recoded_steps(steps, "region", merged)
    masked = sudare.apply(toy, built(steps), seed=0).data
    live = recoded_entries(combined(toy, KEYS), steps)
    expected = KeyGroups.of(masked, KEYS)
    groups = KeyGroups.of(live, KEYS)
    assert groups.sizes.tolist() == expected.sizes.tolist()
    assert groups.groups.tolist() == expected.groups.tolist()
    assert groups.uniques == round(sudare.risk.Uniques(columns=KEYS)(masked).value * toy.rows)


def test_without_a_key_as_many_stand_alone_as_the_measure_says(toy: sudare.Microdata) -> None:
    without = uniques_without(combined(toy, KEYS), KEYS)
    for left_out, alone in without.items():
        rest = tuple(name for name in KEYS if name != left_out)
        assert alone == round(sudare.risk.Uniques(columns=rest)(toy).value * toy.rows)


@given(st.sets(st.sampled_from(KEYS), min_size=1))
def test_combinations_are_the_same_from_the_table_and_from_its_counts(names: set[str]) -> None:
    toy = sudare.datasets.toy()
    counts = TableCounts(toy.rows, toy.take(np.arange(0)), toy, combined(toy, KEYS), {})
    chosen = sorted(names)
    direct = KeyGroups.of(toy, chosen)
    assert KeyGroups.of(counts.counted(chosen), chosen).groups.tolist() == direct.groups.tolist()


def test_a_recoding_is_read_back_and_leaves_other_steps_alone() -> None:
    others = [{"method": "pram", "retain": 0.9}, {"method": "global-recode", "min_share": 0.1}]
    ends = ColumnRecoding(top=80, bottom=10)
    steps = recoded_steps(others, "age", ends)
    assert recoding_of(steps, "age") == ends
    steps = recoded_steps(steps, "area", ColumnRecoding({"a": "ab", "b": "ab"}))
    assert recoding_of(steps, "age") == ends
    assert steps[-2:] == others
    steps = recoded_steps(steps, "age", ColumnRecoding(cuts=(20,)))
    assert recoding_of(steps, "age") == ColumnRecoding(cuts=(20,))
    for column in ("age", "area"):
        steps = recoded_steps(steps, column, ColumnRecoding())
    assert steps == others


def test_steps_that_draw_or_look_further_are_not_counted(toy: sudare.Microdata) -> None:
    entries = combined(toy, KEYS)
    steps: list[dict[str, Any]] = [
        {"method": "pram", "columns": ["sex"]},
        {"method": "local-suppression", "k": 3},
    ]
    assert recoded_entries(entries, steps) is entries


def areas() -> Categorical:
    return Categorical("area", np.array([0, 1, 2, 2]), ("Nara", "Osaka", "Tokyo"))


def test_bars_tell_small_counts_apart_only_where_values_are_shown() -> None:
    codes = np.repeat([0, 1, 2, 3], [43, 7, 2, 15])
    column = Categorical("area", codes, ("a", "b", "c", "d"))
    bars = recode_view(column, []).classes
    assert [shown.count for shown in bars] == ["43", "<10", "<10", "10–19"]
    assert [shown.length for shown in bars] == [1, 5 / 40, 5 / 40, 10 / 40]
    bars = recode_view(column, [], unlocked=True).classes
    assert [shown.count for shown in bars] == ["43", "7", "2", "15"]
    assert [shown.length for shown in bars] == [1, 7 / 43, 2 / 43, 15 / 43]
    numbers = recode_view(sudare.datasets.toy(40)["age"], []).histogram
    assert len({shown.length for shown in numbers if shown.count == "<10"}) == 1


def test_a_hierarchy_grows_by_groups_and_says_what_it_lacks() -> None:
    column = areas()
    bare = hierarchy_view(column, None)
    assert bare.levels == (3, 1)
    kansai = grouped(bare.ways, ["Nara", "Osaka"], "Kansai", 1)
    view = hierarchy_view(column, kansai)
    assert view.levels == (3, 2, 1)
    assert [(root.label, root.leaves) for root in view.roots] == [("Kansai", 2), ("Tokyo", 1)]
    assert hierarchy_view(column, pasted("Nara\tKansai\nOsaka\tKansai")).lacking == 1
    with pytest.raises(SettingError, match="choose categories"):
        grouped(bare.ways, [], "Kansai", 1)
    with pytest.raises(SettingError, match="no such level"):
        grouped(bare.ways, ["Nara"], "Kansai", 7)


def column_of(counts: list[int]) -> Categorical:
    """A column whose labels occur so often."""
    labels = tuple(f"label {number}" for number in range(len(counts)))
    copies = np.array(counts, np.int64)
    return Categorical("area", np.arange(len(counts), dtype=np.int32), labels, copies=copies)


@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 9)), min_size=2, max_size=8),
    st.data(),
)
def test_no_merging_tells_a_count_that_is_hidden(
    counts: list[tuple[int, int]], data: st.DataObject
) -> None:
    first = [count for count, _ in counts]
    second = [count if count >= 10 else other for count, other in counts]
    labels = [f"label {number}" for number in range(len(counts))]
    merged = data.draw(st.lists(st.sampled_from(labels), min_size=2, unique=True))
    steps = recoded_steps([], "area", ColumnRecoding().merged(merged, "merged", labels))
    views = [recode_view(column_of(counted), steps) for counted in (first, second)]
    assert views[0].classes == views[1].classes


def test_a_merged_class_tells_the_bounds_of_its_count() -> None:
    merged = ColumnRecoding().merged(["label 1", "label 2"], "both", ["label 1", "label 2"])
    steps = recoded_steps([], "area", merged)
    view = recode_view(column_of([195, 200, 5]), steps)
    assert {shown.label: shown.count for shown in view.classes} == {
        "label 0": "190–199",
        "both": "201–209",
    }
    shown = recode_view(column_of([195, 200, 5]), steps, unlocked=True).classes
    assert sorted(bar.count for bar in shown) == ["195", "205"]
