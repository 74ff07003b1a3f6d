"""Parts of a Spark frame, each masked as a whole by one executor, and put back in their places."""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sudare.core import Categorical, Column, Draws, Microdata, Numeric, Parting, Plan, Step
from sudare.engine.large import Chain, Coding, joined
from sudare.engine.spark.rows import Block, NumberedFrame, Numbering, answered, quietly

if TYPE_CHECKING:
    from sudare.engine.spark.spark_table import SparkSource

_MASKED = "\ue001"  # before the names of masked columns next to the raw ones


@dataclass(frozen=True, eq=False)
class Carrying(Coding):
    """A column that executors send to one another: codes, or numbers with null for absent."""

    outline: None
    shape: Column

    @property
    def head(self) -> Column:
        """The column without any record."""
        return self.shape

    def column(self, values: pa.Array) -> Column:
        """Return the column of a block."""
        if isinstance(self.shape, Categorical):
            return replace(self.shape, codes=values.to_numpy())
        if not isinstance(self.shape, Numeric):  # pragma: no cover - there are two kinds of column
            raise TypeError(type(self.shape).__name__)
        absent = np.asarray(values.is_null())
        has_absent = self.shape.absent is not None or bool(absent.any())
        numbers = values.fill_null(np.nan).to_numpy()
        return replace(self.shape, values=numbers, absent=absent if has_absent else None)

    @staticmethod
    def sent(column: Column) -> pa.Array:
        """Return a column as it travels."""
        if isinstance(column, Numeric):
            return pa.array(column.values, mask=column.absent, from_pandas=False)
        return pa.array(column.coded.codes)

    @property
    def kind(self) -> str:
        """The Spark type in which it travels."""
        return "double" if isinstance(self.shape, Numeric) else "int"


@dataclass(frozen=True, repr=False)
class PlacedPlan(Plan):
    """Masked columns next to the raw ones in a separate frame. Secret, like the table.

    Attributes
    ----------
    codings
        How the masked columns are read, by their names there.
    source
        That frame; executors do not get it.
    """

    codings: Mapping[str, Coding]
    source: "SparkSource | None" = field(compare=False)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The columns that must be there for it."""
        return (*self.step.columns, *self.codings)

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        pairs = zip(self.step.columns, self.codings, strict=True)
        return data.replacing(_placed(data[name], data[masked]) for name, masked in pairs)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "source": None}


def _placed(column: Column, masked: Column) -> Column:
    if isinstance(column, Numeric) and isinstance(masked, Numeric):
        return replace(column, values=masked.values, absent=masked.absent)
    return replace(column.coded, codes=masked.coded.codes, labels=masked.coded.labels)


def masked_in_parts(
    rows: NumberedFrame, chain: Chain, parting: Parting, made: Callable[[Any], "SparkSource"]
) -> tuple[PlacedPlan, list[Any]]:
    """Return the plan that has every masked record, and a summary of each part.

    Parameters
    ----------
    rows, chain
        The frame, and how the columns at hand come from it.
    parting
        How records are divided and masked.
    made
        Returns a frame as a source.
    """
    there = tuple(Carrying(None, head) for head in chain.head().columns)
    shared = [
        "part long",
        "number long",
        *(f"c{i} {carried.kind}" for i, carried in enumerate(there)),
    ]
    spread = rows.select(chain.needed).map(Spreading(chain, parting), ", ".join(shared))
    kinds = {carried.head.name: carried.kind for carried in there}
    back = [f"m{i} {kinds[name]}" for i, name in enumerate(parting.columns)]
    schema = ", ".join(["number long", "summary binary", *back])
    work = PartTask(parting, there)

    def of_part(part: pa.Table) -> pa.Table:  # a function, as Spark counts its arguments
        return work(part)

    masked = quietly(lambda: spread.groupBy("part").applyInArrow(of_part, schema)).persist()
    reports = [
        pickle.loads(row["summary"])  # noqa: S301 - our own executors wrote it
        for row in answered(masked.where("summary is not null").select("summary").collect)
    ]
    reports.sort(key=lambda report: report[0])  # sums must not depend on who was first
    names = [f"{_MASKED}m{i}" for i in range(len(parting.columns))]
    codings = {
        name: Carrying(None, replace(head, name=name, role="other"))
        for name, head in zip(names, reports[0][1], strict=True)
    }
    numbering = Numbering(rows.numbering.starts, "number")
    numbered = NumberedFrame(masked.drop("summary"), lambda: numbering)
    plan = PlacedPlan(Step("", parting.columns), codings, made(rows.beside(numbered, _MASKED)))
    return plan, [summary for _, _, summary in reports]


@dataclass(frozen=True, eq=False)
class Spreading:
    """What an executor runs to send each record to its part."""

    chain: Chain
    parting: Parting

    def __call__(self, blocks: Iterator[Block]) -> Iterator[pa.RecordBatch]:
        """Return the records of a partition with their part and number."""
        for first_row, raw in blocks:
            data = self.chain.block(first_row, raw)
            numbers = np.arange(first_row, first_row + data.rows)
            columns = [pa.array(self.parting.part_of(data)), pa.array(numbers)]
            columns += [Carrying.sent(column) for column in data.columns]
            names = ["part", "number", *(f"c{i}" for i in range(len(data.columns)))]
            yield pa.record_batch(columns, names=names)


@dataclass(frozen=True, eq=False)
class PartTask:
    """What an executor runs to mask a part."""

    parting: Parting
    there: Sequence[Carrying]

    def __call__(self, part: pa.Table) -> pa.Table:
        """Return the masked records with their numbers; the first row has the summary."""
        part = part.sort_by("number")
        columns = (
            carried.column(joined(part.column(f"c{i}"))) for i, carried in enumerate(self.there)
        )
        masked, summary = self.parting.mask(Microdata(tuple(columns)))
        changed = [masked[name] for name in self.parting.columns]
        heads = [column.take(np.zeros(0, np.int64)) for column in changed]
        number = part.column("part")[0].as_py()
        first = [pickle.dumps((number, heads, summary)), *[None] * (part.num_rows - 1)]
        sent = {f"m{i}": Carrying.sent(column) for i, column in enumerate(changed)}
        return pa.table({"number": part.column("number"), "summary": pa.array(first), **sent})
