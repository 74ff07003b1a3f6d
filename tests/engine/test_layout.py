"""Separator, header and rows of a delimited file are found, or taken as given."""

from collections.abc import Callable

import pytest

import sudare
from sudare.core import Categorical, Numeric
from sudare.core.errors import InputError, SettingError
from tests.engine.looking import table

Read = Callable[..., sudare.Microdata]
ROWS = {"a": ["x", "y"], "b": [1.0, 2.0], "c": [5.0, 6.0]}
TEXT = "a,b,c\nx,1,5\ny,2,6\n"


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(read_text: Read, separator: str) -> None:
    assert table(read_text(TEXT.replace(",", separator))) == ROWS


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", ":"])
def test_the_separator_given_is_used(read_text: Read, separator: str) -> None:
    assert table(read_text(TEXT.replace(",", separator), separator=separator)) == ROWS


def test_commas_in_numbers_do_not_hide_another_separator(read_text: Read) -> None:
    assert table(read_text("a;b\n1,5;x\n2,5;y\n3,0;z\n"))["a"] == ["1,5", "2,5", "3,0"]


@pytest.mark.parametrize("separator", ["", "::", '"', "\n", "、"])
def test_a_separator_is_one_character(read_text: Read, separator: str) -> None:
    with pytest.raises(SettingError, match="separator must be one plain character"):
        read_text(TEXT, separator=separator)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system_are_read(read_text: Read, end: str) -> None:
    assert table(read_text(("note\n\n" + TEXT).replace("\n", end))) == ROWS


NOTES = {
    "one field": "調査の結果\n",
    "several": "title\nsource\n(thousands)\n",
    "blank lines between": "title\n\nsource\n\n",
    "blank lines above": "\n\n",
    "padded as e-Stat does": "表題,,\n,,\n出典,,\n",
    "separators of another kind": "title; of 2020 | first\n",
    "a quoted newline": '"title\nof two lines"\n',
    "odd line breaks inside": "ti\x0btle\u2028of\x85it\n",
}


@pytest.mark.parametrize("notes", NOTES.values(), ids=NOTES)
def test_notes_above_the_header_are_found(read_text: Read, notes: str) -> None:
    data = read_text(notes + TEXT)
    assert table(data) == ROWS
    assert data.origin is not None
    count = notes.count("\n")
    assert data.origin.notes == (f"{count} note line{'s' * (count != 1)} above the header skipped",)


@pytest.mark.parametrize("notes", NOTES.values(), ids=NOTES)
def test_notes_are_skipped_on_request(read_text: Read, notes: str) -> None:
    data = read_text(notes + TEXT, skip_rows=notes.count("\n"))
    assert table(data) == ROWS
    assert data.origin is not None
    assert data.origin.notes == ()


BELOW = {
    "short lines": ("（注）推計値。\n", 1),
    "after a blank line": ("\n※ 出典: 統計局\n", 1),
    "with separators in it": ("Source: City of Nara, 2024\n", 1),
    "of two lines": ("（注１）所得は総所得金額。\n　　　ただし…\n", 2),
    "with the mark of a footnote": ("1) 女100に対する男の数,,\n", 1),
    "a sentence without a mark": ("各年10月1日現在の総人口による。,,\n", 1),
    "a long line without a mark": ("Figures are estimates of the office,,\n", 1),
    "padded as spreadsheets do": (",,\n（注）推計値。,,\n,,\n", 3),
}


@pytest.mark.parametrize(("notes", "count"), BELOW.values(), ids=BELOW)
def test_notes_below_the_table_are_no_records(read_text: Read, notes: str, count: int) -> None:
    data = read_text(TEXT + notes)
    assert table(data) == ROWS
    said = f"{count} note line{'s' * (count != 1)} below the table or in it skipped"
    assert data.notes[0] == said


@pytest.mark.parametrize(
    "last", [",,\n", "x,,\n", " x,,\n", "注文,,\n", "a8f5f167f44f4964e6c998dee827110c,,\n"]
)
def test_records_with_few_answers_are_no_notes(read_text: Read, last: str) -> None:
    assert read_text(TEXT + last).rows == 3


