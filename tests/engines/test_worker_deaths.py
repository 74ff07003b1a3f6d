"""Jobs survive the death of a worker; at the end, since its successor has everything to learn."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import sudare
from sudare.engine.spark.rows import Block, NumberedFrame
from tests.engines.cluster import Cluster
from tests.engines.people import READING, people
from tests.engines.test_rows_of_spark import numbers_are_ids
from tests.engines.test_same_file import in_partitions

pytestmark = pytest.mark.xdist_group("spark")


def survived(spark: Any, cluster: Cluster, job: Callable[[], Any], wait: Callable[[], None]) -> Any:
    """Return what a job gives although one of two workers dies after a while."""
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:  # with the driver
        time.sleep(0.05)
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(job()))
    thread.start()
    wait()
    cluster.kill_worker()
    thread.join()
    cluster.add_worker()
    return results[0]


def _slowly(flag: Path, blocks: Iterator[Block]) -> tuple[int, bool]:
    flag.with_suffix(f".{time.monotonic_ns()}").touch()
    time.sleep(0.5)
    return numbers_are_ids(blocks)


def test_a_job_survives_the_death_of_a_worker(spark: Any, cluster: Cluster, tmp_path: Path) -> None:
    numbered = NumberedFrame.of(spark.range(0, 100_000, numPartitions=12)).select(("id",))

    def begun() -> None:
        while not list(tmp_path.glob("began.*")):
            time.sleep(0.05)

    work = partial(_slowly, tmp_path / "began")
    answers = survived(spark, cluster, lambda: numbered.gathered(work), begun)
    assert sum(rows for rows, _ in answers) == 100_000
    assert all(right for _, right in answers)


def test_masking_survives_the_death_of_a_worker(
    spark: Any, cluster: Cluster, tmp_path: Path
) -> None:
    noise = [
        sudare.mask.Pram(columns=("region", "job")),
        sudare.mask.Noise(columns=("income", "age")),
    ]
    opened = sudare.open(in_partitions(spark, tmp_path, people(), 7), **READING)
    slow = sudare.apply(opened, noise, seed=1).data.to_frame().repartition(12)
    table = survived(spark, cluster, slow.toArrow, lambda: time.sleep(0.5))
    data = sudare.read(opened.to_frame("pyarrow"), **READING)
    wanted: Any = sudare.apply(data, noise, seed=1).data.to_frame("pyarrow")
    assert table.sort_by("name").equals(wanted.sort_by("name"))
