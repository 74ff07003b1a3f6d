"""Contests of microdata: any table, any list of measures."""

import gzip
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.cli import main as command
from sudare.contest import Contest, ContestRules, Phase, TableRules
from sudare.contest.rulebooks.table_scoring import evaluate_table, read_table
from sudare.core.errors import SettingError
from sudare.loss import TotalVariation
from sudare.mask import GlobalRecode, Pram
from sudare.risk import Uniques
from sudare.transactions import read_guess
from tests.contest.conftest import PASSWORD
from tests.contest.working import working

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "contest.md"
RULES = ContestRules(
    subject="table",
    rounds=("final",),
    table=TableRules(
        roles={"age": "key", "sex": "key", "region": "key"},
        score=("total-variation", "uniques"),
        limits=("k-anonymity >= 2",),
    ),
)


@pytest.fixture(scope="module")
def table() -> sudare.Microdata:
    data = sudare.datasets.toy()
    kept = ("age", "sex", "region", "income")
    data = data.without(name for name in data.names if name not in kept)
    return data.take(np.arange(200))


@pytest.fixture
def original(tmp_path: Path, table: sudare.Microdata) -> Path:
    sudare.write(table, tmp_path / "T.csv")
    return tmp_path / "T.csv"


@pytest.fixture
def data(original: Path) -> sudare.Microdata:
    return sudare.read(original, roles=RULES.table.roles)


def evaluated(data: sudare.Microdata, path: Path, secret: bytes = b"secret") -> dict[str, object]:
    outputs = path.with_suffix(".out"), path.with_suffix(".who")
    return evaluate_table(RULES, data, path, *outputs, secret)


def test_the_score_is_the_mean_of_the_measures(data: sudare.Microdata, tmp_path: Path) -> None:
    masked = sudare.apply(data, [Pram(retain=0.7, columns=("sex", "region"))], seed=1).data
    sudare.write(masked, tmp_path / "A.csv")
    [result] = evaluated(data, tmp_path / "A.csv").values()
    after = sudare.read(tmp_path / "A.csv", roles=RULES.table.roles)
    values = [TotalVariation()(data, after).value, Uniques()(data, after).value]
    assert result["score"] == pytest.approx(np.mean(values))  # type: ignore[index]
    assert list(result["parts"].values()) == pytest.approx(values)  # type: ignore[index]
    assert result["missed"] == ["k-anonymity >= 2"]  # type: ignore[index]


def test_published_rows_are_sorted_and_the_referee_knows_whose_they_are(
    data: sudare.Microdata, original: Path
) -> None:
    evaluated(data, original)
    rows = original.read_text().splitlines()[1:]
    shown = original.with_suffix(".out").read_text().splitlines()[1:]
    truth = read_guess(original.with_suffix(".who"))
    assert sorted(rows) == sorted(shown)
    assert all(shown[number - 1] == rows[int(row) - 1] for number, row in truth.items())
    assert sorted(int(row) for row in truth.values()) == list(range(1, len(rows) + 1))


def test_rows_that_are_alike_are_published_in_an_order_that_only_the_secret_knows(
    data: sudare.Microdata, original: Path
) -> None:
    header, first, *_ = original.read_text().splitlines()
    original.write_text("\n".join([header, *[first] * data.rows]))
    tables = []
    for secret in (bytes([number]) for number in range(60)):
        evaluated(data, original, secret)
        tables.append(read_guess(original.with_suffix(".who")))
        evaluated(data, original, secret)
        assert read_guess(original.with_suffix(".who")) == tables[-1]
    hits = [sum(str(number) == row for number, row in table.items()) for table in tables]
    assert 0.3 < np.mean(hits) < 2  # a lot meets its own place once in a table


@pytest.mark.parametrize(
    ("change", "position", "told"),
    [
        (lambda rows: rows[:-1], None, "rows; the table has"),
        (lambda rows: [*rows, rows[-1]], None, "more than"),
        (lambda rows: ["a,b,c,d", *rows[1:]], (1, ""), "the header must be"),
        (lambda rows: [*rows[:4], rows[4] + ",1", *rows[5:]], (5, ""), "5 cells instead of 4"),
        (lambda rows: [*rows[:4], '"' + rows[4], *rows[5:]], (5, ""), "cells instead of 4"),
        (lambda rows: [*rows[:4], "\0", *rows[5:]], (5, ""), "UTF-8"),
        (lambda rows: [], (1, ""), "has 0 rows"),
    ],
)
def test_a_wrong_table_is_refused_by_line(
    data: sudare.Microdata, original: Path, change: object, position: object, told: str
) -> None:
    rows = original.read_text().splitlines()
    original.write_text("\n".join(change(rows)))  # type: ignore[operator]
    outcome = evaluated(data, original)
    first = outcome["problems"][0]  # type: ignore[index]
    assert told in first["template"].format(**first["facts"])
    assert position is None or (first["line"], first["column"]) == position


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(b"0" * 10**6),
        b"PK\x03\x04" + b"\x00" * 3000,
        b"\n" * 10**6,
        b"1" * 10**6,
        "年齢,性別\n".encode("cp932"),
        "age,sex\n".encode("utf-16"),
        b"age,sex,region,income\n" + b"1,f,north,1\n" * 10**6,
        b"age,sex,region,income\n" + b'"1\n' * 10**5,
    ],
    ids=["gzip", "zip", "lines", "line", "cp932", "utf16", "rows", "quotes"],
)
def test_files_that_mean_harm_are_refused_with_a_reason(
    data: sudare.Microdata, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "A.csv").write_bytes(content)
    problems = evaluated(data, tmp_path / "A.csv")["problems"]
    assert 1 <= len(problems) <= 100  # type: ignore[arg-type]