def test_notes_as_wide_as_the_table_need_to_be_skipped_on_request(read_text: Read) -> None:
    text = "one,two,three\n" + TEXT
    assert read_text(text).names == ("one", "two", "three")
    assert table(read_text(text, skip_rows=1)) == ROWS


def test_blank_lines_below_the_lines_skipped_are_no_header(read_text: Read) -> None:
    assert table(read_text("note\n\n\n" + TEXT, skip_rows=1)) == ROWS


def test_many_lines_can_be_skipped(read_text: Read) -> None:
    assert table(read_text("a long note line\n" * 20_000 + TEXT, skip_rows=20_000)) == ROWS


def test_skipping_past_the_end_is_refused(read_text: Read) -> None:
    with pytest.raises(InputError, match="no line of column names"):
        read_text(TEXT, skip_rows=99)
    with pytest.raises(SettingError, match="skip_rows must be 0 or more, got -1"):
        read_text(TEXT, skip_rows=-1)


def test_a_header_short_by_one_name_is_no_note(read_text: Read) -> None:
    with pytest.raises(InputError, match=r"line 2 .* has 3 fields where the header has 2; .*skip"):
        read_text("b,c\nx,1,5\ny,2,6\n")


GAPPED = {
    "every second name": (",sex,,x\n", ("column 1", "sex", "column 3", "x")),
    "names at the right": (",,age,x\n", ("column 1", "column 2", "age", "x")),
    "the first name alone": ("id,,,\n", ("id", "column 2", "column 3", "column 4")),
    "below a title": ("title,,,\n\nid,,,\n", ("id", "column 2", "column 3", "column 4")),
    "on two lines": ("番号,性別,,\n,,年齢,区分\n", ("番号", "性別", "年齢", "区分")),
    "of groups above names": (
        "属性,,収入,\n番号,性別,年齢,区分\n",
        ("番号", "性別", "年齢", "区分"),
    ),
}


@pytest.mark.parametrize(("header", "names"), GAPPED.values(), ids=GAPPED)
def test_no_record_is_the_header_where_names_are_lacking(
    read_text: Read, header: str, names: tuple[str, ...]
) -> None:
    data = read_text(header + "10,F,51,a\n11,M,60,b\n12,F,43,b\n")
    assert data.names == names
    assert table(data)[names[0]] == [10.0, 11.0, 12.0]


def test_no_record_is_the_header_where_nobody_can_tell(read_text: Read) -> None:
    data = read_text(",name,,\nk,Sato,Nara,x\nl,Mori,Kobe,y\n")
    assert data.rows == 2
    assert data.names[1] == "name"


def test_quoted_fields_hold_separators_quotes_and_line_ends(read_text: Read) -> None:
    data = read_text('a,b\n"x, ""y""\nz",1\n"\r\n",2\n')
    assert table(data) == {"a": ['x, "y"\nz', "\r\n"], "b": [1.0, 2.0]}


def test_a_header_may_hold_quoted_line_ends(read_text: Read) -> None:
    assert read_text('note\n"two\nlines",b,c\nx,1,5\n').names == ("two\nlines", "b", "c")


def test_a_stray_quote_inside_a_field_is_a_character(read_text: Read) -> None:
    assert table(read_text('a,b\n5" pipe,1\n3" pipe,2\n'))["a"] == ['5" pipe', '3" pipe']


def test_an_empty_line_is_no_record_unless_there_is_one_column(read_text: Read) -> None:
    assert read_text("a,b\n1,2\n\n3,4\n").rows == 2
    assert table(read_text("a\n1\n\n3\n")) == {"a": [1.0, None, 3.0]}


def test_a_column_without_a_name_is_numbered(read_text: Read) -> None:
    assert read_text("a,,c, \nx,1,5,2\n").names == ("a", "column 2", "c", "column 4")


def test_japanese_names_and_labels_are_read(read_text: Read) -> None:
    assert table(read_text("性別,年齢\n男,31\n女,40\n")) == {
        "性別": ["男", "女"],
        "年齢": [31.0, 40.0],
    }


