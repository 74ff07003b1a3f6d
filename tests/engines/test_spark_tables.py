"""Spark frames as large tables: what they compute, what goes out, what is refused."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudare
from sudare.core import same_values
from sudare.core.errors import InputError, MismatchError, SudareError
from sudare.engine.spark import spark_table
from sudare.engine.spark.rows import answered
from tests.engines.people import READING, people

pytestmark = pytest.mark.xdist_group("spark")


@pytest.fixture(scope="module")
def data() -> sudare.Microdata:
    return sudare.read(people(), **READING)


@pytest.fixture(scope="module")
def frame(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("tables")
    pq.write_table(people(), folder / "people.parquet", row_group_size=500)
    spark.conf.set("spark.sql.files.maxPartitionBytes", 50_000)
    frame = spark.read.parquet(str(folder))
    assert frame.rdd.getNumPartitions() > 2
    spark.conf.set("spark.sql.files.maxPartitionBytes", 1 << 27)
    return frame


@pytest.fixture(scope="module")
def opened(frame: object) -> sudare.LargeTable:
    return sudare.open(frame, **READING)


PRAM = sudare.mask.Pram(columns=("region", "job"))


def test_roles_and_counts_are_shown_and_no_value(opened: sudare.LargeTable) -> None:
    assert repr(opened).startswith("<SparkTable 3000 rows × 12 columns: 1 identifier, 4 key")


@pytest.mark.parametrize("names", [["region", "job"], ["age"], ["income", "sex", "flat"]])
def test_counts_are_those_of_the_table_in_memory(
    opened: Any, data: sudare.Microdata, names: list[str], tmp_path: Path
) -> None:
    pq.write_table(people(), tmp_path / "people.parquet")
    for masker in ([], [PRAM]):
        there = sudare.apply(opened, masker, seed=1).data
        file = sudare.apply(sudare.open(tmp_path / "people.parquet", **READING), masker, seed=1)
        counted, wanted = there.counted(names), file.data.counted(names)
        assert all(same_values(counted[name], wanted[name]) for name in names)
        np.testing.assert_allclose(counted.weights, wanted.weights, rtol=1e-14)
        assert counted.copies is not None
        assert wanted.copies is not None
        assert counted.copies.tolist() == wanted.copies.tolist()


def test_pairs_are_counted_with_a_table_masked_from_it(opened: Any) -> None:
    after = sudare.apply(opened, PRAM, seed=1).data
    before, masked = opened.counted_with(after, ["region", "sex"])
    assert before.records == masked.records == 3000
    assert before["sex"].codes.tolist() == masked["sex"].codes.tolist()


def test_pairs_are_counted_with_another_frame(spark: Any, opened: Any, tmp_path: Path) -> None:
    after = sudare.apply(opened, PRAM, seed=1).data
    after.to_frame().write.parquet(str(tmp_path / "after"))
    other = sudare.open(spark.read.parquet(str(tmp_path / "after")), **READING)
    ours, wanted = (opened.counted_with(table, ["region", "job"]) for table in (other, after))
    for table, expected in zip(ours, wanted, strict=True):
        assert table.copies.tolist() == expected.copies.tolist()
        assert table.equals(expected)


def test_frames_of_different_length_are_no_pair(frame: Any, opened: Any) -> None:
    with pytest.raises(MismatchError, match="3000 rows"):
        opened.counted_with(sudare.open(frame.limit(10), **READING), ["sex"])


def test_a_sample_is_the_same_everywhere(opened: Any, tmp_path: Path) -> None:
    pq.write_table(people(), tmp_path / "people.parquet")
    file = sudare.open(tmp_path / "people.parquet", **READING)
    assert opened.sample(50, seed=3).equals(file.sample(50, seed=3))


def test_a_masked_frame_can_be_written_to_one_file(
    opened: Any, data: sudare.Microdata, tmp_path: Path
) -> None:
    noise = sudare.mask.Noise(columns=("income", "age"))
    sudare.write(sudare.apply(opened, noise, seed=2).data, tmp_path / "there.parquet")
    sudare.write(sudare.apply(data, noise, seed=2).data, tmp_path / "here.parquet")
    there, here = (pq.read_table(tmp_path / f"{name}.parquet") for name in ("there", "here"))
    assert there.cast(here.schema).equals(here)


def test_what_is_private_is_so_while_it_is_written(
    opened: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[str] = []

    def watched(action: Callable[[], Any]) -> Any:
        done = answered(action)
        modes.extend(stat.filemode(path.stat().st_mode) for path in tmp_path.iterdir())
        return done

    monkeypatch.setattr(spark_table, "answered", watched)
    path = spark_table.write_parts(opened, tmp_path / "kept.parquet", private=True)
    assert set(modes) == {"drwx------"}
    assert list(tmp_path.iterdir()) == [path]
    assert stat.filemode(path.stat().st_mode) == "drwx------"
    assert pq.read_table(path).num_rows == 3000


def test_a_column_can_number_the_rows(frame: Any, data: sudare.Microdata) -> None:
    numbered = frame.toArrow().append_column("row", pa.array(range(3000)))
    shuffled = frame.sparkSession.createDataFrame(numbered).repartition(5, "name")
    opened = sudare.open(shuffled, row_number="row", **READING)
    assert "row" not in opened
    wanted = sudare.apply(data, PRAM, seed=1).data.to_frame("pyarrow")
    assert sudare.apply(opened, PRAM, seed=1).data.to_frame("pyarrow").equals(wanted)


@pytest.mark.parametrize("exact_up_to", [1000, 5000])
def test_microaggregation_in_parts(opened: Any, tmp_path: Path, exact_up_to: int) -> None:
    pq.write_table(people(), tmp_path / "people.parquet")
    file = sudare.open(tmp_path / "people.parquet", **READING)
    maskers = [
        sudare.mask.Microaggregation(columns=("income", "spending"), exact_up_to=exact_up_to),
        sudare.mask.Rounding(columns=("income",)),
    ]
    there, wanted = (sudare.apply(table, maskers, seed=1) for table in (opened, file))
    assert there.data.to_frame("pyarrow").equals(wanted.data.to_frame("pyarrow"))
    assert there.steps[0].public == wanted.steps[0].public
    before, after = opened.counted_with(there.data, ["income"])
    assert before.records == after.records == 3000


@pytest.mark.parametrize("scale", ["sd", "range"])
def test_numbers_of_any_size_in_parts(spark: Any, tmp_path: Path, scale: Any) -> None:
    x, y = np.random.default_rng(5).normal(size=(2, 1500)).round(2)
    table = pa.table({"x": x * 1e200, "y": y * 1e-200})
    pq.write_table(table, tmp_path / "far.parquet")
    roles: dict[str, Any] = {"x": "key", "y": "key"}
    tables = (
        sudare.open(spark.createDataFrame(table), roles=roles),
        sudare.open(tmp_path / "far.parquet", roles=roles),
    )
    for masker in (
        sudare.mask.Microaggregation(scale=scale, exact_up_to=1000),
        sudare.mask.UnivariateMicroaggregation(),
    ):
        there, wanted = (sudare.apply(table, masker).steps[0].public for table in tables)
        assert there == wanted
        assert all(0 < facts["sse_share"] < 0.01 for facts in there.values())


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("array(1)", "array<int>"),
        ("map('a', 1)", "map<string,int>"),
        ("struct(1 as b)", "struct<b:int>"),
        ("cast('a' as binary)", "binary"),
        ("make_ym_interval(1)", "interval year to month"),
    ],
)
def test_a_type_that_we_do_not_have_is_a_sentence(spark: Any, expression: str, kind: str) -> None:
    with pytest.raises(InputError, match="neither numbers, dates nor") as refused:
        sudare.open(spark.sql(f"select 1 as a, {expression} as odd"))
    assert f"column 'odd' has the type {kind}," in str(refused.value)


def test_frames_without_rows_are_refused(spark: Any) -> None:
    with pytest.raises(InputError, match="no rows"):
        sudare.open(spark.range(0))


def test_spark_frames_are_opened_and_not_read(frame: Any) -> None:
    with pytest.raises(InputError, match=r"use sudare\.open"):
        sudare.read(frame)


def test_other_frames_are_read_and_not_opened() -> None:
    with pytest.raises(InputError, match="cannot open a Table"):
        sudare.open(people())


def test_what_needs_the_whole_table_says_so(opened: Any) -> None:
    with pytest.raises(SudareError, match="sample"):
        sudare.apply(opened, sudare.mask.RankSwapping(columns=("income",)), seed=1)
