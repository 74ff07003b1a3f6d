"""Kinds of proposals, one by one, and the edges."""

import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sudare
from sudare.core import Categorical, Microdata, Numeric, speaking
from sudare.describe import Derivation, Filter, Proposal, problems, proposals, suspicions
from sudare.describe.proposing.facts import plain_text
from sudare.describe.proposing.values.label_orders import label_order


def only(data: Microdata, what: str) -> dict[str, Proposal]:
    return {p.column: p for p in proposals(data) if p.what == what}


def labels(name: str, texts: list[str | None]) -> Categorical:
    known = sorted({text for text in texts if text is not None})
    codes = np.array([known.index(text) if text is not None else -1 for text in texts])
    return Categorical(name, codes, tuple(known))


@pytest.fixture(scope="module")
def survey() -> Microdata:
    return sudare.datasets.survey_like(20_000, seed=1)


def test_every_column_has_one_role_and_one_scale(survey: Microdata) -> None:
    proposed = proposals(survey)
    for what in ("role", "scale"):
        assert [p.column for p in proposed if p.what == what] == list(survey.names)
    assert all(0 <= p.confidence <= 1 and p.reason for p in proposed)


def test_codes_and_labels_are_twins_and_slips_are_counted(survey: Microdata) -> None:
    twins = only(survey, "twin")
    assert twins["性別コード"].value == "性別"
    assert twins["性別コード"].evidence["differing"] == 0
    slips = twins["産業大分類コード"]
    assert 0 < slips.evidence["differing"] < 20
    assert str(slips.evidence["differing"]) in slips.reason


def test_a_coarser_column_is_a_twin_of_the_finer_one(survey: Microdata) -> None:
    twin = only(survey, "twin")["都道府県"]
    assert twin.value == "地域ブロック"
    assert (twin.evidence["categories"], twin.evidence["partner_categories"]) == (47, 8)


def test_independent_columns_are_no_twins() -> None:
    rng = np.random.default_rng(1)
    columns = [Categorical(f"v{i}", rng.integers(0, 4, 5_000), tuple("abcd")) for i in range(6)]
    rare = (rng.random(5_000) < 0.001).astype(int)
    assert not only(Microdata((*columns, Categorical("rare", rare, ("n", "y")))), "twin")


def test_filter_questions_name_the_column_and_the_answers(survey: Microdata) -> None:
    filters = only(survey, "filter")
    assert filters["産業大分類"].value == Filter("就業状態", ("有業者",))
    assert filters["就業希望の有無"].value == Filter("就業状態", ("無業者",))
    decided = filters["就業状態"].value
    assert isinstance(decided, Filter)
    assert decided.column == "年齢５歳階級"
    assert len(decided.answers) == 15
    assert only(survey, "not_applicable")["産業大分類"].value == ("",)


def test_scattered_blanks_are_no_filter() -> None:
    rng = np.random.default_rng(2)
    sex = Categorical("sex", rng.integers(0, 2, 3_000), ("female", "male"))
    answer = rng.integers(0, 3, 3_000)
    answer[rng.random(3_000) < 0.3] = -1
    assert not only(Microdata((sex, Categorical("q1", answer, tuple("abc")))), "filter")


def test_sums_differences_and_ratios_are_derived() -> None:
    rng = np.random.default_rng(3)
    a, b, c, d = np.round(rng.lognormal(3, 1, (4, 300)), 2)
    made = {"abc": a + b + c, "gap": a - b, "rate": np.round(c / d, 3)}
    columns = {"a": a, "b": b, "c": c, "d": d, **made, "free": rng.normal(5, 1, 300)}
    data = Microdata(tuple(Numeric(name, values) for name, values in columns.items()))
    derived = {name: p.value for name, p in only(data, "derived").items()}
    assert derived == {
        "abc": Derivation("sum", ("a", "b", "c")),
        "gap": Derivation("difference", ("a", "b")),
        "rate": Derivation("ratio", ("c", "d")),
    }


