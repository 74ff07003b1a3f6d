"""Cards: natural order, small counts hidden, identifiers without values."""

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Microdata, Numeric
from sudare.describe import Card, cards


def card(data: Microdata, name: str, *, unlocked: bool = False) -> Card:
    return next(c for c in cards(data, unlocked=unlocked) if c.name == name)


def counted(counts: dict[str, int]) -> Microdata:
    codes = np.repeat(np.arange(len(counts)), list(counts.values()))
    return Microdata((Categorical("group", codes, tuple(counts)),))


@pytest.fixture(scope="module")
def survey() -> Microdata:
    return sudare.datasets.survey_like(3_000, seed=1, persons=True)


def test_labels_stand_in_their_natural_order(survey: Microdata) -> None:
    labels = [bar.label for bar in card(survey, "年齢５歳階級").bars]
    assert labels[:3] == ["0～4歳", "5～9歳", "10～14歳"]
    assert labels[-1] == "85歳以上"


def test_small_counts_are_hidden_and_do_not_follow_from_the_total() -> None:
    data = counted({"a": 500, "b": 47, "c": 3})
    assert [bar.count for bar in card(data, "group").bars] == ["500", "40–49", "<10"]
    lengths = [bar.length for bar in card(data, "group").bars]
    assert lengths[1] == pytest.approx(40 / 500)
    assert [bar.count for bar in card(data, "group", unlocked=True).bars] == ["500", "47", "3"]


@pytest.mark.parametrize("count", [9, 10])
def test_ten_is_the_least_count_that_is_shown(count: int) -> None:
    bars = card(counted({"a": 100, "b": count}), "group").bars
    assert bars[1].count == ("<10" if count < 10 else "10")


def test_identifiers_have_no_distribution(survey: Microdata) -> None:
    for name in ("氏名", "電話番号", "世帯番号"):
        assert card(survey, name).bars == ()
    html = cards(survey)._repr_html_()
    assert "example.jp" not in html
    assert "青木" not in html


def test_numbers_are_shown_in_round_classes() -> None:
    data = Microdata((Numeric("income", np.arange(1.0, 1_001.0)),))
    bars = card(data, "income").bars
    assert [bar.label for bar in bars] == [
        f"{low} – {low + 100}" for low in range(0, 1_000, 100)
    ] + ["1000 – 1100"]
    assert bars[-1].count == "<10"


def test_codes_are_shown_as_labels(survey: Microdata) -> None:
    assert [bar.label for bar in card(survey, "性別コード").bars] == ["1", "2"]


def test_filters_twins_and_sums_are_explained(survey: Microdata) -> None:
    assert "were not asked" in " ".join(card(survey, "産業大分類").notes)
    assert "'性別'" in " ".join(card(survey, "性別コード").notes)
    assert "'性別コード'" in " ".join(card(survey, "性別").notes)
    assert "sum" in " ".join(card(survey, "実収入（千円）").notes)


def test_at_most_three_partners_that_are_no_twins(survey: Microdata) -> None:
    for column in cards(survey):
        assert len(column.partners) <= 3
        assert not {"氏名", "電話番号", "世帯番号"} & {partner.name for partner in column.partners}
    assert "性別コード" not in {partner.name for partner in card(survey, "性別").partners}


def test_columns_without_values_have_a_card() -> None:
    data = Microdata((Numeric("a", np.full(5, np.nan)), Categorical("b", np.full(5, -1), ())))
    assert [card.bars for card in cards(data)] == [(), ()]
    assert cards(data)[0].missing == 5


def test_html_is_escaped() -> None:
    assert "<script>" not in cards(counted({"<script>": 20, "b": 30}))._repr_html_()
