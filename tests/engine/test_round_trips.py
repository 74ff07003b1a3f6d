"""The law of the border: read, write, read again, and nothing has changed."""

import datetime as dt
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import sudare
from sudare.core.table.numeric import Numeric
from tests.engine.conftest import FRAMES
from tests.engine.looking import table

# Text that is missing by its emptiness, or is a NUL, is no label anywhere; lone surrogates are
# no text. Other control characters are as good as letters.
LABEL = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
)
NAME = st.text("abcXYZ年齢性別_'\"éß.;,|{}", min_size=1, max_size=6).filter(str.strip)
KINDS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "whole": (pa.int64(), st.integers(-(2**53), 2**53)),
    "short": (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    "long": (pa.int64(), st.integers(2**53 + 1, 2**59)),
    "real": (pa.float64(), st.floats(allow_nan=False, allow_infinity=False)),
    "text": (pa.string(), LABEL),
    "few": (pa.string(), st.sampled_from(["男", "女", "0123", "NA", "TRUE", 'a,"b"\n', " x "])),
    "truth": (pa.bool_(), st.booleans()),
    "day": (pa.date32(), st.dates(dt.date(1, 1, 1))),
    "time": (
        pa.timestamp("us"),
        st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2250, 1, 1)),
    ),
}


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Draw a table of mixed columns, with gaps, in which each column has a value."""
    rows = draw(st.integers(1, 12))
    names = draw(st.lists(NAME, min_size=1, max_size=5, unique_by=str.strip))
    arrays = []
    for _ in names:
        kind, values = KINDS[draw(st.sampled_from(sorted(KINDS)))]
        cells = draw(st.lists(st.none() | values, min_size=rows - 1, max_size=rows - 1))
        arrays.append(pa.array([draw(values), *cells], kind))
    return pa.table(arrays, names=names)


def rewritten(data: sudare.Microdata, name: str, **options: Any) -> sudare.Microdata:
    with tempfile.TemporaryDirectory() as folder:
        return sudare.read(sudare.write(data, Path(folder) / name), **options)


@given(tables())
def test_arrow_tables_come_back_as_they_were(given_table: pa.Table) -> None:
    back: Any = sudare.read(given_table).to_frame()
    assert back.equals(given_table)


@given(tables())
def test_parquet_keeps_everything(given_table: pa.Table) -> None:
    data = sudare.read(given_table)
    again = rewritten(data, "t.parquet")
    assert again.equals(data)
    assert [column.storage for column in again.columns] == [c.storage for c in data.columns]


@pytest.mark.parametrize("kind", FRAMES)
@settings(max_examples=30)
@given(given_table=tables())
def test_every_frame_library_keeps_everything(kind: str, given_table: pa.Table) -> None:
    data = sudare.read(given_table)
    again = sudare.read(data.to_frame(kind))
    assert again.equals(data)
    assert sudare.read(again.to_frame()).equals(data)


@pytest.mark.parametrize(
    "form",
    [{}, {"encoding": "utf-8-sig"}, {"encoding": "utf-16"}, {"suffix": "tsv"}],
    ids=["csv", "mark", "utf-16", "tsv"],
)
@settings(max_examples=40)
@given(given_table=tables())
def test_a_delimited_file_written_again_is_the_same_file(
    form: dict[str, str], given_table: pa.Table
) -> None:
    name, encoding = f"t.{form.get('suffix', 'csv')}", form.get("encoding", "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        first = sudare.write(sudare.read(given_table), Path(folder) / name, encoding=encoding)
        data = sudare.read(first, separator="\t" if name == "t.tsv" else ",", skip_rows=0)
        second = sudare.write(data, Path(folder) / f"again-{name}", encoding=encoding)
        third = sudare.read(second, separator="\t" if name == "t.tsv" else ",", skip_rows=0)
    assert third.equals(data)


@given(tables())
def test_a_csv_file_keeps_every_value_and_every_type_that_text_can_tell(
    given_table: pa.Table,
) -> None:
    data = sudare.read(given_table)
    again = rewritten(data, "t.csv", separator=",", skip_rows=0)
    assert again.names == tuple(name.strip() for name in data.names)
    for before, after in zip(data.columns, again.columns, strict=True):
        if isinstance(before, Numeric) and isinstance(after, Numeric):
            assert table(again)[after.name] == table(data)[before.name]
            assert after.scale == before.scale
        elif before.storage == after.storage == pa.string():  # else all labels were numbers
            assert table(again)[after.name] == table(data)[before.name]


@settings(max_examples=20)
@given(st.lists(st.none() | st.sampled_from(["-8", "99", "5", "skip"]), min_size=1, max_size=8))
def test_absence_of_both_kinds_stays_apart_in_files(values: list[str | None]) -> None:
    said: Any = {"missing": ["99"], "not_applicable": ["-8", "skip"]}
    data = sudare.read(pl.DataFrame({"v": [*values, "x"], "k": ["k"] * (len(values) + 1)}), **said)
    for name in ("t.csv", "t.parquet", "t.xlsx", "t.sav"):
        again = rewritten(data, name, **said)
        assert again["v"].missing.tolist() == data["v"].missing.tolist()
        if {"-8", "skip"} - set(values):  # one word stands for both
            assert again["v"].not_applicable.tolist() == data["v"].not_applicable.tolist()


def test_other_programs_read_what_is_written(tmp_path: Path, toy: sudare.Microdata) -> None:
    text = pl.read_csv(sudare.write(toy, tmp_path / "toy.csv"), infer_schema=False)
    parquet = pl.read_parquet(sudare.write(toy, tmp_path / "toy.parquet"))
    for frame in (text, parquet):
        assert frame.columns == list(toy.names)
        assert frame["region"].to_list() == table(toy)["region"]


CELLS: dict[str, list[str]] = {
    "decimals": ["1.50", "2", "9e3", "0.000001", "-3.0", ".5", "DK", "99", ""],
    "wholes": ["1", "-2", "99", "DK", "skip", ""],
    "labels": ["x", "y", "DK", "skip", "none", "99", ""],
    "thousands": ["1,234", "５", "△7", "DK", "skip", ""],
    "times": ["2024-01-01 10:30", "2024-01-02T00:00:01.5", "DK", ""],
    "days": ["2024-01-01", "DK", "skip", ""],
    "long": ["9007199254740993", "12345678901234567", "DK", "skip", ""],
}
READERS: tuple[Any, ...] = (sudare.read, sudare.open)
WORDS: Any = {"missing": ["DK", "99"], "not_applicable": ["skip", "none"]}


@settings(max_examples=60)
@given(st.data())
def test_unmasked_text_files_come_back_byte_for_byte(drawn: st.DataObject) -> None:
    rows = drawn.draw(st.integers(1, 8))
    columns = [
        drawn.draw(st.lists(st.sampled_from(CELLS[name]), min_size=rows, max_size=rows))
        for name in CELLS
    ]
    lines = [
        ",".join(f'"{c}"' if "," in c else c for c in row) for row in zip(*columns, strict=True)
    ]
    text = ",".join((*CELLS, "row")) + "\n" + "".join(f"{r},r{n}\n" for n, r in enumerate(lines))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.csv"
        path.write_text(text, "utf-8")
        for number, read in enumerate(READERS):
            out = sudare.write(read(path, **WORDS), Path(folder) / f"{number}.csv")
            assert out.read_text("utf-8") == text


def test_masked_columns_have_blanks_for_what_is_missing_and_the_others_their_words(
    tmp_path: Path,
) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a,b,c\n1.50,x,DK\n2,DK,1.50\nDK,skip,99\n", "utf-8")
    data = sudare.read(path, roles={"a": "key"}, **WORDS)
    masked = sudare.apply(data, sudare.mask.Rounding(base=1, columns=("a",)), seed=1).data
    lines = sudare.write(masked, tmp_path / "out.csv").read_text("utf-8").splitlines()
    assert lines == ["a,b,c", "2.0,x,DK", "2.0,DK,1.50", ",skip,99"]


def test_words_of_numbers_come_back_in_excel_beside_numbers(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a,b\n1.50,x\nDK,none\n9e3,DK\n", "utf-8")
    sheet = sudare.write(sudare.read(path, **WORDS), tmp_path / "out.xlsx")
    frame: Any = pl.read_excel(sheet, infer_schema_length=0)
    assert frame.to_dict(as_series=False) == {"a": ["1.5", "DK", "9000"], "b": ["x", "none", "DK"]}
    again = sudare.read(sheet, types={"a": "number"}, **WORDS)
    assert sudare.write(again, tmp_path / "b.csv").read_text().splitlines()[2] == "DK,none"