@pytest.mark.parametrize(
    "ordered",
    [
        ["15歳未満", "15～19歳", "20～24歳", "100歳以上"],
        ["収入なし", "100万円未満", "100～199万円", "1000～1499万円", "1億円以上"][1:],
        ["１人", "２人", "３人", "１０人以上"],
        ["<20", "20-39", "40-59", "60+"],
        ["18 - 34", "35 - 64", "65 and up"],
        ["less than 10 hours", "10 to 19 hours", "20 hours or more"],
        ["小学校", "中学校", "高校", "短大", "大学", "大学院"],
        ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
        ["要支援1", "要支援2", "要介護1", "要介護5"],
        ["1 よくない", "2 ふつう", "3 よい"],
        ["日帰り", "1泊", "2泊", "3泊以上"],
        ["35時間未満", "35時間以上"],
        ["30分未満", "30分～1時間未満", "1時間以上"],
        ["5分未満", "5～59分", "1時間以上"],
        ["所得なし", "300万円未満", "300～499万円", "1000万円以上"],
        ["なし", "1回", "2回以上"],
        ["使わない", "1,000円未満", "1,000円以上 3,000円未満", "3,000円以上"],
    ],
)
def test_orders_are_read_from_labels(ordered: list[str]) -> None:
    texts = [plain_text(label) for label in sorted(ordered)]
    order = label_order(texts)
    assert order is not None
    assert [texts[position] for position in order] == [plain_text(label) for label in ordered]


@pytest.mark.parametrize(
    "texts", [["a1", "a2", "b1"], ["01", "02", "03"], ["red", "green", "blue"], ["yes", "no"]]
)
def test_labels_without_an_order_have_none(texts: list[str]) -> None:
    assert label_order(texts) is None


@pytest.mark.parametrize(
    ("texts", "role"),
    [
        ([f"user{i}@example.jp" for i in range(30)], "identifier"),
        ([f"03-1234-{i:04d}" for i in range(30)], "identifier"),
        ([f"{i:03d}-0001" for i in range(30)], "key"),
        ([f"東京都架空区{i}丁目{i}番" for i in range(1, 31)], "identifier"),
        (["佐藤 恵", "鈴木 一", "高橋 葵", "田中 翔", "伊藤 誠", "山本 愛"] * 5, "identifier"),
        (["男", "女"] * 15, "key"),
        (["東京都", "大阪府", "京都府"] * 10, "key"),
    ],
)  # fmt: skip
def test_values_tell_where_headings_do_not(texts: list[str | None], role: str) -> None:
    data = Microdata((labels("x9", texts), Numeric("one", np.ones(30))))
    assert only(data, "role")["x9"].value == role


def test_individual_numbers_need_their_check_digit() -> None:
    numbers = sudare.datasets.survey_like(50, seed=1, persons=True)["個人番号"].coded.labels
    wrong = [f"{str(number)[:11]}{(int(str(number)[11]) + 1) % 10}" for number in numbers]
    good = Microdata((labels("x", [str(number) for number in numbers]),))
    bad = Microdata((labels("x", list(wrong)),))
    assert "national number" in only(good, "role")["x"].reason
    assert "national number" not in only(bad, "role")["x"].reason


def test_written_numbers_and_dates_are_proposed_with_their_rule() -> None:
    amounts = labels("amount", [f" {n:,} " for n in range(900, 1_100)])
    era = labels("x", [f"平成{n % 20 + 2}年{n % 12 + 1}月1日" for n in range(200)])
    data = Microdata((amounts, era))
    assert only(data, "number")["amount"].value == (
        "blanks removed",
        "separators of thousands removed",
    )
    assert only(data, "date")["x"].value == "japanese"


def test_dates_of_eras_that_cannot_all_be_read_are_proposed_with_doubt() -> None:
    texts = [f"平成{n % 20 + 2}年{n % 12 + 1}月1日" for n in range(200)]
    era = labels("x", [*texts, "令和1年1月1日"])  # before the era began
    date = only(Microdata((era,)), "date")["x"]
    assert date.confidence < 0.5  # a comment in a new project
    assert date.evidence["strays"] == 1


