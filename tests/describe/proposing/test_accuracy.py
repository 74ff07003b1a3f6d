"""Proposals are right on at least 95 % of the columns of five kinds of table."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Microdata
from sudare.describe import Proposal, proposals
from sudare.describe.proposing.headings import concept_of

Expected = dict[str, tuple[str, str]]

ADULT: Expected = {
    "age": ("key", "ratio"),
    "workclass": ("key", "nominal"),
    "fnlwgt": ("weight", "ratio"),
    "education": ("key", "ordinal"),
    "education-num": ("key", "ordinal"),
    "marital-status": ("key", "nominal"),
    "occupation": ("key", "nominal"),
    "relationship": ("key", "nominal"),
    "race": ("key", "nominal"),
    "sex": ("key", "nominal"),
    "capital-gain": ("sensitive", "ratio"),
    "capital-loss": ("sensitive", "ratio"),
    "hours-per-week": ("other", "ratio"),
    "native-country": ("key", "nominal"),
    "income": ("sensitive", "nominal"),
}
RETAIL: Expected = {
    "InvoiceNo": ("identifier", "nominal"),
    "StockCode": ("other", "nominal"),
    "Description": ("other", "nominal"),
    "Quantity": ("other", "ratio"),
    "InvoiceDate": ("key", "interval"),
    "UnitPrice": ("other", "ratio"),
    "CustomerID": ("identifier", "nominal"),
    "Country": ("key", "nominal"),
}
SURVEY: Expected = {
    "調査年": ("other", "interval"),
    "氏名": ("identifier", "nominal"),
    "電話番号": ("identifier", "nominal"),
    "メールアドレス": ("identifier", "nominal"),
    "個人番号": ("identifier", "nominal"),
    "住所": ("identifier", "nominal"),
    "口座番号": ("identifier", "nominal"),
    "被保険者番号": ("identifier", "nominal"),
    "一連番号": ("identifier", "nominal"),
    "世帯番号": ("household", "nominal"),
    "都道府県コード": ("key", "nominal"),
    "都道府県": ("key", "nominal"),
    "地域ブロック": ("key", "nominal"),
    "世帯人員": ("key", "ordinal"),
    "続柄コード": ("key", "nominal"),
    "続柄": ("key", "nominal"),
    "性別コード": ("key", "nominal"),
    "性別": ("key", "nominal"),
    "年齢５歳階級": ("key", "ordinal"),
    "生年月日": ("key", "interval"),
    "配偶関係": ("key", "nominal"),
    "最終学歴": ("key", "ordinal"),
    "就業状態": ("key", "nominal"),
    "従業上の地位": ("key", "nominal"),
    "産業大分類コード": ("key", "nominal"),
    "産業大分類": ("key", "nominal"),
    "職業大分類": ("key", "nominal"),
    "週間就業時間": ("other", "ordinal"),
    "就業希望の有無": ("other", "nominal"),
    "世帯の年間収入": ("sensitive", "ordinal"),
    "勤め先収入（千円）": ("sensitive", "ratio"),
    "その他の収入（千円）": ("sensitive", "ratio"),
    "実収入（千円）": ("sensitive", "ratio"),
    "住居の所有関係": ("key", "nominal"),
    "健康状態": ("sensitive", "ordinal"),
    "集計用乗率": ("weight", "ratio"),
}


def of_column(proposed: tuple[Proposal, ...], column: str) -> dict[str, object]:
    """Return what is proposed for one column, by kind."""
    return {p.what: p.value for p in proposed if p.column == column}


def accuracy(data: Microdata, expected: Expected) -> float:
    """Return the share of the columns whose role and scale are both right."""
    proposed = proposals(data)
    settled = {name: of_column(proposed, name) for name in data.names}
    assert set(settled) == set(expected)
    right = [(settled[n]["role"], settled[n]["scale"]) == expected[n] for n in data.names]
    return float(np.mean(right))


def test_adult(real_data: Path) -> None:
    data = sudare.read(real_data / "adult.csv")
    assert accuracy(data, ADULT) >= 0.95
    assert of_column(proposals(data), "education-num")["twin"] == "education"
    assert of_column(proposals(data), "workclass")["missing"] == ("?",)


def test_online_retail(real_data: Path) -> None:
    assert accuracy(sudare.read(real_data / "online_retail.parquet"), RETAIL) >= 0.95


def test_census(real_data: Path) -> None:
    data = sudare.read(real_data / "census_casc.csv")
    amounts = dict.fromkeys(data.names, ("sensitive", "ratio"))
    assert accuracy(data, {**amounts, "AFNLWGT": ("weight", "ratio")}) >= 0.95


@pytest.mark.parametrize("rows", [1_000, 20_000])
def test_survey(rows: int) -> None:
    assert accuracy(sudare.datasets.survey_like(rows, seed=5, persons=True), SURVEY) >= 0.95


def test_the_file_of_the_survey_as_it_arrives(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    sudare.datasets.write_survey_like(path, 3_000, seed=5, persons=True)
    assert accuracy(sudare.read(path), SURVEY) >= 0.95


def test_headings_alone() -> None:
    listed = tomllib.loads(Path(__file__).with_name("headings.toml").read_text(encoding="utf-8"))
    headings = {h: role for roles in listed.values() for role, hs in roles.items() for h in hs}
    assert len(headings) == 200
    assert sum(map(len, listed["japanese"].values())) == 100
    columns = [Categorical(h, np.arange(40) % 4, ("a", "b", "c", "d")) for h in headings]
    wrong = []
    for column, role in zip(columns, headings.values(), strict=True):
        proposed = proposals(Microdata((column,)))[0]
        # Labels of letters are no weights: the heading is asked, not the values.
        said = "weight" if role == "weight" and "not numbers" in proposed.reason else proposed.value
        if said != role:
            wrong.append(column.name)
    assert len(wrong) <= 0.05 * len(headings), wrong


@pytest.mark.parametrize("name", ["more_headings", "short_headings", "unseen_headings"])
def test_headings_by_words_alone(name: str) -> None:
    path = Path(__file__).with_name(f"{name}.toml")
    listed = tomllib.loads(path.read_text(encoding="utf-8"))
    headings = [(h, role) for role, hs in listed.items() for h in hs]
    proposed = [(concept_of(h), role) for h, role in headings]
    right = [(concept.role if concept else "other") == role for concept, role in proposed]
    assert len(headings) >= 200
    assert np.mean(right) >= 0.95
