"""SPSS, Stata and SAS files: value labels are categories, and their numbers come back."""

import datetime as dt
import struct
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyreadstat
import pytest

import sudare
from sudare.core.errors import OutputError
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.engine.formats.statfiles import undated
from tests.engine.looking import NA, cells, table

LABELLED = pl.DataFrame(
    {
        "sex": [1.0, 2.0, None, 1.0],
        "area": [30.0, 10.0, 20.0, 10.0],
        "income": [512.5, 99.0, 120.0, None],
        "answer": [8.0, 9.0, 1.0, 1.0],
        "name": ["山田", "佐藤", "", "高橋"],
        "day": [dt.date(2020, 2, 29), None, dt.date(1950, 1, 1), dt.date(2000, 12, 31)],
        "when": [dt.datetime(2020, 2, 29, 10, 30), None, None, dt.datetime(1999, 1, 1)],
    }
)
LABELS = {
    "sex": {1: "男", 2: "女"},
    "area": {10: "north", 20: "south", 30: "east", 40: "west"},
    "income": {99: "refused"},
    "answer": {1: "yes", 8: "no answer", 9: "no answer"},
}
DESCRIPTIONS = {"sex": "性別", "income": "monthly income"}
WRITERS: dict[str, Any] = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}
READERS: dict[str, Any] = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta}


@pytest.fixture(params=["sav", "dta"])
def ending(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def labelled(tmp_path: Path, ending: str) -> Path:
    path = tmp_path / f"in.{ending}"
    frame = LABELLED
    if ending == "dta":  # Stata has value labels for whole numbers only
        frame = frame.with_columns(pl.col("sex", "area", "answer").cast(pl.Int32))
        labels = {name: LABELS[name] for name in ("sex", "area", "answer")}
    else:
        labels = LABELS
    WRITERS[ending](
        frame, str(path), variable_value_labels=labels, column_labels=dict(DESCRIPTIONS)
    )
    return path


def raw(path: Path) -> tuple[pl.DataFrame, Any]:
    frame, meta = READERS[path.suffix[1:]](str(path), output_format="polars")
    return frame, meta


def test_value_labels_become_categories_in_the_order_of_their_numbers(labelled: Path) -> None:
    data = sudare.read(labelled)
    assert cells(data, "sex") == ["男", "女", None, "男"]
    area = data["area"]
    assert isinstance(area, Categorical)
    assert area.labels == ("north", "south", "east", "west")
    assert cells(data, "name") == ["山田", "佐藤", None, "高橋"]
    assert data["day"].scale == data["when"].scale == "interval"


def test_numbers_that_are_labelled_in_part_stay_numbers(labelled: Path) -> None:
    data = sudare.read(labelled)
    assert cells(data, "income") == [512.5, 99.0, 120.0, None]
    assert isinstance(data["answer"], Numeric), "two numbers have the same label"


def test_numbers_labels_and_descriptions_come_back_as_they_were(labelled: Path) -> None:
    out = sudare.write(sudare.read(labelled), labelled.with_stem("out"))
    before, known = raw(labelled)
    after, meta = raw(out)
    assert after.to_dict(as_series=False) == before.to_dict(as_series=False)
    assert meta.column_names_to_labels == known.column_names_to_labels
    expected = {**known.variable_value_labels}
    assert meta.variable_value_labels == expected
    assert sudare.read(out).equals(sudare.read(labelled))


def test_labels_that_masking_made_get_new_numbers(labelled: Path) -> None:
    data = sudare.read(labelled, roles={"area": "key"})
    masked = sudare.apply(data, sudare.mask.GlobalRecode(min_share=0.3)).data
    assert cells(masked, "area") == ["east・south", "north", "east・south", "north"]
    after, meta = raw(sudare.write(masked, labelled.with_stem("out")))
    assert after["area"].to_list() == [41, 10, 41, 10]
    assert meta.variable_value_labels["area"] == {10: "north", 41: "east・south"}


def test_labels_for_absence_are_set_apart_and_come_back(labelled: Path) -> None:
    said: Any = {"not_applicable": ["south", "99"], "missing": ["女"]}
    data = sudare.read(labelled, **said)
    assert cells(data, "area") == ["east", "north", NA, "north"]
    assert cells(data, "sex") == ["男", None, None, "男"]
    assert cells(data, "income") == [512.5, NA, 120.0, None]
    after, _ = raw(sudare.write(data, labelled.with_stem("out")))
    assert after["area"].to_list() == [30, 10, 20, 10]
    assert after["income"].to_list() == [512.5, 99, 120, None]


def test_numbers_made_labels_keep_their_numbers(labelled: Path) -> None:
    data = sudare.read(labelled, scales={"answer": "nominal"})
    assert data["answer"].coded.labels == (1, 8, 9)
    after, meta = raw(sudare.write(data, labelled.with_stem("out")))
    assert after["answer"].to_list() == [8, 9, 1, 1]
    assert meta.variable_value_labels["answer"] == LABELS["answer"]


def test_columns_may_be_left_out(labelled: Path) -> None:
    data = sudare.read(labelled).without(["sex", "income"])
    after, _ = raw(sudare.write(data, labelled.with_stem("out")))
    assert "sex" not in after.columns


FRAME = pl.DataFrame(
    {
        "whole": [1, None, -300],
        "small": pl.Series([1, None, 2], dtype=pl.Int8),
        "big": [2**53 + 1, None, 3],
        "part": [1.5, None, 2.0],
        "text": ["甲", None, "丙"],
        "day": [dt.date(2020, 2, 29), None, dt.date(1950, 1, 1)],
        "when": [dt.datetime(2020, 2, 29, 10, 30), None, dt.datetime(1999, 1, 1)],
        "span": [dt.timedelta(hours=1), None, dt.timedelta(0)],
    }
)


@pytest.mark.parametrize("suffix", ["sav", "zsav", "dta", "xpt"])
def test_a_table_from_elsewhere_survives(tmp_path: Path, suffix: str) -> None:
    data = sudare.read(FRAME)
    again = sudare.read(sudare.write(data, tmp_path / f"out.{suffix}"))
    expected: dict[str, Any] = {
        **table(data),
        "big": ["9007199254740993", None, "3"],
        "span": [3600.0, None, 0.0],
    }
    assert table(again) == expected
    frame: Any = again.to_frame()
    assert frame.schema["whole"] == frame.schema["small"] == pl.Int64
    assert frame["day"].to_list() == FRAME["day"].to_list()


@pytest.mark.parametrize("suffix", ["sav", "dta", "xpt"])
def test_categories_from_elsewhere_are_written_as_text(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"c": ["b", "a"], "t": [True, False]}).cast({"c": pl.Enum(["b", "a"])})
    again = sudare.read(sudare.write(sudare.read(frame), tmp_path / f"out.{suffix}"))
    assert table(again) == {"c": ["b", "a"], "t": [1.0, 0.0]}


