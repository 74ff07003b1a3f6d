"""What Spark costs through sudare, against PySpark written by hand for the same result.

Both run in one session with two cores, in turn. By hand means: only the columns that are needed,
labels by ``distinct``, rows numbered by partition, masking in ``mapInArrow`` with NumPy and the
same draws, and of k-anonymity the same figures: the smallest group, that of each key, and how many
records there are.

Pk-anonymization and retention are compared with PRAM by hand, and every noise with normal noise by
hand: as many draws, and as many passes. ``python -m benchmarks.spark 10_000_000 noise recoding``
takes other rows, and some of the lines.

Ratios are of the median time, and of the median core time of all processes, which a busy machine
disturbs less.
"""

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
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
BREAKS = (500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0)
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


def main(rows: int = 2_000_000, rounds: int = 3, only: Sequence[str] = ()) -> None:
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

        def by_hand(work: Callable[[Any], Any]) -> Callable[[], None]:
            return lambda: write(work(session.read.parquet(str(source))), out / "b")

        risk = sudare.risk.KAnonymity()
        works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            what: (masked(masker), by_hand(work)) for what, (masker, work) in row_wise().items()
        }
        works["k-anonymity, 8 keys"] = (
            lambda: risk(opened()),
            lambda: smallest_groups(session, source),
        )
        print(f"{rows:,} rows: seconds of sudare, by hand, ratio; the same of core time")
        for what, (ours, theirs) in works.items():
            if only and not any(word in what for word in only):
                continue
            ours(), theirs()  # so that Java has compiled what it compiles
            mine, peer = medians_of(ours, theirs, rounds=rounds)
            print(
                f"{what:26}",
                *(f"{a:7.2f} {b:7.2f} {a / b:5.2f}" for a, b in zip(mine, peer, strict=True)),
                flush=True,
            )
            if what.startswith(("PRAM", "recoding", "top", "rounding")):
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


def row_wise() -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    """Return methods that mask each record by itself, and each by hand."""
    mask, amount = sudare.mask, ("income",)
    both = ("income", "spending")
    return {
        "PRAM, 2 of 10 columns": (mask.Pram(retain=RETAIN, columns=MASKED), pram_by_hand),
        "Pk-anonymization, 2 of 10": (mask.PkAnonymization(k=2, columns=MASKED), pram_by_hand),
        "retention, 2 of 10": (
            mask.RetentionReplacement(retain=RETAIN, columns=MASKED),
            pram_by_hand,
        ),
        "recoding, 1 of 10 columns": (
            mask.GlobalRecode(maps={"key2": MAP}, columns=("key2",)),
            recode_by_hand,
        ),
        "top and bottom coding, 1": (
            mask.TopBottomCode(columns=amount, top=20_000.0, bottom=500.0),
            lambda frame: frame.withColumn(
                "income",
                functions.least(
                    functions.greatest("income", functions.lit(500.0)), functions.lit(20_000.0)
                ),
            ),
        ),
        "rounding, 1 of 10": (
            mask.Rounding(columns=amount, base=10.0),
            lambda frame: frame.withColumn("income", functions.rint(frame.income / 10) * 10),
        ),
        "intervals, 1 of 10": (
            mask.Intervals(columns=amount, breaks={"income": BREAKS}),
            intervals_by_hand,
        ),
        "noise, 1 of 10 columns": (mask.Noise(columns=amount), partial(noise_by_hand, amount)),
        "correlated noise, 2 of 10": (
            mask.CorrelatedNoise(columns=both),
            partial(noise_by_hand, both),
        ),
        "multiplicative noise, 1": (
            mask.MultiplicativeNoise(columns=amount),
            partial(noise_by_hand, amount),
        ),
        "bounded Laplace noise, 1": (
            mask.BoundedLaplace(columns=amount, bounds={"income": (0.0, 1e6)}),
            partial(noise_by_hand, amount),
        ),
    }


def pram_by_hand(frame: Any) -> Any:
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


def intervals_by_hand(frame: Any) -> Any:
    ends = [*BREAKS, None]
    chosen = functions.when(frame.income < BREAKS[0], f"–{BREAKS[0]:g}")
    for low, high in pairwise(ends):
        word = f"{low:g}–" if high is None else f"{low:g}–{high:g}"
        own = frame.income >= low if high is None else frame.income < high
        chosen = chosen.when(own, word)
    return frame.withColumn("income", chosen)


def recode_by_hand(frame: Any) -> Any:
    pairs = [functions.lit(word) for pair in MAP.items() for word in pair]
    return frame.withColumn("key2", functions.create_map(*pairs)[functions.col("key2")])


def noise_by_hand(names: tuple[str, ...], frame: Any) -> Any:
    """Add noise to some columns; that of several is correlated as these are."""
    from scipy.special import ndtri

    starts = offsets(frame)
    pairs = [functions.covar_pop(row, column) for row in names for column in names]
    covariance = np.reshape(frame.agg(*pairs).collect()[0], (len(names), len(names)))
    root = np.linalg.cholesky(covariance * 0.01)

    def mask(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = starts[part_of_task()]
        for given in batches:
            batch = given
            drawn = [
                ndtri(np.maximum(uniform(name, first, batch.num_rows), 2.0**-54)) for name in names
            ]
            for name, added in zip(names, root @ np.array(drawn), strict=True):
                new = pa.array(batch.column(name).to_numpy() + added)
                batch = batch.set_column(batch.schema.get_field_index(name), name, new)
            yield batch
            first += batch.num_rows

    return quietly(lambda: frame.mapInArrow(mask, frame.schema))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).parents[1]))
    main(int(float(sys.argv[1])) if sys.argv[1:] else 2_000_000, only=sys.argv[2:])
