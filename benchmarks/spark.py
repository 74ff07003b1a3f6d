"""What Spark costs through sudare, against PySpark written by hand for the same result.

Both run in one session with two cores, in turn. By hand means: only the columns that are needed,
labels by ``distinct``, rows numbered by partition, masking in ``mapInArrow`` with NumPy and the
same draws, and of k-anonymity the same figures: the smallest group, that of each key, and how many
records there are.

Ratios are of the median time, and of the median core time of all processes, which a busy machine
disturbs less.
"""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import functions

import sudare
from benchmarks.timing import core_seconds
from sudare.engine.spark.rows import quietly
from sudare.engine.spark.session import spark_session

RADICES = (2, 9, 16, 5, 41, 7, 14, 90)
KEYS = tuple(f"key{number}" for number in range(len(RADICES)))
MASKED = ("key2", "key4")
RETAIN, SEED = 0.9, 7
MAP = {f"c{code}": "low" if code < 8 else "high" for code in range(16)}


def make(path: Path, rows: int, files: int = 8) -> None:
    """Write a table of eight keys and two amounts."""
    path.mkdir()
    for number in range(files):
        rng = np.random.default_rng(number)
        size = rows // files
        columns: dict[str, Any] = {
            key: pa.array(np.array([f"c{code}" for code in range(radix)])).take(
                pa.array(rng.integers(0, radix, size))
            )
            for key, radix in zip(KEYS, RADICES, strict=True)
        }
        columns["income"] = np.round(rng.lognormal(8, 1, size), 2)
        columns["spending"] = np.round(rng.lognormal(7, 1, size), 2)
        pq.write_table(pa.table(columns), path / f"{number}.parquet")


def main(rows: int = 2_000_000, rounds: int = 3) -> None:
    session = spark_session("local[2]")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people"
        make(source, rows)
        out = Path(folder)

        def opened() -> Any:
            frame = session.read.parquet(str(source))
            return sudare.open(frame, roles=dict.fromkeys(KEYS, "key"))

        def masked(masker: Any) -> Callable[[], None]:
            return lambda: write(
                sudare.apply(opened(), masker, seed=SEED).data.to_frame(), out / "a"
            )

        pram = sudare.mask.Pram(retain=RETAIN, columns=MASKED)
        recode = sudare.mask.GlobalRecode(maps={"key2": MAP}, columns=("key2",))
        noise = sudare.mask.Noise(columns=("income",))
        risk = sudare.risk.KAnonymity()
        works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "PRAM, 2 of 10 columns": (
                masked(pram),
                lambda: write(pram_by_hand(session, source), out / "b"),
            ),
            "recoding, 1 of 10 columns": (
                masked(recode),
                lambda: write(recode_by_hand(session, source), out / "b"),
            ),
            "noise, 1 of 10 columns": (
                masked(noise),
                lambda: write(noise_by_hand(session, source), out / "b"),
            ),
            "k-anonymity, 8 keys": (
                lambda: risk(opened()),
                lambda: smallest_groups(session, source),
            ),
        }
        print(f"{rows:,} rows: seconds of sudare, by hand, ratio; the same of core time")
        for what, (ours, theirs) in works.items():
            ours(), theirs()  # so that Java has compiled what it compiles
            mine, peer = medians_of(ours, theirs, rounds=rounds)
            print(
                f"{what:26}",
                *(f"{a:7.2f} {b:7.2f} {a / b:5.2f}" for a, b in zip(mine, peer, strict=True)),
                flush=True,
            )
            if what.startswith(("PRAM", "recoding")):
                assert same(session, out / "a", out / "b"), what
        assert figures(risk(opened())) == smallest_groups(session, source)
    session.stop()


def medians_of(*works: Callable[[], object], rounds: int) -> list[tuple[float, float]]:
    """Return the median time and core time of each work over some rounds, taken in turn."""
    spent: list[list[tuple[float, float]]] = [[] for _ in works]
    for _ in range(rounds):
        for own, work in zip(spent, works, strict=True):
            start = time.perf_counter(), core_seconds()
            work()
            own.append((time.perf_counter() - start[0], core_seconds() - start[1]))
    return [(median(t for t, _ in own), median(c for _, c in own)) for own in spent]


