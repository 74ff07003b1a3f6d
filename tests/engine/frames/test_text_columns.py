"""Numbers and dates as people write them are read where every cell fits, and written back."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import ColumnError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.engine.frames.written_numbers import Mark, are_numbers, read_numbers
from sudare.engine.large import MemoryBudget
from tests.engine.looking import NA, cells

Read = Callable[..., sudare.Microdata]

WRITTEN: dict[str, float] = {
    " 12 ": 12,
    "\u300012": 12,
    "\u00a012.5": 12.5,
    "１２": 12,
    "－１．５": -1.5,
    "−3": -3,
    "1,234": 1234,
    "1,234,567.8": 1234567.8,
    "12 345": 12345,
    "12\u202f345": 12345,
    "(1,234)": -1234,
    "（5）": -5,
    "△1": -1,
    "▲ 2.5": -2.5,
    "¥5": 5,
    "￥１，２００": 1200,
    "\\300": 300,
    "¥-5": -5,
    "1,000円": 1000,
    "¥300円": 300,
    "1'234": 1234,
    "1’234’567.5": 1234567.5,
    "'123.4": 123.4,
}
STATED: dict[str, float] = {
    "12人": 12,
    "1,234 世帯": 1234,
    "３件": 3,
    "35歳": 35,
    "(5人)": -5,
    "△2千円": -2,
    "12.5 kg": 12.5,
    "1_000": 1000,
    "12,34,567": 1234567,
    "$1,200.50": 1200.5,
    "5 EUR": 5,
}


def column(read_text: Read, *texts: str, **options: object) -> list[object]:
    rows = "".join(f'"{text}",x\n' for text in texts)
    return cells(read_text("a,b\n" + rows, **options), "a")


@pytest.mark.parametrize("text", WRITTEN)
def test_numbers_as_people_write_them_are_read(read_text: Read, text: str) -> None:
    assert column(read_text, text, "7", "") == [WRITTEN[text], 7, None]


@given(
    st.lists(
        st.sampled_from([*WRITTEN, *STATED, "n/a", "A12", "2nd", "第3", ""])
        | st.text("0５.,(-△¥ \u3000'Aé人①", max_size=6),
        max_size=5,
    ),
    st.sampled_from((0.5, 0.9)),
    st.sampled_from((".", ",")),
)
def test_how_texts_begin_tells_only_what_reading_would(
    texts: list[str], share: float, mark: Mark
) -> None:
    readable = read_numbers(pa.array(texts, pa.string()), mark).readable
    assert are_numbers(texts, share, mark) == (bool(texts) and readable.mean() >= share)


@pytest.mark.parametrize(
    "text",
    ["0123", "０１２", "1,23", "1,2345", "12 34", "(5", "-(5)", "△-5", "5%", "1,5", "円", "△"],
)
def test_what_fits_no_notation_keeps_its_column_text(read_text: Read, text: str) -> None:
    assert column(read_text, text, "7") == [text, "7"]


def test_the_unit_that_numbers_are_in_is_named(read_text: Read) -> None:
    data = read_text('a,b\n480万,x\n"1,200万",x\n', types={"a": "number"})
    assert "unit removed, numbers in 万" in " ".join(data.notes)


@pytest.mark.parametrize("text", STATED)
def test_numbers_with_units_are_read_where_they_are_asked_for(read_text: Read, text: str) -> None:
    assert column(read_text, text, text, "") == [text, text, None]
    assert column(read_text, text, text, "", types={"a": "number"}) == [STATED[text]] * 2 + [None]
    amount = text.strip("()△")
    data = read_text(f'w,b\n"{amount}",x\n', weights="w")
    assert data.weights == [abs(STATED[text])]


@pytest.mark.parametrize("texts", [("12人", "7"), ("5%", "7"), ("¥5", "7円"), ("5%", "0")])
def test_a_unit_on_some_cells_only_is_that_of_all(read_text: Read, texts: tuple[str, str]) -> None:
    numbers = [float(text.strip("人%¥円")) for text in texts]
    assert column(read_text, *texts, types={"a": "number"}) == numbers


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("12人", "3世帯", "4人"), r"1 of 3 cells with a unit have a different .* \(records 2\)"),
        (("$5", "¥5"), r"1 of 2 cells with a unit"),
        (("3万", "30000"), r"1 cell has no unit while others are in percent, thousands"),
        (("50%", "0.5", "0.25"), r"2 cells have no unit .* \(records 2, 3\)"),
        (("5人以上", "3人"), r"1 of 2 cells cannot be read as numbers \(records 1\)"),
        (("$5人", "3人"), r"1 of 2 cells cannot be read as numbers \(records 1\)"),
    ],
)
def test_units_that_could_be_confused_are_refused(
    read_text: Read, texts: tuple[str, ...], message: str
) -> None:
    assert column(read_text, *texts) == list(texts)
    with pytest.raises(ColumnError, match=message):
        column(read_text, *texts, types={"a": "number"})


def test_numbers_in_brackets_only_are_codes(read_text: Read) -> None:
    assert column(read_text, "(1)", "(2)") == ["(1)", "(2)"]


def test_percent_signs_are_read_if_all_numbers_have_one(read_text: Read) -> None:
    assert column(read_text, "12.5%", "３％", "0 %") == [12.5, 3, 0]


ERAS = {
    "令和6年4月1日": dt.date(2024, 4, 1),
    "令和元年5月1日": dt.date(2019, 5, 1),
    "R6.4.1": dt.date(2024, 4, 1),
    "Ｒ６．４．１": dt.date(2024, 4, 1),
    "平成31/4/30": dt.date(2019, 4, 30),
    "昭和64年1月7日": dt.date(1989, 1, 7),
    "大正15.12.25": dt.date(1926, 12, 25),
    "M45-7-30": dt.date(1912, 7, 30),
    "2024年4月1日": dt.date(2024, 4, 1),
}


@pytest.mark.parametrize("text", ERAS)
def test_japanese_dates_are_read(read_text: Read, text: str) -> None:
    data = read_text(f"d,x\n{text},1\n,2\n")
    assert data.to_frame()["d"].to_list() == [ERAS[text], None]  # type: ignore[index]
    assert data["d"].scale == "interval"


@pytest.mark.parametrize("text", ["平成31年5月1日", "令和6年2月30日", "昭和65/1/1", "2024/4/1"])
def test_days_outside_their_era_and_other_dates_stay_text(read_text: Read, text: str) -> None:
    assert column(read_text, text) == [text]


def test_conversions_are_noted_and_undone_on_writing(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text('n,d,p\n" 1,234",R6.4.1,5%\n１２,令和6年4月2日,6 %\n  ,,7%\n', "utf-8")
    data = sudare.read(path, roles={"n": "key"})
    assert data.origin is not None
    assert [note.split(":")[0] for note in data.origin.notes] == [
        "column 'n' read as numbers",
        "column 'd' read as dates",
        "column 'p' read as numbers",
    ]
    assert cells(data, "n") == [1234, 12, None]
    assert sudare.write(data, tmp_path / "out.csv").read_bytes() == path.read_bytes()
    masked = sudare.apply(data, sudare.mask.Rounding(base=10, columns=("n",)), seed=1).data
    lines = sudare.write(masked, tmp_path / "masked.csv").read_text("utf-8").splitlines()
    assert lines == ["n,d,p", "1230,R6.4.1,5%", "10,令和6年4月2日,6 %", ",,7%"]


def test_texts_follow_their_records(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text('a,b\n"1,000",x\n1000,y\n２,z\n', "utf-8")
    data = sudare.read(path)
    turned = data.take([2, 1, 0])  # type: ignore[arg-type]
    lines = sudare.write(turned, tmp_path / "out.csv").read_text("utf-8").splitlines()
    assert lines[1:] == ["２,z", "1000,y", '"1,000",x']


def test_one_file_in_memory_and_in_blocks(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text('n,d,k\n"1,234",R6.4.1,a\n△5,R6.4.2,b\n,R6.4.3,a\n', "utf-8")
    table = sudare.open(path, roles={"k": "key"}, weights=None)
    assert sudare.write(table, tmp_path / "out.csv").read_bytes() == path.read_bytes()
    assert table.head["n"].scale == "ratio"
    assert any("'n' read as numbers" in note for note in table.notes)


def test_a_number_column_with_stray_words_says_how_many_and_where(read_text: Read) -> None:
    data = read_text("a,b\n1,x\n2,x\nsecret,x\n4,x\n5,x\n")
    assert data.origin is not None
    (note,) = data.origin.notes
    assert "column 'a': 1 of 5 cells cannot be read as numbers (records 3)" in note
    assert "secret" not in note
    assert column(read_text, "1", "secret", types={"a": "text"}) == ["1", "secret"]
    with pytest.raises(ColumnError, match=r"1 of 2 cells cannot be read as numbers \(records 2\)"):
        column(read_text, "1", "secret", types={"a": "number"})
    assert column(read_text, "1", "secret", missing=["secret"]) == [1, None]


def test_columns_with_both_decimal_marks_are_refused_with_counts(read_text: Read) -> None:
    texts = ("1,234", "1.234,5", "7,5", "1,234.5", "2")
    with pytest.raises(ColumnError, match="2 cells have a decimal point and 2 a decimal comma"):
        column(read_text, *texts, types={"a": "number"})
    assert column(read_text, *texts) == list(texts)


def test_a_comma_that_groups_digits_is_not_a_decimal_mark_beside_points_that_do(
    read_text: Read,
) -> None:
    texts = ("1,234", "2,345", "1.234,5")
    with pytest.raises(ColumnError, match="2 cells have a decimal point and 1 a decimal comma"):
        column(read_text, *texts, types={"a": "number"})


def test_stated_types_are_read(read_text: Read) -> None:
    assert column(read_text, "0123", "7", types={"a": "number"}) == [123, 7]
    assert column(read_text, "1,5", "1.234,5", types={"a": "number"}) == [1.5, 1234.5]
    assert column(read_text, "1", "2", types={"a": "text"}) == ["1", "2"]
    assert column(read_text, "3.0", "2", types={"a": "integer"}) == [3, 2]
    data = read_text("a,b\n2024/4/1,1\nH31.4.30,2\n", types={"a": "date"})
    assert data.to_frame()["a"].to_list() == [dt.date(2024, 4, 1), dt.date(2019, 4, 30)]  # type: ignore[index]


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ({"a": "integer"}, "1 of 2 cells cannot be read as whole numbers"),
        ({"a": "date"}, "2 of 2 cells cannot be read as dates"),
    ],
)
def test_cells_that_are_not_of_the_type_stated_are_refused(
    read_text: Read, types: dict[str, str], message: str
) -> None:
    with pytest.raises(ColumnError, match=message):
        column(read_text, "1.5", "2", types=types)


def test_types_must_exist(read_text: Read) -> None:
    with pytest.raises(SettingError, match="type must be one of number, integer, text, date"):
        column(read_text, "1", types={"a": "float"})


def test_types_of_frames_can_be_stated() -> None:
    frame = pl.DataFrame({"text": ["1,000", "２"], "number": [1.0, 2.0], "code": [1, 2]})
    data = sudare.read(frame, types={"text": "number", "number": "integer", "code": "text"})
    assert cells(data, "text") == [1000, 2]
    assert cells(data, "code") == ["1", "2"]
    assert data.to_frame()["text"].to_list() == ["1,000", "２"]  # type: ignore[index]
    with pytest.raises(ColumnError, match="cannot be read as the type 'date'"):
        sudare.read(frame, types={"number": "date"})


@pytest.mark.parametrize("texts", [(" 1.5 ", "２"), ("1,200.5", "3"), ("007", "1")])
def test_weights_are_read_as_a_person_would(read_text: Read, texts: tuple[str, ...]) -> None:
    rows = "".join(f'"{text}",x\n' for text in texts)
    data = read_text("w,b\n" + rows, weights="w")
    assert isinstance(data["w"], Numeric)
    assert data.weights is not None


def test_a_blank_can_mean_not_applicable(read_text: Read, tmp_path: Path) -> None:
    data = read_text("a,b\n1,x\n,\n3,?\n", not_applicable=[""], missing={"b": ["?"]})
    assert cells(data, "a") == [1, NA, 3]
    assert cells(data, "b") == ["x", NA, None]
    written = sudare.write(data, tmp_path / "out.csv").read_text()
    assert written == "a,b\n1,x\n,\n3,?\n"


def test_words_can_be_given_by_column(read_text: Read) -> None:
    text = "a,b\n9,9\n8,8\n1,1\n"
    data = read_text(text, missing={"a": ["9"]}, not_applicable={"*": ["8"]})
    assert cells(data, "a") == [None, NA, 1]
    assert cells(data, "b") == [9, NA, 1]
    with pytest.raises(ColumnError, match="column"):
        read_text(text, missing={"c": ["9"]})
    with pytest.raises(SettingError, match="missing must be a list of words"):
        read_text(text, missing={"a": "9"})


def test_labels_on_a_nominal_scale_stay_as_written(read_text: Read) -> None:
    data = read_text("a,b\n１,x\n２,y\n", scales={"a": "nominal"})
    assert isinstance(data["a"], Categorical)
    assert data["a"].labels == ("１", "２")


@pytest.mark.parametrize(
    ("texts", "storage"),
    [
        (["1,000", "２", "△3", "", "4"], "int64"),
        (["1.5", " 2", "(3)", "", "4"], "double"),
        (["R6.4.1", "令和6年4月2日", "H31.4.30", "", "S1.12.25"], "date32[day]"),
    ],
)
def test_columns_of_too_many_values_to_count_are_read_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: list[str], storage: str
) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a,b\n" + "".join(f'"{text}",x\n' for text in texts), "utf-8")
    whole = sudare.read(path)
    monkeypatch.setattr(MemoryBudget, "values", lambda self, columns: 2)
    table = sudare.open(path)
    assert str(table.head["a"].storage) == storage
    sample = table.sample(len(texts), seed=1)
    assert cells(sample, "a") == cells(whole, "a")
    out = sudare.write(table, tmp_path / "large.csv")
    assert out.read_bytes() == sudare.write(whole, tmp_path / "small.csv").read_bytes()
    assert whole.origin is not None
    assert table.notes == whole.origin.notes


def test_points_and_commas_that_may_both_mean_either_are_refused_with_counts(
    read_text: Read,
) -> None:
    rows = "a,b\n" + "".join(f'"1,{n}",x\n2.{n},x\n' for n in range(234, 240))
    data = read_text(rows)
    assert isinstance(data["a"], Categorical)
    assert "6 cells have a point before three digits and 6 a comma" in " ".join(data.notes)
    with pytest.raises(ColumnError, match="the decimal mark cannot be told"):
        read_text(rows, types={"a": "number"})
    assert column(read_text, "1,234", "2.345", "0.125") == [1234, 2.345, 0.125]


def test_decimal_commas_are_remarked_where_no_cell_has_a_point(read_text: Read) -> None:
    data = read_text("a;b\n12,5;x\n13,25;x\n14,0;x\n")
    assert "if its commas are decimal marks" in " ".join(data.notes)


def told(tmp_path: Path, *cells: str) -> str:
    """Return what reading a column of some cells remarks."""
    path = tmp_path / "told.csv"
    path.write_text("a,b\n" + "".join(f'x,"{cell}"\n' for cell in cells), encoding="utf-8")
    return " ".join(sudare.read(path).notes)


def test_columns_that_stay_text_are_told_and_classes_are_not(tmp_path: Path) -> None:
    marks = told(tmp_path, "1,234", "1.234,5", "1,234")
    assert "2 cells have a decimal point and 1 a decimal comma" in marks
    assert "lie in their era" in told(tmp_path, "令和1年3月2日", "令和2年3月2日", "令和3年3月2日")
    assert not told(tmp_path, "１人", "２人", "３人", "１０人以上")
    assert "numbers in percent" in told(tmp_path, "01％", "20％", "35％")
    assert "--missing 'b=…'" in told(tmp_path, "1", "2", "3", "***")
