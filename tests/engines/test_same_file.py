"""The same seed gives the same masked table on every engine, and on any number of partitions."""

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudare
from tests.engines.people import READING, RECIPES, people

pytestmark = pytest.mark.xdist_group("spark")


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return people()


def masked(frame: Any, recipe: str) -> pa.Table:
    data = sudare.read(frame, **READING)
    return sudare.apply(data, RECIPES[recipe], seed=7).data.to_frame("pyarrow")


def in_partitions(spark: Any, folder: Path, table: pa.Table, partitions: int) -> Any:
    """Return a Spark frame of one file per partition."""
    folder.mkdir(exist_ok=True)
    size = -(-table.num_rows // partitions)
    for number in range(partitions):
        pq.write_table(table.slice(number * size, size), folder / f"{number}.parquet")
    spark.conf.set("spark.sql.files.openCostInBytes", 1 << 30)  # a partition for each file
    frame = spark.read.parquet(str(folder))
    assert frame.rdd.getNumPartitions() == partitions
    return frame


@pytest.fixture(scope="module", params=[1, 3, 7])
def opened(
    request: pytest.FixtureRequest,
    spark: Any,
    table: pa.Table,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Any, pa.Table]:
    """A Spark frame of some partitions, opened, and in memory: Spark orders files by size."""
    frame = in_partitions(spark, tmp_path_factory.mktemp("people"), table, request.param)
    return sudare.open(frame, **READING), frame.toArrow()


@pytest.mark.parametrize("recipe", RECIPES)
def test_frames_in_memory(table: pa.Table, recipe: str) -> None:
    wanted = masked(table, recipe)
    for other in (
        pl.DataFrame(table),
        duckdb.from_arrow(table),
        table.to_pandas(types_mapper=_arrow),
    ):
        assert _plain(masked(other, recipe)).equals(_plain(wanted))


def _arrow(kind: pa.DataType) -> Any:
    import pandas as pd

    return pd.ArrowDtype(kind)


def _plain(table: pa.Table) -> pa.Table:
    """Return a table with one type for text, of which Arrow has three."""
    text = {pa.large_string(), pa.string_view()}
    return table.cast(
        pa.schema([f.with_type(pa.string()) if f.type in text else f for f in table.schema])
    ).replace_schema_metadata()


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_file_that_is_not_in_memory(table: pa.Table, recipe: str, tmp_path: Path) -> None:
    pq.write_table(table, tmp_path / "people.parquet", row_group_size=700)
    opened = sudare.open(tmp_path / "people.parquet", **READING)
    result = sudare.apply(opened, RECIPES[recipe], seed=7).data.to_frame("pyarrow")
    assert _plain(result).equals(_plain(masked(table, recipe)))


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_spark_frame(opened: tuple[Any, pa.Table], recipe: str) -> None:
    there, here = opened
    result = sudare.apply(there, RECIPES[recipe], seed=7).data.to_frame()
    assert result.toArrow().equals(masked(here, recipe))
