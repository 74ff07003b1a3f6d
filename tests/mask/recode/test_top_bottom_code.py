import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.mask import TopBottomCode
from sudare.mask.recode.top_bottom_code import shared_bound, tail_bound

counts = st.lists(st.integers(0, 30), min_size=1, max_size=20).filter(lambda c: sum(c) > 0)
GRADES = ("none", "low", "middle", "high", "highest")


def table(values: list[float], weights: list[float] | None = None) -> Microdata:
    columns = [Numeric("x", np.array(values), role="key")]
    if weights:
        columns.append(Numeric("w", np.array(weights), role="weight"))
    return Microdata(tuple(columns))


def coded(data: Microdata, masker: TopBottomCode) -> Floats:
    column = sudare.apply(data, masker).data["x"]
    assert isinstance(column, Numeric)
    return column.values


def grades(codes: list[int]) -> Microdata:
    return Microdata((Categorical("grade", np.array(codes), GRADES, role="key", scale="ordinal"),))


def graded(data: Microdata, masker: TopBottomCode) -> Categorical:
    column = sudare.apply(data, masker).data["grade"]
    assert isinstance(column, Categorical)
    return column


@given(counts, st.floats(0, 0.49))
def test_the_bound_is_the_lowest_that_leaves_no_more_than_the_share(
    sizes: list[int], share: float
) -> None:
    levels = np.array(sizes, float)
    bound = tail_bound(levels, share)
    allowed = share * levels.sum() * (1 + 1e-9)
    assert levels[bound + 1 :].sum() <= allowed
    assert bound == 0 or levels[bound:].sum() > allowed * (1 - 1e-9)


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=40), st.floats(0.001, 0.4))
def test_a_bound_is_a_round_number_next_to_where_the_share_begins(
    values: list[int], share: float
) -> None:
    data = table([float(value) for value in values])
    masker = TopBottomCode(top_share=share, bottom_share=share)
    public = masker.fit(data).step.public["x"]
    after = coded(data, masker)
    assert ((after >= public["bottom"]) & (after <= public["top"])).all()
    levels, sizes = np.unique(values, return_counts=True)
    half = int(np.searchsorted(sizes.cumsum(), len(values) / 2))
    counted = sizes.astype(float)
    exact = float(levels[max(min(tail_bound(counted, share), shared_bound(counted)), half)])
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75], method="inverted_cdf")
    way = max(exact - middle, (high - low) / 4)
    assert -1e-9 <= exact - public["top"] <= 0.1 * way + 1e-9
    assert (np.array(values) > public["top"]).sum() >= (np.array(values) > exact).sum()


def test_few_records_do_not_publish_their_extremes() -> None:
    numbers = [31_234.0, 41_877.0, 42_000.0, 43_000.0, 52_310.0, 61_000.0, 987_654.0]
    public = TopBottomCode().fit(table(numbers)).step.public["x"]
    assert public == {"bottom": 42_000, "top": 52_000}


def test_a_bound_near_the_median_is_no_more_precise_than_others() -> None:
    numbers = list(np.random.default_rng(1).normal(1234, 100, 99))
    public = TopBottomCode(top_share=0.499, bottom_share=0.499).fit(table(numbers)).step.public["x"]
    assert public["bottom"] == public["top"]
    assert public["top"] % 2 == 0  # a quarter of the distance of the quartiles is some 30


@given(st.lists(st.integers(-1000, 1000), min_size=6, max_size=40))
def test_three_records_reach_a_bound_that_was_found(values: list[int]) -> None:
    after = coded(table([float(value) for value in values]), TopBottomCode())
    assert (after == after.max()).sum() >= 3
    assert (after == after.min()).sum() >= 3


def test_a_share_of_nothing_codes_nothing() -> None:
    masker = TopBottomCode(top_share=0.0)
    assert masker.fit(table([1, 2, 50])).step.public["x"] == {"bottom": None, "top": None}
    assert coded(table([1, 2, 50]), masker).tolist() == [1, 2, 50]


@given(st.lists(st.floats(-100, 100), min_size=8, max_size=40), st.floats(0.01, 0.4))
def test_means_of_tails_keep_the_total_up_to_their_rounding(
    values: list[float], share: float
) -> None:
    data = table(values)
    masker = TopBottomCode(top_share=share, bottom_share=share, beyond="mean")
    public = masker.fit(data).step.public["x"]
    before, after = np.array(values), coded(data, masker)
    for tail in (before > public["top"], before < public["bottom"]):
        if tail.sum() >= 3:
            far = max(abs(before[tail] - np.median(before)))
            assert after[tail].mean() == pytest.approx(before[tail].mean(), abs=0.11 * far + 1e-6)


