"""Columns of decimals are numbers at once, and never where their texts would not have been."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core.errors import ColumnError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.engine.formats.text.decimal_columns import look_at_bytes
from sudare.engine.formats.text.delimited import read_delimited

Read = Callable[..., sudare.Microdata]
MANY = [f"{number}.25" for number in range(20_000)]  # more than are looked at to find the layout


def text(*last: str) -> str:
    return "a,b\n" + "".join(f"{cell},x\n" for cell in (*MANY, *last))


def test_decimals_need_no_look_at_their_texts(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(text("1e-05", "-0.5", "", "NaN"))
    table, _ = read_delimited(path, as_numbers=lambda _: True)
    assert [str(kind) for kind in table.schema.types] == ["double", "string"]
    data = sudare.read(path)
    assert isinstance(data["a"], Numeric)
    assert data["a"].values[-4:].tolist()[:2] == [1e-05, -0.5]
    assert data["a"].missing.sum() == 2


@pytest.mark.parametrize("last", ["0123", "00.5", "-01.5", "word", "9007199254740993"])
def test_what_would_lose_something_stays_text(read_text: Read, last: str) -> None:
    data = read_text(text(last))
    assert isinstance(data["a"], Categorical)
    assert last in data["a"].labels


@pytest.mark.parametrize("last", [" 1.5", "1.5 ", "\t2.5", '" 3.5"', "+4.5", "１．５"])
def test_other_ways_of_writing_are_read_and_written_back(
    read_text: Read, tmp_path: Path, last: str
) -> None:
    data = read_text(text(last))
    assert isinstance(data["a"], Numeric)
    assert data["a"].values[-1] in {1.5, 2.5, 3.5, 4.5}
    if last != "+4.5":
        assert data.origin is not None
        assert "'a' read as numbers" in data.origin.notes[0]
        written = sudare.write(data, tmp_path / "out.csv").read_text("utf-8")
        assert written.splitlines()[-1] == f"{last.strip(chr(34))},x"


def test_zeros_in_front_of_codes_do_not_hinder_decimals(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("code,v\n" + "".join(f"0{n},{n}.5\n" for n in range(100, 9000)))
    table, _ = read_delimited(path, as_numbers=lambda _: True)
    assert str(table.schema.field("v").type) == "double"
    path.write_text("code,v\n" + "".join(f"0{n},{n}.5\n" for n in range(100, 9000)) + "01,02.5\n")
    assert isinstance(sudare.read(path)["v"], Categorical)


def test_infinite_decimals_are_refused(read_text: Read) -> None:
    with pytest.raises(ColumnError, match="1 infinite"):
        read_text(text("inf"))


def test_words_for_absence_are_found_among_decimals(read_text: Read) -> None:
    data = read_text(text("-9.0"), missing={"a": ["-9.0"]})
    assert data["a"].missing.sum() == 1


def test_bytes_are_counted_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    cells = ["0123", "0.5", "-07", "1e-05", "10", '"05"', "a b", "0", "20-05"]
    drawn = rng.choice(len(cells), 400)
    path = tmp_path / "in.csv"
    path.write_text("".join(f"{cells[i]},{cells[j]}\n" for i, j in drawn.reshape(-1, 2)))
    expected = sum(cells[i] in {"0123", "-07", '"05"'} for i in drawn)
    for size in (1, 2, 3, 7, 1 << 18):
        monkeypatch.setattr("sudare.engine.formats.text.decimal_columns._CHUNK", size)
        seen = look_at_bytes(path, ",")
        assert (seen.padded, seen.has_blank_ends, seen.has_quotes) == (expected, False, True)
    path.write_text("a ,b\n")
    assert look_at_bytes(path, ",").has_blank_ends


@pytest.mark.parametrize("last", ["", "7.125", "-0.50"])
def test_fixed_decimals_come_back_unless_a_number_has_more(tmp_path: Path, last: str) -> None:
    path = tmp_path / "in.csv"
    path.write_text(
        "a,b\n" + "".join(f"{n}.{n % 100:02d},x\n" for n in range(9000)) + f"{last},x\n"
    )
    lines = sudare.write(sudare.read(path), tmp_path / "out.csv").read_text().splitlines()
    assert (lines == path.read_text().splitlines()) == (last != "7.125")
    assert lines[-1] == f"{last},x"
    data = sudare.read(path)
    some = sudare.write(data.take(np.array([10, 20])), tmp_path / "some.csv").read_text()
    assert some == "a,b\n10.10,x\n20.20,x\n"
