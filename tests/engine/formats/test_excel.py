"""Excel sheets in and out: a cell has a number, a date or text, and nothing is cut."""

import datetime as dt
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
import xlsxwriter  # type: ignore[import-untyped]

import sudare
from sudare.core.errors import ColumnError, InputError, OutputError
from tests.engine.looking import NA, cells, table


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook with notes above the header, and other sheets."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        day = made.add_format({"num_format": "yyyy-mm-dd"})
        sheet = made.add_worksheet("調査")
        sheet.write_row(0, 0, ["表題"])
        sheet.write_row(2, 0, ["番号", "性別", "日", "率", "", "郵便番号"])
        for row in range(3):
            sheet.write_row(3 + row, 0, [row + 1, "男女"[row % 2]])
            sheet.write_datetime(3 + row, 2, dt.datetime(2020, 1, row + 1), day)
            sheet.write_row(3 + row, 3, [row + 0.5, "z", f"012{row}"])
        made.add_worksheet("空")
        twice = made.add_worksheet("twice")
        twice.write_row(0, 0, ["a", "b", "a"])
        twice.write_row(1, 0, [1, 2, 3])
        late = made.add_worksheet("late")
        late.write_row(0, 0, ["n", "b"])
        for row in range(1, 1_500):
            late.write_row(row, 0, [row, "x"])
        late.write_row(1_500, 0, ["text at last", "x"])
        made.add_worksheet("header").write_row(0, 0, ["a", "b"])
    return path


def test_a_sheet_is_read_below_its_notes(book: Path) -> None:
    data = sudare.read(book, skip_rows=2)
    assert data.names == ("番号", "性別", "日", "率", "column 5", "郵便番号")
    assert cells(data, "番号") == [1.0, 2.0, 3.0]
    assert cells(data, "性別") == ["男", "女", "男"]
    assert cells(data, "郵便番号") == ["0120", "0121", "0122"]
    frame: Any = data.to_frame()
    assert frame.schema["番号"] == pl.Int64
    assert frame["日"].to_list() == [dt.date(2020, 1, day) for day in (1, 2, 3)]
    assert frame["率"].to_list() == [0.5, 1.5, 2.5]


def test_titles_above_and_notes_below_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "titled.xlsx"
    with xlsxwriter.Workbook(path) as file:
        sheet = file.add_worksheet()
        sheet.merge_range(0, 0, 0, 2, "令和6年度 調査票")
        for number, row in enumerate([["番号", "性別", "年齢"], [1, "男", 31], [2, "女", 40]], 2):
            sheet.write_row(number, 0, row)
        sheet.write(6, 0, "（注）出典: 統計局")
    data = sudare.read(path)
    assert table(data) == {"番号": [1.0, 2.0], "性別": ["男", "女"], "年齢": [31.0, 40.0]}
    above = "2 note lines above the header skipped"
    assert data.notes == (above, "2 note lines below the table or in it skipped")


def test_no_record_is_the_header_where_names_are_lacking(tmp_path: Path) -> None:
    path = tmp_path / "gapped.xlsx"
    with xlsxwriter.Workbook(path) as file:
        sheet = file.add_worksheet()
        for number, row in enumerate([["", "sex", "", ""], [1, "F", 31, "a"], [2, "F", 40, "b"]]):
            sheet.write_row(number, 0, row)
    data = sudare.read(path)
    assert data.names == ("column 1", "sex", "column 3", "column 4")
    assert data.rows == 2


def test_blank_rows_and_columns_beside_the_table_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        sheet.write_row(2, 1, ["名", 2020])
        sheet.write_row(3, 1, ["甲", 5])
    for options in ({}, {"skip_rows": 1}, {"skip_rows": 2}):
        assert table(sudare.read(path, **options)) == {"名": ["甲"], "2020": [5.0]}  # type: ignore[arg-type]


def test_a_sheet_is_chosen_by_name_or_number(book: Path) -> None:
    assert sudare.read(book, sheet="late").rows == sudare.read(book, sheet=3).rows == 1_500


@pytest.mark.parametrize("title", ["説明", "Sheet0", "README"])
def test_a_sheet_that_describes_others_is_not_taken_for_the_table(
    tmp_path: Path, title: str
) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        first = made.add_worksheet(title)
        lines = ["この調査について", "", "回答者は18歳以上", "問合せ先は統計課"]
        first.write_column(0, 0, lines)
        if title == "README":
            first.write_column(0, 1, ["a", "b", "c", "d"])
        made.add_worksheet("空")
        sheet = made.add_worksheet("データ")
        sheet.write_row(0, 0, ["番号", "性別"])
        sheet.write_row(1, 0, [1, "男"])
    data = sudare.read(path)
    assert data.names == ("番号", "性別")
    assert data.origin is not None
    assert data.origin.notes == (
        f"sheet 'データ' read, not: {title}, 空; choose one with --sheet (sheet=)",
    )
    assert sudare.read(path, sheet="データ").origin.notes == ()  # type: ignore[union-attr]
    with pytest.raises(InputError, match=f"choose one of its sheets .*: {title}, 空, データ"):
        sudare.read(path, sheet="空")


def test_text_far_down_a_column_of_numbers_is_not_lost(book: Path) -> None:
    assert cells(sudare.read(book, sheet="late"), "n")[-2:] == ["1499", "text at last"]


