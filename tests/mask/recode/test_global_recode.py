from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.mask.recode.global_recode import GlobalRecode, Parts, merge_neighbors, merge_rare

counts = st.lists(st.integers(0, 40), min_size=1, max_size=25).filter(lambda c: sum(c) > 0)
shares = st.floats(0.001, 0.6)


def plain_merge(sizes: list[int], labels: list[str], min_share: float) -> list[Parts]:
    """The procedure of the paper's figure 1, step by step and slowly."""
    table: list[tuple[int, str, Parts]] = [
        (size, label, (code,)) for code, (size, label) in enumerate(zip(sizes, labels, strict=True))
    ]
    threshold = sum(sizes) * min_share
    while True:
        table.sort()
        if len(table) == 1 or table[0][0] > threshold:
            return sorted(tuple(sorted(parts)) for _, _, parts in table)
        tied = [row for row in table if row[0] == table[0][0]]
        merged = tied if len(tied) > 1 else table[:2]
        rest = [row for row in table if row not in merged]
        joined = (
            sum(row[0] for row in merged),
            min(row[1] for row in merged),
            tuple(code for row in merged for code in row[2]),
        )
        table = [*rest, joined]


@given(counts, shares)
def test_merging_follows_the_papers_figure(sizes: list[int], min_share: float) -> None:
    labels = [f"c{code:02d}" for code in range(len(sizes))]
    assert merge_rare(np.array(sizes), labels, min_share) == plain_merge(sizes, labels, min_share)


@given(counts, shares)
def test_every_category_exceeds_the_share_or_one_is_left(sizes: list[int], share: float) -> None:
    labels = [str(code) for code in range(len(sizes))]
    for merged in (
        merge_rare(np.array(sizes), labels, share),
        merge_neighbors(np.array(sizes, float), share),
    ):
        assert sorted(code for parts in merged for code in parts) == list(range(len(sizes)))
        smallest = min(sum(sizes[code] for code in parts) for parts in merged)
        assert len(merged) == 1 or smallest > Fraction(share) * sum(sizes) * (
            1 - Fraction(1, 2**50)
        )


@given(counts, shares)
def test_neighbours_only_are_merged_in_an_ordinal_variable(sizes: list[int], share: float) -> None:
    for parts in merge_neighbors(np.array(sizes, float), share):
        assert list(parts) == list(range(parts[0], parts[-1] + 1))


def plain_neighbors(sizes: list[int], min_share: float) -> list[Parts]:
    """The rarest joins its smaller neighbor, searched again each time."""
    runs: list[Parts] = [(code,) for code in range(len(sizes))]
    held = list(sizes)
    while len(held) > 1 and min(held) <= sum(sizes) * min_share:
        rarest = held.index(min(held))
        near = [other for other in (rarest - 1, rarest + 1) if 0 <= other < len(held)]
        lower, upper = sorted((rarest, min(near, key=lambda other: (held[other], other))))
        held[lower : upper + 1] = [held[lower] + held[upper]]
        runs[lower : upper + 1] = [runs[lower] + runs[upper]]
    return runs


@given(counts, shares)
def test_the_rarest_joins_its_smaller_neighbour(sizes: list[int], share: float) -> None:
    assert merge_neighbors(np.array(sizes, float), share) == plain_neighbors(sizes, share)


def test_a_label_joined_from_too_many_is_refused() -> None:
    names = [f"person {number:05d}" for number in range(5000)]
    data = sudare.read(pl.DataFrame({"name": names}), roles={"name": "key"})
    with pytest.raises(ColumnError, match="'name' has 5000 rare categories, whose joined label"):
        sudare.apply(data, GlobalRecode(min_share=0.01))


def industries() -> sudare.Microdata:
    names = {"農業": 5, "林業": 2, "サービス業": 30, "不動産業": 13, "製造業": 50}
    values = [name for name, count in names.items() for _ in range(count)]
    return sudare.read(pl.DataFrame({"産業": values}), roles={"産業": "key"})


