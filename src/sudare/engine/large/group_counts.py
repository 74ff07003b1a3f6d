"""Groups of equal records. DuckDB counts them and puts on disk what does not fit in memory.

Blocks become keys, a few whole numbers per record, and DuckDB counts equal keys. It sees neither
labels nor other values, so what it puts on disk says little without the labels in this process.
Where few keys are possible, each has a counter and nothing has to be looked for.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sudare.core import Array, Floats, Integers, Sizes, TooLargeError, check_weights
from sudare.engine.counting import Packing, in_turn
from sudare.engine.formats import Folder
from sudare.engine.large.masked_blocks import Chain
from sudare.engine.large.memory_budget import MemoryBudget
from sudare.engine.large.survey import Blocks

# Words of the keys, each of shape (m,), numbers of records (m,), and summed weights (m,).
Entries = tuple[list[Integers], Integers, Floats | None]

_ESTIMATE_ERROR = 1.1  # DuckDB's estimates are off by a few percent
_FEW = 1 << 27  # keys that have a counter each, where memory and records are many
_FEWER = 1 << 23  # keys that have one in any case
_PER_RECORD = 16  # counters; with more of them, nearly all would stay empty
_LEAST_PER_THREAD = 96 << 20  # bytes without which a thread of DuckDB gets nowhere


@dataclass(frozen=True, eq=False)
class CountTask:
    """What is counted: equal records of one chain, or equal pairs of records of two.

    Attributes
    ----------
    chains
        One, or before and after.
    packing
        Of the columns of all chains, one after the other.
    weight
        The column of sampling weights, the last one of the first chain, if there is one.
    """

    chains: tuple[Chain, ...]
    packing: Packing
    weight: str | None = None

    @property
    def needed(self) -> list[str]:
        """The raw columns."""
        return list(dict.fromkeys(name for chain in self.chains for name in chain.needed))

    @property
    def words(self) -> list[str]:
        """What the words of a key are called."""
        return [f"key{number}" for number in range(len(self.packing.words))]

    @property
    def schema(self) -> pa.Schema:
        """Of the keys of blocks, with weights where these count."""
        weights = [] if self.weight is None else [("weight", pa.float64())]
        return pa.schema([*((word, pa.int64()) for word in self.words), *weights])

    def keys(self, first_row: int, raw: pa.Table) -> pa.RecordBatch:
        """Return the keys of the records of a block, with weights where these count."""
        arrays = self.key_arrays(first_row, raw)
        return pa.record_batch([pa.array(array) for array in arrays], schema=self.schema)

    def key_arrays(self, first_row: int, raw: pa.Table) -> list[Array]:
        """Return the same as arrays."""
        parts = [chain.block(first_row, raw) for chain in self.chains]
        columns = [column for part in parts for column in part.columns]
        columns = [column for column in columns if column.name != self.weight]
        arrays: list[Array] = [*self.packing.keys(columns)]
        if self.weight is not None:
            arrays.append(check_weights(parts[0][self.weight], first_row))
        return arrays

    def check(self, records: int, most: int, estimate: Callable[[], float]) -> None:
        """Refuse more combinations than can be returned; they are estimated only where need be."""
        if min(records, self.packing.combinations) > most and estimate() > most * _ESTIMATE_ERROR:
            names = dict.fromkeys(digit.head.name for digit in self.packing.digits)
            raise TooLargeError(
                "columns {columns} have more than {limit} different combinations, too many for "
                "the memory allowed; use fewer columns, recode some, allow more memory, or work "
                "on a sample.",
                columns=", ".join(f"'{name}'" for name in names),
                limit=most,
            )


def few_keys(packing: Packing, records: int) -> bool:
    """Return whether each possible key can have a counter that is kept."""
    return packing.combinations <= min(_FEWER, _PER_RECORD * records)


@dataclass(frozen=True)
class GroupCounts:
    """Counts the groups of a task over blocks.

    Attributes
    ----------
    task
        What is counted.
    blocks
        Gives the blocks of all records, each time from the beginning.
    budget
        The memory that may be taken.
    """

    task: CountTask
    blocks: Callable[[], Blocks]
    budget: MemoryBudget

    def entries(self, records: int) -> Entries:
        """Return each key once, with its number of records; in their order if keys have one."""
        keys = ", ".join(self.task.words)
        most = self.budget.entries(len(self.task.packing.digits))
        self.task.check(records, most, self._estimate)
        if self._has_few_keys(records):
            counts = self.counters()
            used = np.flatnonzero(counts)
            return [used], counts[used], None
        weight = "" if self.task.weight is None else ", fsum(weight) AS weight"
        order = f"ORDER BY {keys}" if self.task.packing.is_ordered else ""
        answer = self._answer(
            f"SELECT {keys}, count(*) AS records{weight} FROM blocks GROUP BY {keys} {order}"  # noqa: S608
        )
        return [answer[word] for word in self.task.words], answer["records"], answer.get("weight")

    def sizes(self, records: int) -> Sizes:
        """Return the sizes of the groups, ascending, and how many groups have each."""
        if self._has_few_keys(records):
            counts = self.counters()
            return np.unique_counts(counts[counts > 0])
        groups = f"SELECT count(*) AS size FROM blocks GROUP BY {', '.join(self.task.words)}"  # noqa: S608
        answer = self._answer(
            f"SELECT size, count(*) AS groups FROM ({groups}) GROUP BY size ORDER BY size"  # noqa: S608
        )
        return answer["size"], answer["groups"]

    def _has_few_keys(self, records: int) -> bool:
        """Return whether each possible key can have a counter of its own."""
        most = max(_FEWER, min(_PER_RECORD * records, self.budget.counting // 8))
        return self.task.weight is None and self.task.packing.combinations <= min(_FEW, most)

    def counters(self) -> Integers:
        """Return how many records have each possible key."""
        counts = np.zeros(self.task.packing.combinations, np.int64)
        with closing(in_turn(lambda block: self.task.key_arrays(*block)[0], self.blocks())) as keys:
            for block in keys:
                np.add.at(counts, block, np.ones(len(block), np.int64))
        return counts

    def _estimate(self) -> float:
        """Return about how many different keys there are."""
        keys = ", ".join(self.task.words)
        answer = self._answer(f"SELECT approx_count_distinct(hash({keys})) AS keys FROM blocks")  # noqa: S608
        return float(answer["keys"][0])

    def _answer(self, query: str) -> dict[str, Any]:
        """Return the columns that DuckDB answers a question about the keys with."""
        import duckdb

        failures: list[BaseException] = []
        batches = in_turn(lambda block: self.task.keys(*block), self.blocks())
        stream = pa.RecordBatchReader.from_batches(self.task.schema, _noted(batches, failures))
        with (
            closing(batches),
            Folder() as folder,
            _connection(folder, self.budget) as connection,
        ):
            try:
                connection.register("blocks", stream)
                answer = connection.execute(query).fetchnumpy()
            except duckdb.Error as error:
                raise (failures or [_refusal(error, folder)])[0] from None
        return {name: np.asarray(column) for name, column in answer.items()}


def _noted(
    batches: Iterator[pa.RecordBatch], failures: list[BaseException]
) -> Iterator[pa.RecordBatch]:
    """Yield batches to threads of others in the language of this one; note why it ends early."""
    context = copy_context()
    try:
        while (batch := context.run(next, batches, None)) is not None:
            yield batch
    except BaseException as error:
        failures.append(error)
        raise


@contextmanager
def _connection(folder: Path, budget: MemoryBudget) -> Iterator[Any]:
    """Give a DuckDB of our own that knows no file but its temporary ones."""
    import duckdb

    memory = budget.counting
    settings: dict[str, Any] = {
        "memory_limit": f"{memory >> 20}MiB",
        "threads": max(1, min(budget.threads, memory // _LEAST_PER_THREAD)),
        "temp_directory": str(folder),
        "preserve_insertion_order": False,
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with duckdb.connect(":memory:", config=settings) as connection:
        connection.execute("SET enable_external_access = false")
        connection.execute("SET enable_progress_bar = false")
        yield connection


def _refusal(error: Exception, folder: Path) -> TooLargeError:
    return TooLargeError(
        "counting took more memory than allowed, or more disk than there is in '{path}' "
        "({reason}); use fewer columns, allow more memory, or set TMPDIR to a larger disk.",
        path=str(folder.parent),
        reason=type(error).__name__,
    )
