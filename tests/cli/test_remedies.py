"""Whatever remedy is advised works when it is pasted, and what it was for is gone."""

import json
import shlex
from pathlib import Path

import pytest

import sudare
from sudare.core.errors import ColumnError
from tests.cli.test_cli import leave

Printed = pytest.CaptureFixture[str]

HEADINGS = "氏名,乗率,金額,割合,登録日,生年月日,面積,売上,住所,都道府県コード,満足度,理由,世帯番号"
AREAS = ("東京都中央区", "大阪府北区", "京都府左京区")
KANA = "あいうえおかきくけこさし"
LEVELS = ("満足", "やや不満", "不満")


def traps(folder: Path) -> Path:
    """Write a table each column of which needs something to be said about it."""
    rows = []
    for n in range(120):
        cells = (
            f"佐藤{KANA[n % 10]}{KANA[n // 10]}",
            f"1,{n:03d}.5人",
            "n/a" if n % 9 == 0 else f"{n + 1}件",
            "0.5" if n == 5 else f"{n}%",
            f"R6.{n % 12 + 1}",
            "不詳" if n == 7 else f"H{n % 20 + 1}.4.1",
            f"{n},5",
            "対象外" if n % 10 == 0 else ("約十" if n == 11 else f"{n}.5"),
            AREAS[n % 3],
            str(n % 47 + 1),
            LEVELS[n % 3],
            "" if n % 3 != 1 else "価格",
            str(n // 2),
        )
        rows.append(",".join(f'"{cell}"' for cell in cells))
    path = folder / "traps.csv"
    path.write_text("\n".join([HEADINGS, *rows]) + "\n", "cp932")
    return path


def survey(folder: Path) -> Path:
    path = folder / "survey.csv"
    sudare.datasets.write_survey_like(path, 150, seed=3, persons=True)
    return path


def advised(path: Path, printed: Printed, *options: str) -> list[dict[str, object]]:
    printed.readouterr()
    assert leave("describe", path, "--no-project", "--json", *options) == 0
    problems: list[dict[str, object]] = json.loads(printed.readouterr().out)["problems"]
    return problems


@pytest.mark.parametrize("make", [traps, survey])
def test_remedies_of_describe_work_when_pasted(
    tmp_path: Path, capsys: Printed, make: object
) -> None:
    assert callable(make)
    path = make(tmp_path)
    problems = advised(path, capsys)
    commands = [(p["kind"], p["columns"], str(p["command"])) for p in problems if p["command"]]
    assert {"identifier", "weight"} <= {kind for kind, _, _ in commands}
    everything: list[str] = []
    for kind, columns, command in commands:
        words = shlex.split(command)
        if words[:2] == ["sudare", "init"]:
            assert leave(*words[1:], "-o", tmp_path / "made.sudare.toml") == 0
            continue
        left = advised(path, capsys, *words)
        assert (kind, columns) not in [(p["kind"], p["columns"]) for p in left], kind
        everything += words
    assert advised(path, capsys, *everything) is not None


@pytest.mark.parametrize("make", [traps, survey])
def test_what_init_proposes_can_be_read(tmp_path: Path, make: object) -> None:
    assert callable(make)
    path = make(tmp_path)
    assert leave("init", path) == 0
    project = sudare.Project.open(next(tmp_path.glob("*.sudare.toml")))
    data = project.edited({"reviewed": True}).data()
    assert data.with_role("identifier")
    assert data.weights is not None


def test_remedies_of_refusals_work(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a,b\n1,x\n2,x\nsecret,x\n4,x\n5,x\n", "utf-8")
    with pytest.raises(ColumnError, match=r"name the words .*, or state that it is text"):
        sudare.read(path, types={"a": "number"})
    assert sudare.read(path, types={"a": "number"}, missing=["secret"])["a"].missing.sum() == 1
    assert sudare.read(path, types={"a": "text"}).origin.notes == ()  # type: ignore[union-attr]
    path.write_text('a,b\n"1,5",x\n"2,25",x\n"3,5",y\n', "utf-8")
    (number,) = (p for p in sudare.describe.proposals(sudare.read(path)) if p.what == "number")
    assert "commas read as decimal points" in str(number.value)
    assert sudare.read(path, types={"a": "number"})["a"].scale == "ratio"
