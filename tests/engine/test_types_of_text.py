"""Text becomes numbers or dates only where nothing is lost by it."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

import sudare
from sudare.core.errors import ColumnError, SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from tests.engine.looking import NA, cells, table

Read = Callable[..., sudare.Microdata]


def column(read_text: Read, *texts: str, **options: object) -> list[object]:
    return cells(read_text("\n".join(["a,b", *(f"{t},x" for t in texts), ""]), **options), "a")


NUMBERS: dict[str, float] = {
    "0": 0,
    "-12": -12,
    "+5": 5,
    "1.50": 1.5,
    ".5": 0.5,
    "5.": 5,
    "-.25": -0.25,
    "1e3": 1000,
    "2.5E-2": 0.025,
}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_in_every_usual_form_are_numbers(read_text: Read, text: str) -> None:
    assert column(read_text, text, "1.25") == [NUMBERS[text], 1.25]


@pytest.mark.parametrize(
    "text",
    [
        "0123",
        "007",
        "00",
        "1,5",
        "1_000",
        "0x1F",
        "5%",
        "3-4",
        "1.2.3",
        "-",
    ],
)
def test_what_only_looks_like_a_number_stays_a_label(read_text: Read, text: str) -> None:
    assert column(read_text, f'"{text}"', '"7"') == [text, "7"]


@pytest.mark.parametrize(
    "texts",
    [
        ["9007199254740993", "9007199254740992"],
        ["123456789012345678", "-123456789012345679", "5"],
    ],
)
def test_whole_numbers_beyond_floats_stay_exact(
    read_text: Read, tmp_path: Path, texts: list[str]
) -> None:
    data = read_text("\n".join(["a,b", *(f"{t},x" for t in texts), ""]))
    assert cells(data, "a") == [int(t) for t in texts]
    column = data["a"]
    assert isinstance(column, Categorical)
    assert list(column.labels) == sorted(int(t) for t in texts)
    again = sudare.read(sudare.write(data, tmp_path / "again.csv"))
    assert again.equals(data)


@pytest.mark.parametrize(
    "texts",
    [
        ["1234567890123456789", "1234567890123456788"],
        ["123456789012345678901234", "1"],
        ["0.5", "9007199254740993"],
    ],
)
def test_ids_longer_than_any_number_type_stay_as_they_are(
    read_text: Read, texts: list[str]
) -> None:
    assert column(read_text, *texts) == texts


def test_iso_dates_are_days(read_text: Read) -> None:
    data = read_text("d,x\n2020-02-29,1\n1899-12-31,2\n,3\n")
    assert data["d"].scale == "interval"
    frame = data.to_frame()
    assert frame["d"].to_list() == [dt.date(2020, 2, 29), dt.date(1899, 12, 31), None]  # type: ignore[index]


@pytest.mark.parametrize(
    "text",
    ["2020-02-29 10:30", "2020-02-29T10:30:00", "2020-02-29 10:30:00.000", "2020-02-29T10:30:00.0"],
)
def test_iso_datetimes_are_times(read_text: Read, text: str) -> None:
    data = read_text(f"d,x\n{text},1\n")
    assert data.to_frame()["d"].to_list() == [dt.datetime(2020, 2, 29, 10, 30)]  # type: ignore[index]


@pytest.mark.parametrize(
    "text",
    ["2021-02-29", "01/02/2003", "2020-1-5", "20200105", "2020-01-01T10:00:00+09:00", "10:30"],
)
def test_dates_that_are_not_plain_stay_as_they_are(read_text: Read, text: str) -> None:
    assert column(read_text, text, "x") == [text, "x"]


def test_a_time_too_late_to_be_exact_stays_a_label(read_text: Read) -> None:
    assert column(read_text, "9999-12-31T23:59:59.999999") == ["9999-12-31T23:59:59.999999"]


def test_truth_values_stay_the_words_they_are(read_text: Read) -> None:
    assert column(read_text, "TRUE", "FALSE") == ["TRUE", "FALSE"]


@pytest.mark.parametrize("word", ["NA", "N/A", "null", "None", "-", "nan"])
def test_a_word_is_a_label_unless_it_is_named(read_text: Read, word: str) -> None:
    assert column(read_text, word, "x") == [word, "x"]
    assert column(read_text, word, "x", missing=[word]) == [None, "x"]
    assert column(read_text, word, "x", not_applicable=[word]) == [NA, "x"]


def test_an_empty_cell_is_missing(read_text: Read) -> None:
    assert table(read_text('a,b\n,""\nx,1\n')) == {"a": [None, "x"], "b": [None, 1.0]}


def test_nan_among_numbers_is_missing(read_text: Read) -> None:
    assert column(read_text, "1.5", "NaN", "nan") == [1.5, None, None]


@pytest.mark.parametrize("word", ["inf", "-Inf", "+infinity", "1e999"])
def test_infinite_numbers_are_refused_by_column(read_text: Read, word: str) -> None:
    with pytest.raises(ColumnError, match="column 'a' has 1 infinite number; make them missing"):
        column(read_text, word, "1.5")


WORDS = "a,n,d,id\nDK,99,DK,DK\nskip,-8,skip,skip\nx,5,2020-01-01,9007199254740993\n,,,\n"


def test_words_for_absence_survive_a_csv_file_kept_apart(read_text: Read, tmp_path: Path) -> None:
    said = {"missing": ["DK", "99"], "not_applicable": ["skip", "-8"]}
    data = read_text(WORDS, **said)
    assert cells(data, "a") == [None, NA, "x", None]
    assert cells(data, "n") == [None, NA, 5.0, None]
    assert cells(data, "id") == [None, NA, 9007199254740993, None]
    assert data["d"].scale == "interval"
    path = sudare.write(data, tmp_path / "out.csv")
    assert path.read_text() == WORDS
    assert sudare.read(path, **said).equals(data)  # type: ignore[arg-type]


def test_words_for_absence_must_be_a_list(read_text: Read) -> None:
    with pytest.raises(SettingError, match="missing must be a list of words"):
        read_text("a,b\n1,2\n", missing="99")
    assert table(read_text("a,b\n1,99\n2,3\n", missing=[99]))["b"] == [None, 3.0]


def test_a_column_without_values_is_read(read_text: Read) -> None:
    data = read_text("a,b,c\n,DK,1\n,DK,2\n", missing=["DK"])
    assert cells(data, "a") == cells(data, "b") == [None, None]
    assert data["a"].coded.labels == ()


def test_numbers_on_a_scale_of_labels_are_sorted_as_numbers(read_text: Read) -> None:
    for scale in ("nominal", "ordinal"):
        column = read_text("a,b\n10,x\n9,x\n-1,x\n", scales={"a": scale})["a"]
        assert isinstance(column, Categorical)
        assert (column.labels, column.scale) == ((-1, 9, 10), scale)


def test_codes_and_dates_on_a_scale_of_labels_stay_text(read_text: Read) -> None:
    data = read_text(
        "a,b\n0101,2020-01-01\n0202,2020-01-02\n", scales={"a": "nominal", "b": "ordinal"}
    )
    assert table(data) == {"a": ["0101", "0202"], "b": ["2020-01-01", "2020-01-02"]}


def test_numbers_on_a_scale_of_numbers_are_numbers(read_text: Read) -> None:
    column = read_text("a,b\n10,x\n9,x\n", scales={"a": "interval"})["a"]
    assert isinstance(column, Numeric)
    assert column.scale == "interval"


def test_labels_on_a_scale_of_numbers_are_refused(read_text: Read) -> None:
    with pytest.raises(ColumnError, match=r"column 'b' holds categories, .* cannot be 'ratio'"):
        read_text("a,b\n10,x\n9,x\n", scales={"b": "ratio"})


def test_labels_take_the_order_given(read_text: Read) -> None:
    data = read_text("a,b\nlow,3\nhigh,1\n", orders={"a": ["low", "mid", "high"], "b": [3, 2, 1]})
    assert data["a"].coded.labels == ("low", "mid", "high")
    assert data["b"].coded.labels == ("3", "2", "1")
    assert data["a"].scale == data["b"].scale == "ordinal"


@pytest.mark.parametrize("order", [["low"], ["low", "high", "high"]])
def test_an_order_that_lacks_or_repeats_labels_is_refused(
    read_text: Read, order: list[str]
) -> None:
    with pytest.raises(SettingError, match=r"column 'a': the stated order lacks . of 2 labels"):
        read_text("a,b\nlow,3\nhigh,1\n", orders={"a": order})


def test_types_are_left_alone_on_request(read_text: Read) -> None:
    assert table(read_text("a,b\n1,2020-01-01\n", find_types=False)) == {
        "a": ["1"],
        "b": ["2020-01-01"],
    }


def test_plus_signs_are_removed_aloud_and_come_back(read_text: Read, tmp_path: Path) -> None:
    text = "a,b\n+5,x\n-3,y\n0,z\n"
    data = read_text(text)
    assert data.notes == ("column 'a' read as numbers: plus signs removed.",)
    assert sudare.write(data, tmp_path / "again.csv").read_text(encoding="utf-8") == text