def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(book: Path) -> None:
    with pytest.raises(InputError, match=r"has no sheet '別'; available: 調査, 空, twice, late"):
        sudare.read(book, sheet="別")
    with pytest.raises(InputError, match="has no sheet '9'"):
        sudare.read(book, sheet=9)


def test_an_empty_sheet_is_refused(book: Path) -> None:
    for options in ({"sheet": "空"}, {"skip_rows": 99}):
        with pytest.raises(InputError, match="has no row of column names"):
            sudare.read(book, **options)
    with pytest.raises(InputError, match="column names but no rows"):
        sudare.read(book, sheet="header")


def test_column_names_that_occur_twice_are_refused(book: Path) -> None:
    with pytest.raises(InputError, match="1 column name occurs more than once: a"):
        sudare.read(book, sheet="twice")


def test_types_of_text_are_found_on_request(book: Path) -> None:
    data = sudare.read(book, skip_rows=2, find_types=True, scales={"率": "ordinal"})
    assert cells(data, "郵便番号") == ["0120", "0121", "0122"]


def test_a_table_survives_a_sheet(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "整数": [1, None, -3],
            "率": [0.1, None, 1e-9],
            "区分": ["男", None, "女"],
            "日": [dt.date(2020, 2, 29), None, dt.date(1999, 1, 1)],
            "時刻": [dt.datetime(2020, 1, 1, 10, 30, 1, 5000), None, dt.datetime(2021, 1, 1)],
            "code": ["0123", "=1+2", "http://a.b"],
            "A": ["mailto:x@y", "{=x}", "internal:z"],
            "a": [True, None, False],
        }
    )
    data = sudare.read(frame)
    again = sudare.read(sudare.write(data, tmp_path / "out.xlsx"))
    assert table(again) == {
        **table(data),
        "時刻": [value and value / 1000 for value in cells(data, "時刻")],  # type: ignore[operator]
    }


def test_what_a_cell_cannot_hold_is_written_as_text(tmp_path: Path) -> None:
    times = pa.array([dt.datetime(2020, 1, 1, 1, 2, 3, 456789)], pa.timestamp("us"))
    arrays = {
        "id": pa.array([1234567890123456]),
        "zone": times.cast(pa.timestamp("us", "Asia/Tokyo")),
        "fine": times,
        "time": pa.array([dt.time(1, 2, 3)]),
        "span": pa.array([dt.timedelta(hours=1)]),
    }
    again = sudare.read(sudare.write(sudare.read(pa.table(arrays)), tmp_path / "out.xlsx"))
    assert table(again) == {
        "id": ["1234567890123456"],
        "zone": ["2020-01-01 10:02:03.456789+0900"],
        "fine": ["2020-01-01 01:02:03.456789"],
        "time": ["01:02:03.000000"],
        "span": [3600.0],
    }


def test_absence_is_kept_apart_in_a_sheet(tmp_path: Path) -> None:
    said: Any = {"missing": ["99"], "not_applicable": ["-8", "skip"]}
    frame = pl.DataFrame({"n": [99, -8, 5], "s": ["99", "skip", "x"], "k": [1, 2, 3]})
    data = sudare.read(frame, **said)
    again = sudare.read(sudare.write(data, tmp_path / "out.xlsx"), **said)
    assert cells(again, "n") == [None, NA, 5.0]
    assert cells(again, "s") == [None, NA, "x"]


def test_a_text_too_long_for_a_cell_is_refused(tmp_path: Path) -> None:
    data = sudare.read(pl.DataFrame({"long": ["x" * 32_768]}))
    with pytest.raises(OutputError, match="column 'long' has texts longer than the 32767"):
        sudare.write(data, tmp_path / "out.xlsx")


def test_a_table_too_large_for_a_sheet_is_refused(tmp_path: Path) -> None:
    tall = sudare.read(pl.DataFrame({"a": pl.repeat(1, 1_048_576, eager=True)}))
    with pytest.raises(OutputError, match="holds 1048575 records and 16384 columns; write Parq"):
        sudare.write(tall, tmp_path / "out.xlsx")


def test_weights_in_cells_formatted_as_dates_are_refused_by_that_reason(tmp_path: Path) -> None:
    path = tmp_path / "dates.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet, day = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, ["sex", "weight"])
        for row, weight in enumerate((81.5, 90.25, 77.0), 1):
            sheet.write(row, 0, "F")
            sheet.write_number(row, 1, weight, day)
    with pytest.raises(ColumnError, match="'weight' holds dates or times, not numbers"):
        sudare.read(path, weights="weight")


def test_errors_of_formulas_are_told(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as made:
        sheet = made.add_worksheet()
        sheet.write_row(0, 0, ["name", "rate"])
        for row in range(1, 9):
            sheet.write_row(row, 0, [f"n{row}", row / 4])
        sheet.write_formula(3, 1, "=1/0", None, "#DIV/0!")
    data = sudare.read(tmp_path / "t.xlsx")
    assert "column 'rate': 1 cell holds an error of a formula (records 3)" in data.notes[0]
    assert data["rate"].missing.tolist() == [False, False, True, *[False] * 5]


def test_a_sheet_without_names_is_told_and_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        for row in range(7):
            sheet.write_row(row, 0, ["Osaka", "f", "40s"] if row % 2 else ["Tokyo", "m", "30s"])
    told = sudare.read(path)
    assert told.origin is not None
    assert "--header-rows 0" in told.origin.notes[0]
    assert len(sudare.read(path, header_rows=0)) == 7