def test_words_for_no_answer_do_not_keep_numbers_from_being_seen() -> None:
    data = Microdata((labels("amount", ["1,200", "n/a", "３００", "400"] * 20),))
    number = only(data, "number")["amount"]
    assert number.value == (
        "full-width characters read as plain ones",
        "separators of thousands removed",
    )
    assert number.evidence["strays"] == 0
    assert only(data, "missing")["amount"].value == ("n/a",)


def test_joined_words_for_no_answer_are_one() -> None:
    texts: list[str | None] = ["はい", "いいえ", "分からない/無回答", "n/a", "はい/いいえ"]
    words = only(Microdata((labels("意向", texts * 5),)), "missing")["意向"].value
    assert isinstance(words, tuple)
    assert set(words) == {"分からない/無回答", "n/a"}


def test_numbers_with_stray_words_say_how_many() -> None:
    texts: list[str | None] = [f"{n:,}" for n in range(1_000, 1_060)]
    data = Microdata((labels("amount", [*texts, "about ten"]),))
    assert only(data, "number")["amount"].evidence["strays"] == 1


def test_codes_for_no_answer_stand_apart() -> None:
    ages = np.r_[np.arange(20.0, 80.0), 999.0]
    data = Microdata((Numeric("age", ages), Numeric("v", np.r_[np.arange(60.0), -9.0])))
    assert {name: p.value for name, p in only(data, "missing").items()} == {
        "age": ("999",),
        "v": ("-9",),
    }


def test_one_column_is_the_weight() -> None:
    data = Microdata((Numeric("乗率2", np.ones(9)), Numeric("乗率", np.ones(9) * 2)))
    second, first = only(data, "role").values()
    assert (second.value, first.value) == ("other", "weight")
    assert "'乗率' is proposed" in second.reason
    assert "so does that of 乗率2" in first.reason


def test_days_as_excel_counts_them_are_told() -> None:
    days = np.arange(9) * 900.0 + 30_000
    data = Microdata((Numeric("異動日", days), Numeric("金額", days)))
    assert {name: p.value for name, p in only(data, "date").items()} == {"異動日": "serial"}
    assert [p.columns for p in problems(data) if "Excel" in p.cause] == [("異動日",)]


def test_a_code_takes_the_role_of_its_label() -> None:
    codes = np.arange(60) % 3
    label = Categorical("region", codes, ("北海道", "東京都", "大阪府"))
    assert only(Microdata((Numeric("v1", codes), label)), "role")["v1"].value == "key"


def test_reasons_and_repr_have_no_values() -> None:
    data = sudare.datasets.survey_like(2_000, seed=1, persons=True)
    texts = [column for column in data.columns if isinstance(column, Categorical)]
    values = {str(label) for c in texts for label in c.labels if len(str(label)) > 3}
    shown = [text for p in proposals(data) for text in (p.reason, repr(p))]
    assert not [value for value in values if any(value in text for text in shown)][:3]


def test_reasons_are_in_the_current_language(survey: Microdata) -> None:
    with speaking("ja"):
        reasons = [p.reason for p in proposals(survey)]
    assert all(any(ord(sign) > 0x3000 for sign in reason) for reason in reasons)
    assert not [reason for reason in reasons if "its " in reason]


def test_an_empty_table() -> None:
    data = Microdata((Numeric("age", np.zeros(0)), Categorical("sex", np.zeros(0, int), ())))
    assert [p.value for p in only(data, "constant").values()] == [True, True]


def test_one_column_and_one_record() -> None:
    assert len(proposals(Microdata((Numeric("age", np.array([5.0])),)))) == 3


def test_columns_without_values() -> None:
    empty = Microdata(
        (Numeric("age", np.full(50, np.nan)), Categorical("sex", np.full(50, -1), ()))
    )
    assert {p.what for p in proposals(empty)} == {"role", "scale", "constant"}


