"""Every row-wise method on Spark, and what somebody would write by hand in its place.

By hand means one who knows PySpark well, the method and the table: methods without draws as column
expressions, those with draws in ``mapInArrow`` with NumPy and the same draws keyed by row; only the
columns that are needed, labels by ``distinct``, rows numbered by partition, sums by Spark. Nothing
is checked, noise is not rounded to the grid that keeps its last digits from telling the true
number, and sums may differ in their last digits from one partition to another. sudare does all of
this, which counts against it in the ratios. Lines with "same digits" do by hand what gives the same
mask for any partitions: sums of stretches of records by their numbers, and the grid; that with
"labels checked" looks whether the map names the labels that there are.
"""

import hashlib
import math
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext
from pyspark.sql import functions

import sudare
from sudare.engine.spark.rows import quietly

MASKED = ("key2", "key4")
RETAIN, SEED = 0.9, 7
HIGHEST = (0.0, 1e6)
BREAKS = (500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0)
MAP = {f"c{code}": "low" if code < 8 else "high" for code in range(16)}


def row_wise() -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    """Return methods that mask each record by itself, and each by hand."""
    mask, amount, both = sudare.mask, ("income",), ("income", "spending")
    return {
        "PRAM, 2 of 10 columns": (mask.Pram(retain=RETAIN, columns=MASKED), pram_by_hand),
        "Pk-anonymization, 2 of 10": (mask.PkAnonymization(k=2, columns=MASKED), pram_by_hand),
        "Pk-sampling, 2 of 10": (mask.PkSampling(k=2, columns=MASKED), pram_by_hand),
        "retention, 2 of 10": (
            mask.RetentionReplacement(retain=RETAIN, columns=MASKED),
            pram_by_hand,
        ),
        "household numbers, 1": (mask.HouseholdNumbers(columns=("key7",)), numbers_by_hand),
        "recoding, 1 of 10 columns": (
            mask.GlobalRecode(maps={"key2": MAP}, columns=("key2",)),
            recode_by_hand,
        ),
        "tree microaggregation, 1": (mask.TreeMicroaggregation(columns=("key2",)), tree_by_hand),
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
        "random rounding, 1 of 10": (
            mask.Rounding(columns=amount, base=10.0, how="random"),
            partial(drawn_by_hand, rounded_at_random),
        ),
        "intervals, 1 of 10": (
            mask.Intervals(columns=amount, breaks={"income": BREAKS}),
            intervals_by_hand,
        ),
        "edit rules, 1 of 10": (
            mask.EditRules(rules=("income from 500 to 20000",)),
            lambda frame: frame.withColumn(
                "income",
                functions.when(frame.income < 500, 500.0)
                .when(frame.income > 20_000, 20_000.0)
                .otherwise(frame.income),
            ),
        ),
        "noise, 1 of 10 columns": (mask.Noise(columns=amount), partial(noise_by_hand, amount)),
        "correlated noise, 2 of 10": (
            mask.CorrelatedNoise(columns=both),
            partial(noise_by_hand, both),
        ),
        "multiplicative noise, 1": (
            mask.MultiplicativeNoise(columns=amount),
            partial(drawn_by_hand, multiplied),
        ),
        "bounded Laplace noise, 1": (
            mask.BoundedLaplace(columns=amount, bounds={"income": HIGHEST}),
            partial(drawn_by_hand, laplace),
        ),
        "orthogonal transform, 2": (
            mask.OrthogonalTransform(columns=both),
            partial(linear_by_hand, draws=False),
        ),
        "regression synthesis, 2": (
            mask.RegressionSynthesis(columns=both),
            partial(linear_by_hand, draws=True),
        ),
        "recoding, labels checked, 1": (
            mask.GlobalRecode(maps={"key2": MAP}, columns=("key2",)),
            partial(recode_by_hand, checked=True),
        ),
        "noise, same digits, 1": (
            mask.Noise(columns=amount),
            partial(noise_by_hand, amount, same_digits=True),
        ),
        "correlated, same digits, 2": (
            mask.CorrelatedNoise(columns=both),
            partial(noise_by_hand, both, same_digits=True),
        ),
        "orthogonal, same digits, 2": (
            mask.OrthogonalTransform(columns=both),
            partial(linear_by_hand, draws=False, same_digits=True),
        ),
        "regression, same digits, 2": (
            mask.RegressionSynthesis(columns=both),
            partial(linear_by_hand, draws=True, same_digits=True),
        ),
    }


