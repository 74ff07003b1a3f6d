"""Bad tables are refused in one sentence that says where and what to do."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudare
from sudare.core.errors import ColumnError, InputError, OutputError, SettingError
from tests.engine.conftest import Save

Read = Callable[..., sudare.Microdata]
QUOTED = 'note\n\na,b,c\n1,"x\ny\nz",3\n'


def test_an_empty_file_is_refused(read_text: Read) -> None:
    with pytest.raises(InputError, match=r"'.*table.csv' is empty\."):
        read_text("")


@pytest.mark.parametrize("text", ["\n\n\n", "\ufeff", "\ufeff\n", ",,,\n,,,\n"])
def test_a_file_without_a_header_is_refused(read_text: Read, text: str) -> None:
    with pytest.raises(InputError, match=r"no line of column names|no rows"):
        read_text(text)


@pytest.mark.parametrize("text", ["a,b", "a,b\n", "a,b\n\n\n", "note\n\na,b\n"])
def test_a_header_without_rows_is_refused(read_text: Read, text: str) -> None:
    with pytest.raises(InputError, match="column names but no rows"):
        read_text(text)


def test_column_names_that_occur_twice_are_refused(read_text: Read) -> None:
    with pytest.raises(InputError, match="2 column names occur more than once: a, b; rename them"):
        read_text("a,b,a,b,c\n1,2,3,4,5\n")
    with pytest.raises(InputError, match="1 column name occurs more than once: a;"):
        read_text(" a,a \n1,2\n")


@pytest.mark.parametrize(
    ("text", "line", "fields"),
    [
        ("a,b,c\n1,2,3\n1,2\n", 3, 2),
        ("a,b,c\n1,2,3\n\n1,2,3,4\n", 4, 4),
        ("a,b,c\n1,2,3\n1,2,3,\n", 3, 4),
        (QUOTED + "1,2\n", 7, 2),
        (QUOTED + '1,"x\ny",3,4\n', 7, 4),
        (QUOTED.replace("\n", "\r\n") + "1,2\r\n", 7, 2),
        ("a,b,c\n" + "1,2,3\n" * 100_000 + "1\n", 100_002, 1),
        ("a,b,c\n" + "x" * 200_000 + ",2,3\n1,2\n", 3, 2),
        ("a,b,c\n1,2,3\nfootnote\n", 3, 1),
    ],
)
def test_ragged_rows_are_refused_by_line(
    read_text: Read, text: str, line: int, fields: int
) -> None:
    message = f"line {line} of .* has {fields} fields? where the header has 3; correct it"
    with pytest.raises(InputError, match=message):
        read_text(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n1,"x\n2,3\n4,5\n', 2),
        ('note\n\na,b\n1,2\n3,"x\n4,5', 5),
        ('a,b\n1,2\n3,"x\r\n4,5\r\n', 3),
        ('a\n1\n"2\n3\n', 3),
    ],
)
def test_a_quote_that_is_never_closed_is_refused_by_line(
    read_text: Read, text: str, line: int
) -> None:
    with pytest.raises(InputError, match=f"row that starts at line {line} .* does not end"):
        read_text(text)


@pytest.mark.parametrize("field", ["x", '"x'], ids=["one long word", "unclosed quote"])
def test_a_field_of_millions_of_characters_is_refused_within_bounds(
    tmp_path: Path, field: str
) -> None:
    path = tmp_path / "long.csv"
    with path.open("w") as file:
        file.write(f"a,b\n1,2\n3,{field}")
        for _ in range(64):
            file.write("y" * (1 << 20))
    script = (
        "import re, sys, sudare\n"
        "try:\n    sudare.read(sys.argv[1])\n"
        "except sudare.errors.InputError as error:\n    print(error)\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    sentence, peak = run.stdout.splitlines()
    assert "row that starts at line 3" in sentence
    assert "longer than 16777216 characters; perhaps a quote was never closed." in sentence
    assert int(peak) < 500 * 1024, "kilobytes"


def test_a_first_line_without_end_is_refused(read_text: Read) -> None:
    with pytest.raises(InputError, match="no line of column names, or one longer than 16777216"):
        read_text("x" * (1 << 25))


@pytest.mark.parametrize("setting", ["roles", "scales", "orders"])
def test_a_column_that_is_not_there_is_refused_with_the_nearest(
    read_text: Read, setting: str
) -> None:
    words = {"roles": "key", "scales": "nominal", "orders": ["x"]}
    with pytest.raises(ColumnError, match="no column 'incme'; did you mean 'income'"):
        read_text("age,income\n1,2\n", **{setting: {"incme": words[setting]}})


def test_weights_and_households_must_be_there(read_text: Read) -> None:
    with pytest.raises(ColumnError, match="no column 'wt'"):
        read_text("age,weight\n1,2\n", weights="wt")
    with pytest.raises(ColumnError, match="did you mean 'house'"):
        read_text("age,house\n1,2\n", household="hous")


def test_roles_and_scales_that_do_not_exist_are_refused(read_text: Read) -> None:
    with pytest.raises(SettingError, match="column 'a': role must be one of identifier, key"):
        read_text("a,b\n1,2\n", roles={"a": "kee"})
    with pytest.raises(SettingError, match="column 'a': scale must be one of nominal"):
        read_text("a,b\n1,2\n", scales={"a": "rational"})


def test_an_option_that_does_not_exist_is_refused(read_text: Read) -> None:
    with pytest.raises(SettingError, match="no option 'encodng'; did you mean 'encoding'"):
        read_text("a,b\n1,2\n", encodng="utf-8")


def test_a_directory_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; give a file"):
        sudare.read(tmp_path)
    with pytest.raises(InputError, match=r"there is no file '.*nowhere.csv'"):
        sudare.read(tmp_path / "nowhere.csv")


@pytest.mark.parametrize("name", ["table.doc", "table", "table.csv.gz"])
def test_an_unknown_ending_is_refused(save: Save, name: str) -> None:
    path = save("a,b\n1,2\n", name)
    with pytest.raises(InputError, match=r"cannot tell the format .* use one of \.csv, \.tsv"):
        sudare.read(path)
    with pytest.raises(SettingError, match=r"cannot write '.*' files; use one of \.csv"):
        sudare.write(sudare.read(pl.DataFrame({"a": [1]})), path.with_suffix(".doc"))


@pytest.mark.parametrize(
    "ending", ["parquet", "pq", "xlsx", "xls", "ods", "sav", "zsav", "dta", "xpt", "sas7bdat"]
)
@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PAR1" + b"x" * 500 + b"PAR1", b"PK\3\4"])
def test_a_file_that_is_not_what_its_ending_says_is_refused(
    save: Save, ending: str, content: bytes
) -> None:
    with pytest.raises(InputError, match=f"'.*table.{ending}' (is not|could not be read)"):
        sudare.read(save(content, f"table.{ending}"))


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "sav"])
@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_half_a_file_is_refused(tmp_path: Path, save: Save, ending: str, part: float) -> None:
    data = sudare.read(pl.DataFrame({"a": list(range(500)), "b": ["x", "y"] * 250}))
    whole = sudare.write(data, tmp_path / f"whole.{ending}").read_bytes()
    with pytest.raises(InputError, match="damaged"):
        sudare.read(save(whole[: int(len(whole) * part)], f"half.{ending}"))


def test_a_damaged_page_of_parquet_is_refused(tmp_path: Path, save: Save) -> None:
    pq.write_table(pa.table({"a": [str(i) for i in range(5_000)]}), tmp_path / "t.parquet")
    content = bytearray((tmp_path / "t.parquet").read_bytes())
    content[100:4_000] = b"\xff" * 3_900
    with pytest.raises(InputError, match="not a Parquet file, or is damaged"):
        sudare.read(save(bytes(content), "bad.parquet"))


def test_something_that_is_no_table_is_refused() -> None:
    for thing in (5, {"a": [1]}, [1, 2], pl.Series([1])):
        with pytest.raises(InputError, match=r"cannot read a .*; give a path or a pandas"):
            sudare.read(thing)


def test_output_that_exists_needs_leave(tmp_path: Path) -> None:
    data = sudare.read(pl.DataFrame({"a": [1]}))
    path = sudare.write(data, tmp_path / "out.csv")
    with pytest.raises(OutputError, match=r"exists; choose another name, or allow overwriting"):
        sudare.write(data, path)
    sudare.write(data, path, overwrite=True)


def test_output_needs_a_directory_and_a_name(tmp_path: Path) -> None:
    data = sudare.read(pl.DataFrame({"a": [1]}))
    with pytest.raises(OutputError, match=r"there is no directory '.*nowhere'"):
        sudare.write(data, tmp_path / "nowhere" / "out.csv")
    (tmp_path / "dir.csv").mkdir()
    with pytest.raises(OutputError, match="is a directory; give a file name"):
        sudare.write(data, tmp_path / "dir.csv", overwrite=True)