def test_table_2_of_the_paper_comes_out() -> None:
    masked = GlobalRecode(min_share=0.03).fit(industries()).transform(industries())
    counted = pl.Series(masked.to_frame()["産業"]).value_counts()  # type: ignore[index]
    assert dict(counted.iter_rows()) == {
        "農業・林業": 7,
        "サービス業": 30,
        "不動産業": 13,
        "製造業": 50,
    }


def test_the_separator_is_a_setting() -> None:
    plan = GlobalRecode(min_share=0.03, separator=" / ").fit(industries())
    masked = plan.transform(industries())["産業"]
    assert isinstance(masked, Categorical)
    assert "農業 / 林業" in masked.labels


def test_shares_can_be_given_by_column(toy: sudare.Microdata) -> None:
    plan = GlobalRecode(min_share={"region": 0.1}).fit(toy)
    assert plan.step.columns == ("region",)
    with pytest.raises(SettingError, match="no number for column 'sex'"):
        GlobalRecode(min_share={"region": 0.1}, columns=("sex",)).fit(toy)


@pytest.mark.parametrize("min_share", [0.0, 1.0, -0.1, 1.5])
def test_shares_that_make_no_sense_are_refused(min_share: float) -> None:
    with pytest.raises(SettingError, match="min_share must be above 0 and below 1"):
        GlobalRecode(min_share=min_share)


def test_neighbours_can_be_named_by_their_range() -> None:
    ages = sudare.datasets.toy().assigning(scales={"age": "ordinal"})
    recoded = GlobalRecode(min_share=0.2, columns=("age",), ranges=True).fit(ages).transform(ages)
    column = recoded["age"]
    assert isinstance(column, Categorical)
    assert column.labels[0] == f"{ages['age'].coded.labels[0]}–{_last_of_first(ages, column)}"
    assert all("–" in str(label) for label in column.labels)


def _last_of_first(ages: sudare.Microdata, recoded: Categorical) -> object:
    old = ages["age"].coded
    return old.labels[int(old.codes[recoded.codes == 0].max())]


def test_a_plan_masks_new_records_with_the_same_labels_only(toy: sudare.Microdata) -> None:
    plan = GlobalRecode(min_share=0.1, columns=("region",)).fit(toy)
    part = toy.take(np.arange(10))
    assert plan.transform(part).equals(plan.transform(toy).take(np.arange(10)))


def test_a_given_map_is_followed_and_other_labels_stay() -> None:
    masker = GlobalRecode(maps={"産業": {"農業": "一次", "林業": "一次"}})
    masked = masker.fit(industries()).transform(industries())["産業"]
    assert isinstance(masked, Categorical)
    assert set(masked.labels) == {"一次", "サービス業", "不動産業", "製造業"}
    assert int((masked.codes == masked.labels.index("一次")).sum()) == 7


def test_a_map_of_labels_that_are_not_there_is_refused() -> None:
    with pytest.raises(SettingError, match="map of column '産業' has 1 label that does"):
        GlobalRecode(maps={"産業": {"鉱業": "二次"}}).fit(industries())


def test_merged_categories_can_have_a_name_that_tells_none_of_them() -> None:
    codes = np.repeat(np.arange(6), [40, 40, 2, 1, 3, 1]).astype(np.int32)
    labels = ("a", "b", "e", "f", "g", "zork")
    data = Microdata((Categorical("town", codes, labels, role="key"),))
    masker = GlobalRecode(min_share=0.05, merged_label="other")
    for name, expected in (("other", "other"), ("a", "a 2")):
        named = GlobalRecode(min_share=0.05, merged_label=name)
        assert sudare.apply(data, named).data["town"].coded.labels[-1] == expected
    steps = [sudare.apply(data, own) for own in (GlobalRecode(min_share=0.05), masker)]
    notes = [sudare.release.gate(data, m.data, m.steps).of_kind("recipe-values") for m in steps]
    assert [(f.columns, f.count, f.severity) for f in notes[0]] == [(("town",), 4, "note")]
    assert not notes[1]