def drawn_by_hand(work: Callable[[Any, Any], Any], frame: Any) -> Any:
    """Mask the incomes by themselves and one draw each."""
    starts = offsets(frame)

    def mask(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = starts[part_of_task()]
        for batch in batches:
            drawn = uniform("income", first, batch.num_rows)
            new = pa.array(work(batch.column("income").to_numpy(), drawn))
            yield batch.set_column(batch.schema.get_field_index("income"), "income", new)
            first += batch.num_rows

    return quietly(lambda: frame.mapInArrow(mask, frame.schema))


def rounded_at_random(values: Any, drawn: Any) -> Any:
    below = np.floor(values / 10)
    return (below + (drawn < values / 10 - below)) * 10


def multiplied(values: Any, drawn: Any) -> Any:
    from scipy.special import ndtri

    log_variance = np.log1p(0.01)
    normal = ndtri(np.maximum(drawn, 2.0**-54))
    return values * np.exp(np.sqrt(log_variance) * normal - log_variance / 2)


def laplace(values: Any, drawn: Any) -> Any:
    """Draw from Laplace noise cut at the bounds, by the inverse of its distribution."""
    low, high = HIGHEST
    scale = (high - low) / 2
    below, above = -np.expm1((low - values) / scale) / 2, -np.expm1((values - high) / scale) / 2
    step = drawn * (below + above) - below
    return np.clip(values - np.sign(step) * scale * np.log1p(-2 * np.abs(step)), low, high)


def linear_by_hand(frame: Any, *, draws: bool, same_digits: bool = False) -> Any:
    """Publish means and deviations times a matrix, with normal noise if there are draws."""
    names = ("income", "spending")
    if draws:
        return noise_by_hand(names, frame, same_digits=same_digits)
    if same_digits:
        means, covariance = moments_by_stretch(names, frame, offsets(frame))
        first, second = np.sqrt(np.diag(covariance)).tolist()
    else:
        facts = [functions.mean(name) for name in names] + [functions.stddev_pop(n) for n in names]
        facts.append(functions.corr(*names))
        *means, first, second, _ = frame.agg(*facts).collect()[0]
    a, b = frame.income - means[0], frame.spending - means[1]
    return frame.withColumns(
        {
            "income": means[0] + a / 2 + b * (first / second / 2),
            "spending": means[1] + a * (second / first / 2) + b / 2,
        }
    )


def tree_by_hand(frame: Any) -> Any:
    counts = frame.groupBy("key2").count().collect()
    pairs = [functions.lit(x) for k, n in counts for x in (k, k if n >= 3 else "*")]
    return frame.withColumn("key2", functions.create_map(*pairs)[functions.col("key2")])


def numbers_by_hand(frame: Any) -> Any:
    """Number labels by a keyed hash of each; Spark has none, so that few are hashed here."""
    digests = {
        row[0]: hashlib.blake2b(row[0].encode(), digest_size=8, key=b"secret").digest()
        for row in frame.select("key7").distinct().collect()
    }
    pairs = [
        functions.lit(word)
        for label, digest in digests.items()
        for word in (label, float(int.from_bytes(digest, "big") >> 11))
    ]
    return frame.withColumn("key7", functions.create_map(*pairs)[functions.col("key7")])


def passed_through(frame: Any) -> Any:
    """Return a frame whose records all pass through Python."""
    return quietly(lambda: frame.mapInArrow(lambda batches: batches, frame.schema))


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


def recode_by_hand(frame: Any, *, checked: bool = False) -> Any:
    """Recode by a map; without a check, labels that it lacks become blank without a word."""
    if checked:
        labels = {row[0] for row in frame.select("key2").distinct().collect()}
        assert labels == set(MAP)
    pairs = [functions.lit(word) for pair in MAP.items() for word in pair]
    return frame.withColumn("key2", functions.create_map(*pairs)[functions.col("key2")])


def noise_by_hand(names: tuple[str, ...], frame: Any, *, same_digits: bool = False) -> Any:
    """Add noise to some columns; that of several is correlated as these are."""
    from scipy.special import ndtri

    starts = offsets(frame)
    if same_digits:
        covariance = moments_by_stretch(names, frame, starts)[1]
    else:
        pairs = [functions.covar_pop(row, column) for row in names for column in names]
        covariance = np.reshape(frame.agg(*pairs).collect()[0], (len(names), len(names)))
    root = np.linalg.cholesky(covariance * 0.01)
    grids = [2.0 ** (math.frexp(sd)[1] - 25) for sd in np.sqrt(np.diag(covariance) * 0.01)]

    def mask(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = starts[part_of_task()]
        for given in batches:
            batch = given
            drawn = [
                ndtri(np.maximum(uniform(name, first, batch.num_rows), 2.0**-54)) for name in names
            ]
            for name, added, grid in zip(names, root @ np.array(drawn), grids, strict=True):
                noisy = batch.column(name).to_numpy() + added
                new = pa.array(np.rint(noisy / grid) * grid if same_digits else noisy)
                batch = batch.set_column(batch.schema.get_field_index(name), name, new)
            yield batch
            first += batch.num_rows

    return quietly(lambda: frame.mapInArrow(mask, frame.schema))


def moments_by_stretch(names: tuple[str, ...], frame: Any, starts: dict[int, int]) -> Any:
    """Return means and covariance from sums over records k · size to (k + 1) · size by number.

    What partitions cut is put together here, so that they do not matter.
    """
    size = (1 << 16) // len(names)

    def cut(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        parts, first = [], starts[part_of_task()]
        table = pa.Table.from_batches(batches)
        values = np.array([table.column(name).to_numpy() for name in names])
        end = first + values.shape[1]
        for stretch in range(first // size, -(-end // size)):
            low, high = max(first, stretch * size), min(end, (stretch + 1) * size)
            own = values[:, low - first : high - first]
            parts.append((stretch, low, own if high - low < size else sums(own)))
        yield pa.record_batch([pa.array([pickle.dumps(parts)], pa.binary())], names=["parts"])

    def sums(values: Any) -> tuple[int, Any, Any]:
        mean = values.mean(axis=1)
        centred = values - mean[:, None]
        return values.shape[1], mean, centred @ centred.T

    rows = quietly(lambda: frame.select(*names).mapInArrow(cut, "parts binary").collect())
    stretches: dict[int, list[Any]] = {}
    gathered = [part for row in rows for part in pickle.loads(row["parts"])]  # noqa: S301 - ours
    for stretch, _, part in sorted(gathered, key=lambda part: part[:2]):
        stretches.setdefault(stretch, []).append(part)
    count, mean, squares = 0, np.zeros(len(names)), np.zeros((len(names), len(names)))
    for parts in stretches.values():
        whole = isinstance(parts[0], tuple)
        n, own, scatter = parts[0] if whole else sums(np.concatenate(parts, axis=1))
        apart = own - mean
        squares += scatter + np.outer(apart, apart) * (count * n / (count + n))
        mean, count = mean + apart * (n / (count + n)), count + n
    return mean.tolist(), squares / count


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
