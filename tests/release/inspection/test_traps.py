"""A table with thirty-four planted traps: the gate reports every one, and lets none pass."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.cli import main
from sudare.core import Categorical, Column, Numeric
from sudare.core.types import Role
from sudare.release import Findings

ROWS = 1_200
MASKED = ("都道府県", "性別", "配偶関係", "年齢５歳階級", "実収入（千円）", "健康状態")
# What must be found: a kind, and a column that the finding names.
TRAPS = [
    ("undeclared-identifier", "一連番号"),
    ("undeclared-identifier", "氏名"),
    ("undeclared-identifier", "携帯"),
    ("undeclared-identifier", "mail"),
    ("undeclared-identifier", "x12"),
    ("undeclared-identifier", "受付"),
    ("undeclared-identifier", "住所"),
    ("undeclared-identifier", "担当"),
    ("household-numbers", "世帯番号"),
    ("weights", "集計用乗率"),
    ("outside-keys", "事業所コード"),
    ("outside-keys", "学校番号"),
    ("free-text", "備考"),
    ("free-text", "ご意見"),
    ("free-text", "回答欄"),
    ("free-text", "連絡"),
    ("twin", "都道府県コード"),
    ("twin", "県庁所在地"),
    ("twin", "郵便番号"),
    ("twin", "性別コード"),
    ("twin", "続柄と呼称"),
    ("twin", "生年月日"),
    ("twin", "税額"),
    ("twin", "勤め先収入（千円）"),
    ("twin", "前半"),
    ("absence", "配偶者の年齢"),
    ("exact-numbers", "貯蓄額"),
    ("exact-numbers", "資産"),
    ("formulas", "式"),
    ("guessable-seed", ""),
    ("undeclared-key", "誕生月"),
    ("outside-keys", "調査開始時刻"),
    ("free-text", "紹介者"),
    ("twin", "収入十分位"),
]


def text(name: str, labels: list[str]) -> Categorical:
    levels = sorted(set(labels))
    codes = {label: code for code, label in enumerate(levels)}
    return Categorical(name, np.array([codes[label] for label in labels]), tuple(levels))


def planted(survey: sudare.Microdata) -> list[Column]:
    """Return the columns that a careless clerk might leave in a survey."""
    draws = np.random.default_rng(5)
    rows = range(survey.rows)
    surnames = ["佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村"]
    area, income = survey["都道府県"].coded, survey["実収入（千円）"].numeric.values
    married = survey["配偶関係"].coded
    sex = survey["性別"].coded.codes
    couples = np.array([str(married.labels[c]) == "配偶者あり" for c in married.codes])
    couples &= married.known
    spouse = np.where(couples, draws.integers(20, 80, survey.rows), np.nan)
    half = draws.integers(0, 2, survey.rows)
    wealth = np.rint(draws.lognormal(9, 0.3, survey.rows) / 1000) * 1000
    wealth[7] = 9e9
    tenths = np.arange(1, 10) / 10
    return [
        text("氏名", [f"{surnames[n % 8]}{'太郎花子一郎次郎'[n % 7 : n % 7 + 2]}" for n in rows]),
        text("携帯", [f"090-{n:04d}-{(n * 7) % 10_000:04d}" for n in rows]),
        text("mail", [f"user{n}@example.jp" for n in rows]),
        Numeric("x12", np.array([my_number(n) for n in rows], np.float64)),
        text("受付", [f"R{n:05d}" for n in rows]),
        text("住所", [f"東京都千代田区{n % 9 + 1}丁目{n}番地" for n in rows]),
        text(
            "担当",
            [f"{surnames[n % 8]}{n % 3}".replace("0", "様").replace("1", "氏") for n in rows],
        ),
        Numeric("事業所コード", np.array([500 + n % 300 for n in rows], np.float64)),
        Numeric("学校番号", np.array([9000 + (n * 7) % 200 for n in rows], np.float64)),
        text("備考", [("なし", "転居予定", "再調査")[n % 3] for n in rows]),
        text("ご意見", [f"調査票の字が小さくて読みにくいと感じました。その{n}" for n in rows]),
        text("回答欄", [f"I moved here in the spring of the year number {n}" for n in rows]),
        text("連絡", ["夜なら可" if n % 50 else f"夜は 03-1234-{n:04d} へ" for n in rows]),
        text("県庁所在地", [f"市{area.codes[n]:02d}" for n in rows]),
        text("郵便番号", [f"{area.codes[n]:02d}{draws.integers(0, 10**5):05d}" for n in rows]),
        text("続柄と呼称", [("ご主人", "奥様")[sex[n]] if n % 3 else "不明" for n in rows]),
        Numeric("税額", np.floor(income * 1.37 + 3)),
        Numeric("前半", half.astype(np.float64)),
        Numeric("後半", (half ^ sex).astype(np.float64)),
        Numeric("配偶者の年齢", spouse),
        Numeric("貯蓄額", draws.lognormal(8, 1, survey.rows)),
        Numeric("資産", wealth),
        Numeric("誕生月", draws.integers(1, 13, survey.rows).astype(np.float64)),
        text("調査開始時刻", [f"{9 + n % 9:02d}:{(n * 7) % 60:02d}" for n in rows]),
        text("紹介者", ["佐藤太郎" if n == 5 else "なし" for n in rows]),
        Numeric("収入十分位", np.searchsorted(np.quantile(income, tenths), income) + 1.0),
        text("式", ["=HYPERLINK(1)" if n % 40 == 0 else "甲" for n in rows]),
    ]


def my_number(number: int) -> int:
    """Return eleven digits and the check digit of Japan's individual numbers."""
    body = f"{10**10 + number * 7_919:011d}"
    weights = (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)
    left = sum(int(d) * q for d, q in zip(reversed(body), weights, strict=True)) % 11
    return int(body + str(0 if left <= 1 else 11 - left))


