"""Rows of a Spark frame keep their numbers wherever they are computed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sudare.core.errors import ColumnError, InputError, MissingPartError
from sudare.engine.spark.rows import Block, NumberedFrame

pytestmark = pytest.mark.xdist_group("spark")


def numbers_are_ids(blocks: Iterator[Block]) -> tuple[int, bool]:
    rows, right = 0, True
    for first, table in blocks:
        rows += table.num_rows
        right &= table.column("id").to_pylist() == list(range(first, first + table.num_rows))
    return rows, right


def _check(numbered: NumberedFrame, rows: int) -> None:
    answers = numbered.select(("id",)).gathered(numbers_are_ids)
    assert sum(count for count, _ in answers) == rows
    assert all(right for _, right in answers)


@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_rows_are_numbered_over_the_partitions(spark: Any, partitions: int) -> None:
    numbered = NumberedFrame.of(spark.range(0, 10_000, numPartitions=partitions))
    assert numbered.numbering.records == 10_000
    _check(numbered, 10_000)


def test_partitions_may_be_empty(spark: Any) -> None:
    frame = spark.range(0, 1000, numPartitions=4).filter("id < 10 or id >= 990")
    kept = NumberedFrame.of(frame).select(("id",)).gathered(_starts)
    assert sorted(start for answer in kept for start in answer) == [(0, 0), (10, 990)]


def _starts(blocks: Iterator[Block]) -> list[tuple[int, int]]:
    return [(first, table.column("id")[0].as_py()) for first, table in blocks]


def test_a_column_can_number_the_rows_of_a_shuffled_frame(spark: Any) -> None:
    shuffled = spark.range(0, 10_000, numPartitions=3).repartition(5, "id")
    _check(NumberedFrame.of(shuffled, "id"), 10_000)


@pytest.mark.parametrize("expression", ["id + 1", "id div 2", "nullif(id, 3)", "id * 2"])
def test_numbers_with_gaps_are_refused(spark: Any, expression: str) -> None:
    frame = spark.range(0, 10, numPartitions=2).selectExpr(f"{expression} as id")
    with pytest.raises(ColumnError, match="does not number the rows"):
        NumberedFrame.of(frame, "id")


def test_row_numbers_must_be_whole(spark: Any) -> None:
    with pytest.raises(ColumnError, match="row numbers must be whole"):
        NumberedFrame.of(spark.range(3).selectExpr("id / 2 as id"), "id")


def test_a_frame_that_comes_out_differently_is_refused(spark: Any) -> None:
    numbered = NumberedFrame.of(spark.range(0, 1000, numPartitions=2))
    assert numbered.numbering.records == 1000
    other = NumberedFrame(spark.range(0, 1100, numPartitions=2), numbered.counted)
    with pytest.raises(InputError, match="come out differently"):
        other.select(("id",)).gathered(numbers_are_ids)
    fewer = NumberedFrame(spark.range(0, 900, numPartitions=2), numbered.counted)
    with pytest.raises(InputError, match="come out differently"):
        fewer.select(("id",)).gathered(numbers_are_ids)


def test_an_executor_without_the_package_is_a_sentence(spark: Any, tmp_path: Path) -> None:
    context = spark.sparkContext
    own = context.pythonExec
    context.pythonExec = str(_python_without_sudare(tmp_path, own))
    try:
        with pytest.raises(MissingPartError, match="executors do not have sudare"):
            NumberedFrame.of(spark.range(10)).select(("id",)).gathered(numbers_are_ids)
    finally:
        context.pythonExec = own


def _python_without_sudare(folder: Path, python: str) -> Path:
    """A Python as on a machine where nobody has installed the package."""
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'sudare':\n"
        "            raise ModuleNotFoundError(\"No module named 'sudare'\")\n"
        "sys.meta_path.insert(0, Absent())\n"
    )
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}:$PYTHONPATH" exec {python} "$@"\n')
    script.chmod(0o755)
    return script