def test_a_header_of_many_long_names_is_read_whole(read_text: Read) -> None:
    names = [f"column_with_a_rather_long_name_that_goes_on_{i}" for i in range(2_000)]
    data = read_text(",".join(names) + "\n" + ",".join(["1"] * 2_000) + "\n")
    assert data.names == tuple(names)


def test_a_long_field_is_read_whole(read_text: Read) -> None:
    long = "x" * 300_000
    assert table(read_text(f"a;b\n{long};1\nz;2\n"))["a"] == [long, "z"]


def test_the_reader_of_other_programs_keeps_its_limits(read_text: Read) -> None:
    import csv

    before = csv.field_size_limit()
    read_text(TEXT)
    assert csv.field_size_limit() == before


def test_a_first_line_that_may_be_a_record_is_told_and_can_be_read_as_one(read_text: Read) -> None:
    text = "Tokyo,m,30s\n" + "Osaka,f,40s\nTokyo,m,30s\n" * 3
    told = read_text(text)
    assert told.origin is not None
    assert "--header-rows 0" in told.origin.notes[0]
    data = read_text(text, header_rows=0)
    assert data.origin is not None
    assert (len(data), data.names) == (7, ("column 1", "column 2", "column 3"))
    assert data.origin.notes == ()


def test_a_box_that_was_ticked_does_not_make_the_names_a_record(read_text: Read) -> None:
    data = read_text("paper,radio\n" + "paper,\n,radio\npaper,radio\n" * 3)
    assert data.origin is not None
    assert data.origin.notes == ()


def test_numbers_that_occur_twice_as_names_may_be_a_record(read_text: Read) -> None:
    text = "1,1,77\n2,1,74\n3,1,64\n4,2,65\n"
    with pytest.raises(InputError, match="--header-rows 0"):
        read_text(text)
    assert len(read_text(text, header_rows=0)) == 4


def test_a_record_that_begins_as_a_note_is_named(read_text: Read) -> None:
    data = read_text("answer,sex,age\n" + "good,m,30\n" * 5 + "※none,,\n")
    assert data.origin is not None
    assert any(note.startswith("row 6 of the table was taken") for note in data.origin.notes)


def test_decimal_commas_below_one_are_never_thousands(read_text: Read) -> None:
    text = "sex;weight\n" + "m;0,875\nf;1,250\nm;2,125\n" * 3
    stays = read_text(text)
    assert isinstance(stays["weight"], Categorical)
    weight = read_text(text, types={"weight": "number"})["weight"]
    assert isinstance(weight, Numeric)
    assert weight.values[:3].tolist() == [0.875, 1.25, 2.125]


def test_commas_that_could_be_decimal_marks_are_told_between_semicolons(read_text: Read) -> None:
    data = read_text("sex;weight\n" + "m;1,250\nf;2,125\n" * 3)
    assert data.origin is not None
    assert any("1,250 is 1250" in note for note in data.origin.notes)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (("1.234", "12.345"), True),
        (("1.234", "567", "-2.000", "0", ""), True),
        (("1.234", "1.5"), False),
        (("0.875", "1.250"), False),
        (("12", "345"), False),
    ],
)
def test_points_that_could_separate_thousands_are_told_between_semicolons(
    read_text: Read, cells: tuple[str, ...], told: bool
) -> None:
    data = read_text("sex;weight\n" + "".join(f"m;{cell}\n" for cell in cells * 3))
    assert data.origin is not None
    assert any("1.250 is 1.25" in note for note in data.origin.notes) == told


def test_dates_of_eras_beside_common_years_are_dates(read_text: Read) -> None:
    data = read_text("id,day\n1,2024/4/1\n2,令和6年4月1日\n3,R6.4.1\n")
    day = data["day"]
    assert isinstance(day, Numeric)
    assert set(day.values) == {19814.0}


def test_dashes_in_front_are_minus_signs(read_text: Read) -> None:
    data = read_text("id,a,b\n1,−5,–5\n2,7,7\n")
    assert table(data)["a"] == table(data)["b"] == [-5.0, 7.0]
    assert data.origin is not None
    assert all("dashes read as minus" in note for note in data.origin.notes)