@pytest.fixture(scope="module")
def trapped() -> sudare.Microdata:
    survey = sudare.datasets.survey_like(ROWS, seed=1)
    return replace(survey, columns=(*survey.columns, *planted(survey)))


@pytest.fixture(scope="module")
def careless() -> sudare.Recipe:
    steps = [
        sudare.mask.Pram(retain=0.7, columns=("都道府県", "性別", "配偶関係", "健康状態")),
        sudare.mask.GlobalRecode(min_share=0.2, columns=("年齢５歳階級",)),
        sudare.mask.Noise(sd_ratio=0.3, columns=("実収入（千円）",)),
    ]
    return sudare.Recipe("careless", steps)


@pytest.fixture(scope="module")
def findings(trapped: sudare.Microdata, careless: sudare.Recipe) -> Findings:
    return sudare.publish(trapped, careless, measures=[], seed=1).findings


@pytest.mark.parametrize(("kind", "column"), TRAPS)
def test_every_trap_is_reported(findings: Findings, kind: str, column: str) -> None:
    named = [
        finding
        for finding in findings
        if finding.kind == kind and (not column or column in finding.columns)
    ]
    assert named, [
        (finding.kind, finding.columns) for finding in findings if column in finding.columns
    ]
    assert all(finding.severity in {"stop", "repaired"} for finding in named)


def test_names_stand_in_japanese_quotes_one_by_one(findings: Findings) -> None:
    with sudare.core.speaking("ja"):
        texts = [f"{finding.detail} {finding.remedy}" for finding in findings]
    assert not [text for text in texts if "', '" in text]
    assert any("」「" in text for text in texts)


def test_of_columns_that_reveal_together_one_is_to_be_masked(findings: Findings) -> None:
    (both,) = [f for f in findings if f.kind == "twin" and set(f.columns) >= {"前半", "後半"}]
    assert str(both.remedy) == "Mask one of '前半', '後半', or leave it out (--identifier)."


def test_none_of_the_thirty_four_passes_on_the_command_line(
    trapped: sudare.Microdata,
    careless: sudare.Recipe,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each is named in what a pipeline reads, the exit code is 1, and no file is left."""
    table, recipe = tmp_path / "survey.csv", tmp_path / "careless.toml"
    sudare.write(trapped, table, encoding="cp932")
    recipe.write_text(careless.to_toml(), encoding="utf-8")
    inputs = set(tmp_path.iterdir())
    words = ["--recipe", str(recipe), "-o", str(tmp_path / "masked.csv"), "--seed", "1", "--json"]
    with pytest.raises(SystemExit) as ended:
        main(["mask", str(table), *words])
    assert ended.value.code == 1
    reported = {
        (finding["kind"], column)
        for finding in json.loads(capsys.readouterr().out)["findings"]
        if finding["severity"] in {"stop", "repaired"}
        for column in (*finding["columns"], "")
    }
    assert len(set(TRAPS)) == 34
    assert [trap for trap in TRAPS if trap not in reported] == []
    assert set(tmp_path.iterdir()) == inputs


def test_a_table_without_traps_passes() -> None:
    roles: dict[str, Role] = {
        "一連番号": "identifier",
        "世帯番号": "identifier",
        "都道府県コード": "identifier",
        "性別コード": "identifier",
        "生年月日": "identifier",
        "集計用乗率": "weight",
        "勤め先収入（千円）": "sensitive",
        "その他の収入（千円）": "sensitive",
        "実収入（千円）": "sensitive",
    }
    survey = sudare.datasets.survey_like(ROWS, seed=2)
    survey = survey.assigning({name: roles.get(name, "key") for name in survey.names})
    recipe = sudare.Recipe("fair", [sudare.mask.Pram(columns=("性別", "健康状態"))])
    assert (
        sudare.publish(survey, recipe, measures=[], seed=73915502846613094428817).findings.stops
        == ()
    )


@pytest.mark.parametrize(("file_format", "escaped"), [("csv", 1), ("xlsx", 1), ("parquet", 0)])
def test_text_is_said_to_be_escaped_only_in_files_where_it_is(
    file_format: str, escaped: int
) -> None:
    codes = np.arange(ROWS) % 2
    formulas = Categorical("式", codes, ("=HYPERLINK(1)", "甲"))
    data = sudare.Microdata((formulas, Categorical("sex", codes, ("f", "m"), role="key")))
    masked = sudare.apply(data, sudare.mask.Pram(columns=("sex",)), seed=1)
    findings = sudare.release.gate(data, masked.data, masked.steps, file_format=file_format)
    assert len(findings.of_kind("formulas")) == escaped


@pytest.mark.parametrize(("word", "alike"), [("no job", {"parquet", "sav", "dta"}), ("-8", set())])
@pytest.mark.parametrize("file_format", ["csv", "xlsx", "parquet", "sav", "dta"])
def test_numbers_cannot_tell_suppressed_from_a_word_for_not_applicable(
    file_format: str, word: str, alike: set[str]
) -> None:
    values = np.where(np.arange(ROWS) % 5 == 0, np.nan, np.arange(ROWS) % 40 * 10.0)
    income = Numeric("income", values, absent=np.isnan(values), absent_label=word, role="sensitive")
    shown = replace(income, values=np.where(values > 300, np.nan, values))
    before, after = sudare.Microdata((income,)), sudare.Microdata((shown,))
    findings = sudare.release.gate(before, after, (), file_format=file_format)
    assert bool(findings.of_kind("suppressed-blanks")) == (file_format in alike)