def test_text_in_place_of_a_number_is_refused_by_line_and_column(
    data: sudare.Microdata, original: Path
) -> None:
    rows = [row.split(",") for row in original.read_text().splitlines()]
    column = rows[0].index("age")
    rows[7][column] = "much"
    original.write_text("\n".join(",".join(row) for row in rows))
    problems: list[dict[str, object]] = evaluated(data, original)["problems"]  # type: ignore[assignment]
    [problem] = problems
    assert (problem["line"], problem["column"]) == (8, "age")


TABLE = "age,day,sex,code\n20,2011-03-05,f,1\n30,2011-03-06,m,x\n40,2011-03-07,m,2\n"


@pytest.mark.parametrize(
    ("masked", "score"),
    [
        (TABLE, 0.0),
        (TABLE.replace("20,", " 20 ,").replace("30,", "030,").replace("40,", "4e1,"), 0.0),
        (TABLE.replace(",x", ",1"), 1 / 12),  # a third of one column of four
        (re.sub("[234]0,", ",", TABLE), 1 / 4),
        (
            re.sub("2011[-0-9]+", "", TABLE),
            1 / 4,
        ),
    ],
    ids=["same", "written otherwise", "labels like numbers", "no numbers", "no dates"],
)
def test_columns_stay_of_the_kind_they_have_in_t(tmp_path: Path, masked: str, score: float) -> None:
    (tmp_path / "T.csv").write_text(TABLE)
    (tmp_path / "A.csv").write_text(masked)
    table = TableRules(scales={"code": "nominal"})
    data = sudare.read(tmp_path / "T.csv", scales=table.scales)
    outputs = tmp_path / "out", tmp_path / "who"
    rules = replace(RULES, table=table)
    [result] = evaluate_table(rules, data, tmp_path / "A.csv", *outputs, b"").values()
    assert result["score"] == pytest.approx(score)


@pytest.mark.parametrize(
    ("before", "after", "column"),
    [
        ("20,", "2_0,", "age"),
        ("20,", "1e999,", "age"),
        ("-03-06", "-02-30", "day"),
        ("2011-03-06", "20110306", "day"),
        ("2011-03-06", "2011-03-06T00:00:00", "day"),
    ],
)
def test_what_is_no_number_or_date_is_refused(
    tmp_path: Path, before: str, after: str, column: str
) -> None:
    (tmp_path / "T.csv").write_text(TABLE)
    (tmp_path / "A.csv").write_text(TABLE.replace(before, after))
    problems = evaluated(sudare.read(tmp_path / "T.csv"), tmp_path / "A.csv")["problems"]
    assert [problem["column"] for problem in problems] == [column]  # type: ignore[attr-defined]


TIMED = "at,sex\n2011-03-05T09:30,f\n2011-03-06T10:00,m\n"


@pytest.mark.parametrize("written", ["2011-03-05 09:30:00", "2011-03-05T09:30:00.000"])
def test_times_may_be_written_in_several_ways(tmp_path: Path, written: str) -> None:
    (tmp_path / "T.csv").write_text(TIMED)
    (tmp_path / "A.csv").write_text(TIMED.replace("2011-03-05T09:30", written))
    rules = replace(RULES, table=TableRules(score=("mean-absolute-error",)))
    data, outputs = sudare.read(tmp_path / "T.csv"), (tmp_path / "out", tmp_path / "who")
    [result] = evaluate_table(rules, data, tmp_path / "A.csv", *outputs, b"").values()
    assert result["score"] == 0


def test_numbers_that_are_all_suppressed_can_be_scored(tmp_path: Path) -> None:
    (tmp_path / "T.csv").write_text("age,sex\n20,f\n30,m\n")
    (tmp_path / "A.csv").write_text("age,sex\n,f\n,m\n")
    rules = replace(RULES, table=TableRules(score=("mean-absolute-error",)))
    data, outputs = sudare.read(tmp_path / "T.csv"), (tmp_path / "out", tmp_path / "who")
    assert "result" in evaluate_table(rules, data, tmp_path / "A.csv", *outputs, b"")


