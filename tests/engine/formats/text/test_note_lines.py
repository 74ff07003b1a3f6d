"""What a file shows beside its records: titles, second headers and totals, never passed over."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sudare
from sudare.core import InputError, LargeTable, Microdata, Numeric

DOORS = pytest.mark.parametrize("door", [sudare.read, sudare.open], ids=["memory", "blocks"])
Door = Callable[..., Microdata | LargeTable]
ROWS = "".join(f"P{i},{i},{2 * i},{300 + i},{250 + i}\n" for i in range(20))


def opened(door: Door, folder: Path, text: str, **said: Any) -> Microdata | LargeTable:
    """Return a file as a door opens it."""
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return door(path, **said)


def notes_of(door: Door, folder: Path, text: str) -> str:
    """Return what reading a file remarks."""
    return " ".join(opened(door, folder, text).notes)


@DOORS
def test_a_record_of_unknown_numbers_is_no_line_of_names(tmp_path: Path, door: Door) -> None:
    for first in ("Sato,不詳,非該当,不詳,不明\n", "P3,few,some,few,some\n"):
        text = f"name,a,b,c,d\n{first}{ROWS}"
        assert opened(door, tmp_path, text).records == 21


@DOORS
def test_names_in_the_line_above_the_header_are_joined_where_stated(
    tmp_path: Path, door: Door
) -> None:
    text = f",people,,income,\narea,m,f,mean,median\n{ROWS}"
    assert "line 1 also has names of columns" in notes_of(door, tmp_path, text)
    names = ("area", "people_m", "people_f", "income_mean", "income_median")
    data = opened(door, tmp_path, text, header_rows=2)
    assert (data.names, data.records) == (names, 20)


@DOORS
def test_names_that_repeat_below_names_of_groups_are_joined(tmp_path: Path, door: Door) -> None:
    data = opened(door, tmp_path, f",men,,women,\narea,n,pay,n,pay\n{ROWS}")
    assert data.names == ("area", "men_n", "men_pay", "women_n", "women_pay")
    assert "joined from 2 lines" in " ".join(data.notes)


@DOORS
def test_a_second_line_of_names_is_joined(tmp_path: Path, door: Door) -> None:
    text = f"area,people,,income,\n\n,m,f,mean,median\n{ROWS}"
    data = opened(door, tmp_path, text)
    assert data.names == ("area", "people_m", "people_f", "income_mean", "income_median")
    assert data.records == 20
    assert opened(door, tmp_path, text, header_rows=1).records == 21


@DOORS
def test_one_word_in_all_numbers_of_a_record_is_no_name_unless_stated(
    tmp_path: Path, door: Door
) -> None:
    text = f"area,a,b,c,d\n,yen,yen,yen,yen\n{ROWS}"
    assert "header_rows = 2" in notes_of(door, tmp_path, text)
    assert opened(door, tmp_path, text, header_rows=2).names[1] == "a_yen"


@DOORS
def test_a_title_taken_for_the_header_is_remarked(tmp_path: Path, door: Door) -> None:
    rows = "".join(f"{i},{i * 7 % 13},{i % 3}\n" for i in range(20))
    assert "has none for 2 columns" in notes_of(door, tmp_path, f"表1,,\n1,2,3\n{rows}")


@DOORS
def test_a_name_that_nobody_sees_is_none(tmp_path: Path, door: Door) -> None:
    data = opened(door, tmp_path, "a,\u200b,\u200bb\u200b\n1,2,3\n")
    assert data.names == ("a", "column 2", "b")
    assert "has none for 1 column" in " ".join(data.notes)


def test_a_frame_with_a_name_that_nobody_sees_is_refused() -> None:
    with pytest.raises(InputError, match="column 2 of the table has a name without a visible"):
        sudare.read(pl.DataFrame({"a": [1], "\u200b": [2]}))


TOTALS = {
    "alone": "合計,,,,\n",
    "with blanks inside": "総　計,,,,500\n",
    "in full width": "Ｔｏｔａｌ,,,,９００\n",
    "in the second column": ",grand total:,,1,\n",
    "short of fields": "合計,190\n",
    "with dashes": "合計,ー,－,190,…\n",
    "in brackets": "（合計）,,,1,\n",
    "of both sexes": "男女計,,,45,\n",
    "with a mean, below a blank row and above notes": ",,,,\n計,-,-,1,2\n平均,,,3,\n（注）架空\n",
}


@DOORS
@pytest.mark.parametrize("totals", TOTALS.values(), ids=TOTALS)
def test_totals_are_no_records_unless_stated(tmp_path: Path, door: Door, totals: str) -> None:
    data = opened(door, tmp_path, f"name,a,b,weight,d\n{ROWS}{totals}", weights="weight")
    assert data.records == 20
    assert "row 21" in " ".join(data.notes).replace("rows", "row")
    above = f"name,a,b,weight,d\n総数,,,1,2\n{ROWS}"
    assert opened(door, tmp_path, above).records == 20
    assert opened(door, tmp_path, above, totals="keep").records == 21


@DOORS
@pytest.mark.parametrize("rows", ["計,次郎,,1,2\n", "総数,1,,2,3\n" * 9, "合計特殊出生率,,,1,2\n"])
def test_records_and_categories_are_no_totals(tmp_path: Path, door: Door, rows: str) -> None:
    data = opened(door, tmp_path, f"name,a,b,c,d\n{ROWS}{rows}")
    assert data.records == 20 + rows.count("\n")


def test_totals_and_second_names_of_a_sheet_are_no_records(tmp_path: Path) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "table.xlsx"
    records = [("A", 20, 1.5), ("B", 30, 2.5), ("B", 31, 2.5)]
    rows = [("area", "person", ""), ("", "age", "weight"), *records, ("計", 81, "6.5")]
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    data = sudare.read(path, weights="person_weight")
    assert (data.names, data.rows) == (("area", "person_age", "person_weight"), 3)
    assert "row 4 of the table is a total" in " ".join(data.notes)
    again = sudare.read(path, **getattr(data.origin, "reading", {}))
    assert (again.names, again.rows) == (data.names, 3)


@DOORS
def test_names_go_on_above_blanks_and_totals(tmp_path: Path, door: Door) -> None:
    text = f"area,people,,income,weight\n,m,f,mean,\nX,1,,3,4\n{ROWS}合計,7,,,9\n"
    data = opened(door, tmp_path, text)
    assert data.names == ("area", "people_m", "people_f", "income_mean", "weight")
    assert data.records == 21
    films = "".join(f"{i},Film A,,{i % 3},{i % 2}\n" for i in range(9))
    data = opened(door, tmp_path, f"id,seen,,rank,\n,Film A,Film B,Film A,Film B\n{films}")
    assert data.names[3:] == ("rank_Film A", "rank_Film B")
    assert "header_rows = 2" in notes_of(door, tmp_path, "a,,c\nx,y,z\nx,y,w\n")


@pytest.mark.parametrize("door", [sudare.read, lambda path: sudare.read(pl.read_csv(path))])
@pytest.mark.parametrize("total", ["東町小計,,,45", "東町　計,,,45", "計,中区,,45", "全国,,,12"])
def test_records_that_may_be_totals_are_told(tmp_path: Path, door: Door, total: str) -> None:
    rows = "".join(f"人{i},中区,{'男女'[i % 2]},{20 + i % 7}\n" for i in range(20))
    data = opened(door, tmp_path, f"氏名,区,性別,年齢\n{rows}{total}\n{rows}")
    assert data.records == 41
    assert "record 21 may be a total" in " ".join(data.notes)
    assert not opened(door, tmp_path, f"氏名,区,性別,年齢\n{rows}計,中区,男,45\n{rows}").notes


PARTS = [
    "中区計,,,45",
    "男計,中区,,45",
    "うち高齢者,,,30",
    ",,,9000",
    "うち65歳以上,,,30",
    "再掲,,,1",
]


@pytest.mark.parametrize("total", PARTS)
def test_totals_of_parts_are_told_and_left_out_where_stated(tmp_path: Path, total: str) -> None:
    rows = "".join(f"{i},中区,{'男女'[i % 2]},{20 + i % 7}\n" for i in range(20))
    text = f"番号,区,性別,年齢\n{rows}{total}\n"
    data = opened(sudare.read, tmp_path, text)
    assert "total" in " ".join(data.notes)
    assert "missing" not in " ".join(data.notes)
    data = opened(sudare.read, tmp_path, text, totals="skip")
    assert isinstance(data, Microdata)
    assert data.records == 20
    assert isinstance(data.columns[0], Numeric)
    assert "left out" in " ".join(data.notes)
    assert opened(sudare.read, tmp_path, text, totals="keep").records == 21


def test_totals_at_the_end_are_left_out_one_by_one(tmp_path: Path) -> None:
    totals = "合　計,,,,9\n平　均,,,5,3\n（再掲）65歳以上,,,,3\n"
    assert opened(sudare.read, tmp_path, f"name,a,b,c,d\n{ROWS}{totals}").records == 20


def test_a_short_record_that_begins_like_a_note_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"人{i},西町,女,30\n" for i in range(9))
    with pytest.raises(InputError, match="line 3 of"):
        opened(sudare.read, tmp_path, f"氏名,町,性別,年齢\n人,西町,女,30\n注連本,西町,女\n{rows}")