def test_names_that_a_format_forbids_are_refused(tmp_path: Path) -> None:
    data = sudare.read(pl.DataFrame({"a b": [1], "marital-status": [1], "実収入（千円）": [1]}))
    for suffix in ("sav", "dta"):
        with pytest.raises(OutputError, match=r"no such names of columns: a b, marital-status; "):
            sudare.write(data, tmp_path / f"out.{suffix}")
    with pytest.raises(OutputError, match=r"^\.xpt: variable name 'a b' contains a sp"):
        sudare.write(data, tmp_path / "out.xpt")
    assert list(tmp_path.iterdir()) == []


def test_sas_data_sets_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"can be read but not written; write \.xpt"):
        sudare.write(sudare.read(FRAME), tmp_path / "out.sas7bdat")


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".dta", ".xpt"])
def test_a_file_without_its_time_of_writing_has_the_same_numbers(
    tmp_path: Path, suffix: str
) -> None:
    """The bias that compressed files of SPSS decode small whole numbers by stands before it."""
    path = tmp_path / f"table{suffix}"
    data = sudare.Microdata((Numeric("income", np.arange(20.0, 60.0)),))
    sudare.write(data, path)
    undated(path, suffix)
    written = path.read_bytes()
    assert sudare.read(path)["income"].numeric.values.tolist() == list(range(20, 60))
    if suffix.endswith("sav"):
        assert written[84:109] == struct.pack("<d", 100.0) + b"01 Jan 8000:00:00"
