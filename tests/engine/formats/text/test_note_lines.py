"""What a file shows beside its records: titles, second headers and totals, never passed over."""

from collections.abc import Callable
from pathlib import Path

import pytest

import sudare
from sudare.core import LargeTable, Microdata

DOORS = pytest.mark.parametrize("door", [sudare.read, sudare.open], ids=["memory", "blocks"])
Door = Callable[..., Microdata | LargeTable]
ROWS = "".join(f"P{i},{i},{2 * i},{300 + i},{250 + i}\n" for i in range(20))


def notes_of(door: Door, folder: Path, text: str) -> str:
    """Return what reading a file remarks."""
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return " ".join(door(path).notes)


@DOORS
def test_names_in_the_line_above_the_header_are_remarked(tmp_path: Path, door: Door) -> None:
    said = notes_of(door, tmp_path, f",people,,income,\narea,m,f,mean,median\n{ROWS}")
    assert "line 1 also has names of columns" in said


@DOORS
def test_a_second_line_of_names_is_remarked(tmp_path: Path, door: Door) -> None:
    said = notes_of(door, tmp_path, f"area,people,,income,\n,m,f,mean,median\n{ROWS}")
    assert "record 1 has words where the others have numbers" in said
    assert "none for 2 columns" in said


@DOORS
def test_a_title_taken_for_the_header_is_remarked(tmp_path: Path, door: Door) -> None:
    rows = "".join(f"{i},{i * 7 % 13},{i % 3}\n" for i in range(20))
    assert "has none for 2 columns" in notes_of(door, tmp_path, f"表1,,\n1,2,3\n{rows}")


@DOORS
@pytest.mark.parametrize("word", ["合計", "総 計", "Total", "grand total:"])
def test_a_total_at_the_end_is_remarked(tmp_path: Path, door: Door, word: str) -> None:
    rows = "".join(f"{'AB'[i % 2]},{20 + i}\n" for i in range(20))
    assert "record 21 at the end" in notes_of(door, tmp_path, f"area,age\n{rows}{word},590\n")
    assert "at the end" not in notes_of(door, tmp_path, f"area,age\n{rows}")


def test_a_total_at_the_end_of_a_sheet_is_remarked(tmp_path: Path) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "table.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate([("area", "age"), ("A", 20), ("B", 30), ("計", 50)]):
            sheet.write_row(number, 0, row)
    assert "record 3 at the end" in " ".join(sudare.read(path).notes)