@pytest.mark.parametrize("kind", ["labels", "numbers", "blanks"])
def test_ten_times_the_columns_take_about_ten_times_as_long(kind: str) -> None:
    rng = np.random.default_rng(4)

    def table(size: int) -> Microdata:
        if kind == "numbers":
            return Microdata(tuple(Numeric(f"v{i}", rng.normal(size=40)) for i in range(size)))
        low = -1 if kind == "blanks" else 0
        codes = rng.integers(low, 4, (size, 40))
        return Microdata(tuple(Categorical(f"v{i}", c, tuple("abcd")) for i, c in enumerate(codes)))

    def cpu(size: int) -> float:
        data = table(size)
        start = time.process_time()
        proposals(data)
        return time.process_time() - start

    cpu(50)
    assert cpu(2_000) < 30 * max(cpu(200), 0.05)


def test_many_columns_alike_are_not_compared_each_with_each() -> None:
    same = np.arange(40) % 5
    data = Microdata(tuple(Categorical(f"v{i}", same, tuple("abcde")) for i in range(2_000)))
    twins = [p for p in proposals(data) if p.what == "twin"]
    assert len(twins) == 1_999  # each with the first


def test_long_texts_have_no_form_and_cost_no_time() -> None:
    texts: list[str | None] = [f"{'年1歳' * 2000}{number}" for number in range(50)]
    data = Microdata((labels("note", texts),))
    assert not [proposal for proposal in proposals(data) if proposal.what in {"number", "date"}]


def test_an_address_that_many_share_is_a_district_and_a_key() -> None:
    codes = np.arange(400) % 4
    column = Categorical("住所", codes, ("中央区", "北区", "南区", "西区"))
    role = next(p for p in proposals(Microdata((column,))) if p.what == "role")
    assert role.value == "key"
    assert "400 records share 4 values" in role.reason


def test_a_column_that_names_every_record_decides_on_no_question() -> None:
    names = Categorical("店", np.arange(60), tuple(f"店{n:02d}" for n in range(60)))
    blanks = Categorical("閉店理由", np.where(np.arange(60) % 3, -1, 0), ("移転",))
    proposed = proposals(Microdata((names, blanks)))
    assert not [p for p in proposed if p.what in {"filter", "not_applicable"}]


def test_a_column_without_values_is_proposed_as_no_key() -> None:
    roles = only(Microdata((labels("性別", [None] * 30), labels("age", [None] * 30))), "role")
    assert {p.value for p in roles.values()} == {"other"}


def test_amounts_with_decimal_commas_are_no_identifiers() -> None:
    texts: list[str | None] = [f"{50 + n},{n % 10}" for n in range(40)]
    data = Microdata((labels("Gewicht", texts),))
    assert only(data, "role")["Gewicht"].value == "other"
    assert only(data, "number")["Gewicht"].evidence["strays"] == 0


def test_neither_totals_nor_few_blanks_make_a_filter_question() -> None:
    def table(areas: list[str], blanks: int) -> Microdata:
        sexes = [None] * blanks + ["m", "f"] * 20
        counts = [20] * blanks + [1] * 40
        frame = {"area": areas + ["東部", "西部"] * 20, "sex": sexes, "n": counts}
        return sudare.read(pl.DataFrame(frame))

    assert not only(table(["東部計"] * 6, 6), "filter")
    assert not only(table(["東部"] * 2, 2), "filter")
    assert only(table(["東部"] * 6, 6), "filter")


def test_what_is_written_in_percent_is_a_quantity(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("持ち家率,n\n" + "".join(f"{i}%,{i % 3}\n" for i in range(40)), "utf-8")
    assert only(sudare.read(path), "scale")["持ち家率"].value == "ratio"


@pytest.mark.parametrize(
    ("beside", "role"), [("height", "sensitive"), ("birth_wt", "sensitive"), ("income", "weight")]
)
def test_a_weight_beside_measures_of_the_body_is_that_of_a_person(beside: str, role: str) -> None:
    numbers = np.arange(40.0, 100.0)
    data = Microdata((Numeric(beside, numbers + 100), Numeric("weight", numbers)))
    assert only(data, "role")["weight"].value == role
    grounds = [s.ground for s in suspicions(data) if s.column == "weight"]
    assert ("weight" in grounds) is (role == "weight")
