"""What a record costs, by method: in blocks on this machine, and on Spark with two cores.

Costs are core time of all processes (which a busy machine hardly changes), as the slope between a
smaller and a larger table, so that starting and compiling do not count.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import sudare
from benchmarks.spark import KEYS, make, write
from benchmarks.spark_by_hand import MAP
from benchmarks.timing import core_seconds
from sudare.engine.spark.session import spark_session

METHODS: dict[str, Any] = {
    "recoding of 1 column": sudare.mask.GlobalRecode(maps={"key2": MAP}, columns=("key2",)),
    "PRAM of 2 columns": sudare.mask.Pram(columns=("key2", "key4")),
    "noise on 1 column": sudare.mask.Noise(columns=("income",)),
    "OT of 2 columns": sudare.mask.OrthogonalTransform(columns=("income", "spending")),
}
PRAM = METHODS["PRAM of 2 columns"]
MEASURES: dict[str, Any] = {
    "k-anonymity of 8 keys": sudare.risk.KAnonymity(),
    "entropy loss of 2 columns": sudare.loss.EntropyLoss(columns=("key2", "key4")),
}


def main(small: int = 250_000, large: int = 1_000_000) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for rows in (small, large):
            make(folder / str(rows), rows)
            whole = pq.read_table(folder / str(rows))
            pq.write_table(whole, folder / f"{rows}.parquet", row_group_size=1 << 17)
        session = spark_session("local[2]")
        for what in (*METHODS, *MEASURES):
            costs = [
                slope(lambda rows, w=what: on_file(folder, rows, w), small, large),  # type: ignore[misc]
                slope(lambda rows, w=what: on_spark(session, folder, rows, w), small, large),  # type: ignore[misc]
            ]
            print(
                f"{what}: {costs[0]:.2f} µs per row in blocks, {costs[1]:.2f} on Spark", flush=True
            )
        session.stop()


def slope(work: Callable[[int], None], small: int, large: int) -> float:
    """Return core microseconds per record."""
    work(small)  # compile and warm up
    spent = []
    for rows in (small, large):
        before = core_seconds()
        work(rows)
        spent.append(core_seconds() - before)
    return (spent[1] - spent[0]) / (large - small) * 1e6


def on_file(folder: Path, rows: int, what: str) -> None:
    table = sudare.open(folder / f"{rows}.parquet", roles=dict.fromkeys(KEYS, "key"))
    if what in METHODS:
        masked = sudare.apply(table, METHODS[what], seed=1).data
        sudare.write(masked, folder / "out.parquet", overwrite=True)
    else:
        MEASURES[what](table, sudare.apply(table, PRAM, seed=1).data)


def on_spark(session: Any, folder: Path, rows: int, what: str) -> None:
    frame = session.read.parquet(str(folder / str(rows)))
    table: Any = sudare.open(frame, roles=dict.fromkeys(KEYS, "key"))
    if what in METHODS:
        write(sudare.apply(table, METHODS[what], seed=1).data.to_frame(), folder / "out")
    else:
        MEASURES[what](table, sudare.apply(table, PRAM, seed=1).data)


if __name__ == "__main__":
    main()