def test_identifiers_of_t_are_not_in_the_contest(tmp_path: Path) -> None:
    (tmp_path / "T.csv").write_text("name,age\nx1,20\nx2,30\n")
    table = TableRules(roles={"name": "identifier", "age": "key"}, scales={"name": "nominal"})
    rules = replace(RULES, table=table)
    with Contest.create(
        tmp_path / "contest", rules, tmp_path / "T.csv", password=PASSWORD
    ) as contest:
        stored = contest.original("final")
        data = read_table(stored, rules)
    assert stored.read_text() == "age\n20\n30\n"
    assert isinstance(data, sudare.Microdata)
    outputs = tmp_path / "out", tmp_path / "who"
    assert evaluate_table(rules, data, stored, *outputs, b"")["result"]["score"] == 0


def test_a_contest_of_tables_from_beginning_to_end(
    tmp_path: Path,
    original: Path,
    data: sudare.Microdata,
    address: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules = replace(RULES, database=address)
    with (
        Contest.create(tmp_path / "contest", rules, original, password=PASSWORD) as contest,
        working(contest) as drained,
    ):
        for name in ("alpha", "beta"):
            contest.register(name, PASSWORD)
        alpha, beta = contest.teams()
        contest.open_phase(Phase.FINAL_MASKING)
        masked = sudare.apply(data, [GlobalRecode(min_share=0.3, columns=("region",))], seed=1)
        sudare.write(masked.data, tmp_path / "A.csv")
        contest.accept_mask(alpha, original, "T.csv")
        contest.accept_mask(beta, tmp_path / "A.csv", "A.csv")
        drained()
        assert {e.status for e in contest.entries(contest.referee())} == {"accepted"}, [
            str(p) for e in contest.entries(contest.referee()) for p in e.problems
        ]
        contest.close_phase()
        truth = contest.file(contest.referee(), "final/pseudonyms/alpha").path
        contest.accept_attack(beta, "alpha", truth, "F.csv")
        drained()
        contest.close_phase()
        board = {line.team: line for line in contest.leaderboard(None, "final")}
        assert board["alpha"].hits == 1
        assert not board["alpha"].safe
        assert list(board["beta"].parts) == ["total-variation", "uniques"]
    _see_printed(tmp_path / "contest", capsys)


def _see_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command(["contest", "results", str(folder)])
    printed = capsys.readouterr().out
    assert "score" in printed
    assert "U" not in printed
    assert "k-anonymity" in printed, "why a team has no rank"


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("score = ['total-variation', 'l-diversity']", "the rule 'l-diversity'"),
        ("score = ['t-closeness']", "the rule 't-closeness'"),
        ("limits = ['l-diversity >= 2']", "the rule 'l-diversity >= 2'"),
        ("score = [\"uniques: columns = ['size']\"]", "no column 'size'"),
    ],
)
def test_rules_by_which_not_even_t_can_be_scored_make_no_contest(
    original: Path, tmp_path: Path, rule: str, told: str
) -> None:
    rules = ContestRules.from_toml(f"subject = 'table'\n[table]\n{rule}\nroles = {{age = 'key'}}")
    with pytest.raises(SettingError) as error:
        Contest.create(tmp_path / "contest", rules, original, password=PASSWORD)
    assert told in str(error.value)
    assert not (tmp_path / "contest").exists()


def test_by_the_score_of_the_guide_an_emptied_column_costs_at_least_what_a_constant_one_does(
    original: Path, tmp_path: Path
) -> None:
    example = GUIDE.read_text(encoding="utf-8").partition("### Microdata")[2].split("```")[1]
    rules = ContestRules.from_toml(example.removeprefix("toml"))
    full = [row for row in original.read_text().splitlines() if all(row.split(","))]
    original.write_text("\n".join(full))
    data = read_table(original, rules)
    header, *rows = [row.split(",") for row in full]

    def score(columns: set[int], cells: list[str]) -> float:
        masked = [
            [cells[column] if column in columns else cell for column, cell in enumerate(row)]
            for row in rows
        ]
        (tmp_path / "A.csv").write_text("\n".join(",".join(row) for row in [header, *masked]))
        outputs = tmp_path / "out", tmp_path / "who"
        outcome = evaluate_table(rules, data, tmp_path / "A.csv", *outputs, b"secret")
        return float(outcome["result"]["score"])

    everything = set(range(len(header)))
    for columns in (everything, *({column} for column in everything)):
        assert score(columns, [""] * len(header)) >= score(columns, rows[0]) > 0
