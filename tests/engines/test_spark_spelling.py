"""A release from Spark has one spelling of each value, as one from memory has."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.test_cli import leave

pytestmark = pytest.mark.xdist_group("spark")

ABOUT = ("-k", "age", "-k", "since", "-k", "region", "--type", "age=number", "--type", "since=date")
WORDS: dict[str, tuple[str, ...]] = {"none": (), "stated": ("--missing", "refused")}


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("order", [(), ("--confirm", "order")], ids=["drawn", "kept"])
def test_typed_texts_are_written_plainly(
    words: tuple[str, ...], order: tuple[str, ...], tmp_path: Path, cluster: Any
) -> None:
    survey = tmp_path / "survey.parquet"
    columns = {
        "age": ["40", "40.0", "+40", "0", "-0", "41"] * 50,
        "since": ["2024-04-01", "2024/4/1", "R6.4.1"] * 100,
        "region": [*"abcdef"] * 50,
    }
    pq.write_table(pa.table(columns), survey)
    on = (*ABOUT, "--engine", "spark", "--master", cluster.address, *words, *order)
    step = ("--step", "pram: retain = 0.5, columns = ['region']")
    assert leave("mask", survey, "-o", tmp_path / "out.parquet", *on, *step) == 0
    assert leave("mask", survey, "-o", tmp_path / "kept.parquet", *on, *step, "--internal") == 0
    released = pq.read_table(tmp_path / "out.parquet")
    assert {str(value) for value in released["age"].to_pylist()} == {"0.0", "40.0", "41.0"}
    assert len(set(released["since"].to_pylist())) == 1