def write(frame: Any, path: Path) -> None:
    quietly(lambda: frame.write.mode("overwrite").parquet(str(path)))


def same(session: Any, first: Path, other: Path) -> bool:
    """Whether two folders hold the same records, by the sum of their hashes."""
    total = functions.expr("sum(cast(xxhash64(*) AS decimal(38, 0)))")
    first, second = (
        session.read.parquet(str(path)).select(total).collect() for path in (first, other)
    )
    return bool(first == second)


def smallest_groups(session: Any, source: Path) -> list[int]:
    frame = session.read.parquet(str(source))
    smallest = [
        frame.groupBy(*keys).count().agg(functions.min("count")).collect()[0][0]
        for keys in (KEYS, *((key,) for key in KEYS))
    ]
    return [*smallest, frame.count()]


def figures(result: Any) -> list[int]:
    return [int(result.value), *map(int, result.parts.values()), int(result.best)]


def offsets(frame: Any) -> dict[int, int]:
    partition = functions.spark_partition_id().alias("part")
    sizes = dict(frame.select(partition).groupBy("part").count().orderBy("part").collect())
    return dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist(), strict=False))


def part_of_task() -> int:
    task = TaskContext.get()
    assert task is not None
    return task.partitionId()


def uniform(column: str, first: int, rows: int) -> Any:
    digest = hashlib.blake2b(f"{SEED}|0|0|{column}".encode(), digest_size=16).digest()
    bits = np.random.Philox(key=np.frombuffer(digest, "<u8").astype(np.uint64))
    bits.advance(first // 4)
    return np.random.Generator(bits).random(rows + first % 4)[first % 4 :]


def pram_by_hand(session: Any, source: Path) -> Any:
    frame = session.read.parquet(str(source))
    starts = offsets(frame)
    labels = {
        name: pa.array(sorted(row[0] for row in frame.select(name).distinct().collect()))
        for name in MASKED
    }

    def mask(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = starts[part_of_task()]
        for given in batches:
            batch = given
            for name, levels in labels.items():
                size = len(levels)
                matrix = np.full((size, size), (1 - RETAIN) / (size - 1))
                np.fill_diagonal(matrix, RETAIN)
                ladder = (np.cumsum(matrix, axis=1) + np.arange(size)[:, None]).ravel()
                old = pc.index_in(batch.column(name), value_set=levels).to_numpy()
                drawn = np.searchsorted(
                    ladder, old + uniform(name, first, batch.num_rows), side="right"
                )
                new = levels.take(pa.array(np.clip(drawn - old * size, 0, size - 1)))
                batch = batch.set_column(batch.schema.get_field_index(name), name, new)
            yield batch
            first += batch.num_rows

    return quietly(lambda: frame.mapInArrow(mask, frame.schema))


def recode_by_hand(session: Any, source: Path) -> Any:
    frame = session.read.parquet(str(source))
    pairs = [functions.lit(word) for pair in MAP.items() for word in pair]
    return frame.withColumn("key2", functions.create_map(*pairs)[functions.col("key2")])


def noise_by_hand(session: Any, source: Path) -> Any:
    from scipy.special import ndtri

    frame = session.read.parquet(str(source))
    starts = offsets(frame)
    sd = frame.agg(functions.stddev_pop("income")).collect()[0][0] * 0.1

    def mask(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = starts[part_of_task()]
        for batch in batches:
            drawn = np.maximum(uniform("income", first, batch.num_rows), 2.0**-54)
            new = batch.column("income").to_numpy() + ndtri(drawn) * sd
            position = batch.schema.get_field_index("income")
            yield batch.set_column(position, "income", pa.array(new))
            first += batch.num_rows

    return quietly(lambda: frame.mapInArrow(mask, frame.schema))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).parents[1]))
    main()