def test_by_hand_bounds_are_given_or_found() -> None:
    data = table([1, 2, 3, 4, 50, np.nan])
    assert coded(data, TopBottomCode(top=4)).tolist()[:5] == [1, 2, 3, 4, 4]
    assert coded(data, TopBottomCode(bottom={"x": 2.5})).tolist()[:5] == [2.5, 2.5, 3, 4, 50]
    assert coded(data, TopBottomCode(top_share=0.4)).tolist()[:5] == [1, 2, 3, 3, 3]


def test_a_tail_of_one_or_two_records_never_shows_its_mean() -> None:
    data = table([1, 2, 3, 40, 50])
    assert coded(data, TopBottomCode(top=3, beyond="mean")).tolist() == [1, 2, 3, 3, 3]
    data = table([1, 2, 30, 40, 50])
    assert coded(data, TopBottomCode(top=3, beyond="mean")).tolist() == [1, 2, 40, 40, 40]


def test_weights_decide_shares_and_means_where_they_count() -> None:
    data = table([1, 2, 3, 4, 5], [1, 1, 1, 1, 6])
    masker = TopBottomCode(top_share=0.4, weighted=True)
    assert coded(data, masker).tolist() == [1, 2, 3, 3, 3]  # three records reach a bound
    heavy = table([1, 2, 3, 4, 5, 5, 5], [1, 1, 1, 1, 2, 2, 2])
    assert coded(heavy, masker).tolist() == [1, 2, 3, 4, 5, 5, 5]
    data = table([0, 1, 2, 3], [1, 2, 1, 1])
    masker = TopBottomCode(top=0, beyond="mean", weighted=True)
    assert coded(data, masker).tolist() == [0, 1.8, 1.8, 1.8]


def test_the_mean_of_a_tail_is_not_the_number_of_the_one_who_has_its_weight() -> None:
    masker = TopBottomCode(top=100, beyond="mean", weighted=True)
    data = table([0, 10, 100, 500, 600, 4000], [1, 1, 1, 0, 0, 1])
    assert coded(data, masker)[-1] == 2200  # (500 / 2 + 600 / 2 + 4000) / 2, rounded
    none = table([0, 10, 100, 500, 600, 4000], [1, 1, 1, 0, 0, 0])
    assert coded(none, masker).tolist() == [0, 10, 100, 100, 100, 100]


def test_numbers_become_ordered_categories_when_labels_are_asked_for() -> None:
    column = sudare.apply(table([1, 5, 5, 8, 9]), TopBottomCode(top=7, bottom=2, beyond="label"))
    after = column.data["x"]
    assert isinstance(after, Categorical)
    assert (after.labels, after.codes.tolist()) == (("≤ 2", 5, "≥ 7"), [0, 1, 1, 2, 2])
    assert after.scale == "ordinal"


def test_a_label_never_shows_what_lies_beyond_the_bound() -> None:
    after = sudare.apply(table([1, 5, 9]), TopBottomCode(top=7, beyond="label")).data["x"]
    assert isinstance(after, Categorical)
    assert after.labels == (1, 5, "≥ 7")
    same = sudare.apply(table([1, 5]), TopBottomCode(top=7, beyond="label")).data["x"]
    assert isinstance(same, Categorical)
    assert same.labels == (1, 5)


def test_ordinal_categories_are_coded_in_their_order() -> None:
    data = grades([0, 1, 2, 3, 4, -1, -2])
    assert graded(data, TopBottomCode(top="high")).codes.tolist() == [0, 1, 2, 3, 3, -1, -2]
    after = graded(data, TopBottomCode(top="high", bottom="low", beyond="label"))
    assert after.labels == ("≤ low", "middle", "≥ high")
    assert after.codes.tolist() == [0, 0, 1, 2, 2, -1, -2]


def test_without_any_setting_one_percent_is_coded_at_each_end() -> None:
    after = coded(table(list(range(200))), TopBottomCode())
    assert (after.min(), after.max()) == (5, 195)


def test_what_makes_no_sense_is_refused(toy: Microdata) -> None:
    with pytest.raises(SettingError, match="lies above its top"):
        TopBottomCode(top={"age": 10}, bottom={"age": 20}).fit(toy)
    with pytest.raises(SettingError, match="must be a number for numbers"):
        TopBottomCode(top={"age": "old"}).fit(toy)
    with pytest.raises(SettingError, match="one of its labels"):
        TopBottomCode(top={"education": "kindergarten"}).fit(toy)
    with pytest.raises(SettingError, match="have no mean"):
        TopBottomCode(top={"education": "college"}, beyond="mean").fit(toy)
    with pytest.raises(sudare.errors.ColumnError, match="numbers or ordered categories"):
        TopBottomCode(columns=("sex",)).fit(toy)


def test_a_plan_with_labels_masks_a_part_as_the_whole(toy: Microdata) -> None:
    plan = TopBottomCode(top_share=0.1, beyond="label", columns=("age", "education")).fit(toy)
    part = np.arange(30)
    assert plan.transform(toy.take(part)).equals(plan.transform(toy).take(part))
