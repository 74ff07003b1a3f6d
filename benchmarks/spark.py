"""What Spark costs through sudare, against PySpark written by hand for the same result.

Both run in one session with two cores, in turn; see ``spark_by_hand``. Of k-anonymity the same
figures are found by hand: the smallest group, that of each key, and how many records there are.
``python -m benchmarks.spark 10_000_000 noise recoding`` takes other rows, and some of the lines;
"identity in mapInArrow" is what a pass through Python costs where nothing is done in it.

Ratios are of the median time, and of the median core time of all processes, which a busy machine
disturbs less.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import functions

import sudare
from benchmarks.spark_by_hand import SEED, passed_through, row_wise
from benchmarks.timing import core_seconds
from sudare.engine.spark.rows import quietly
from sudare.engine.spark.session import spark_session

RADICES = (2, 9, 16, 5, 41, 7, 14, 90)
KEYS = tuple(f"key{number}" for number in range(len(RADICES)))


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


def main(rows: int = 2_000_000, rounds: int = 5, only: Sequence[str] = ()) -> None:
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
        works["identity in mapInArrow"] = (
            by_hand(passed_through),
            by_hand(lambda frame: frame),
        )
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
            if what.startswith(("PRAM", "recoding", "top", "rounding", "random", "edit")):
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


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).parents[1]))
    main(int(float(sys.argv[1])) if sys.argv[1:] else 2_000_000, only=sys.argv[2:])
