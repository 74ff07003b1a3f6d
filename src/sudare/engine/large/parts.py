"""Records divided into parts on disk, masked part by part, and put back in their places."""

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from sudare.core import (
    Array,
    Categorical,
    Column,
    Draws,
    Integers,
    Microdata,
    Numeric,
    Parting,
    Plan,
    Step,
)
from sudare.engine.formats import UnnamedFile
from sudare.engine.large.block_source import Source
from sudare.engine.large.block_tasks import stacked
from sudare.engine.large.masked_blocks import Chain
from sudare.engine.large.survey import Blocks

_BUNDLE = 2_000_000  # records of the parts that are in memory together


@dataclass(frozen=True, repr=False)
class StoredPlan(Plan):
    """Masked columns of every record, on disk. Secret, like the table itself.

    Attributes
    ----------
    columns
        The columns without any record.
    arrays
        Values or codes of each column, shape (records,).
    files
        Where they are, as long as somebody needs them.
    """

    columns: tuple[Column, ...]
    arrays: tuple[Array, ...]
    files: tuple[UnnamedFile, ...]

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        rows = slice(draws.first_row, draws.first_row + data.rows)
        return data.replacing(
            _with(data[head.name], head, np.array(array[rows]))
            for head, array in zip(self.columns, self.arrays, strict=True)
        )


def _stored(column: Column) -> Array:
    """Return values, infinite where not applicable, or codes."""
    if isinstance(column, Numeric):
        return np.where(column.not_applicable, np.inf, column.values)
    return column.coded.codes


def _with(column: Column, head: Column, stored: Array) -> Column:
    if isinstance(column, Numeric):
        absent = np.isinf(stored)
        values = np.where(absent, np.nan, stored)
        return replace(column, values=values, absent=absent if absent.any() else None)
    labels = head.labels if isinstance(head, Categorical) else ()
    return replace(column.coded, codes=stored, labels=labels)


@dataclass(frozen=True, eq=False)
class SpillTask:
    """Writes the records of each bundle of parts to a file of its own."""

    chain: Chain
    parting: Parting
    files: tuple[UnnamedFile, ...]
    lock: Any = field(default_factory=Lock)

    def __call__(self, blocks: Blocks) -> None:
        """Write the records of some blocks."""
        for first_row, raw in blocks:
            data = self.chain.block(first_row, raw)
            parts = self.parting.part_of(data)
            bundles = parts % len(self.files)
            for bundle in np.unique(bundles).tolist():
                rows = np.flatnonzero(bundles == bundle)
                spilled = pickle.dumps((first_row + rows, parts[rows], data.take(rows)))
                with self.lock, self.files[bundle].path.open("ab") as file:
                    file.write(spilled)


def masked_in_parts(source: Source, chain: Chain, parting: Parting) -> tuple[StoredPlan, list[Any]]:
    """Return the plan that has every masked record, and a summary of each part."""
    bundles = [UnnamedFile() for _ in range(-(-source.records // _BUNDLE))]
    source.gathered(SpillTask(chain, parting, tuple(bundles)), chain.needed)
    files: list[UnnamedFile] = []
    summaries: list[Any] = []
    heads: list[Column] = []
    arrays: list[Array] = []
    while bundles:
        bundle = bundles.pop(0)  # held, as its file is there as long as it is
        for rows, part in _parts(bundle.path):
            masked, summary = parting.mask(part)
            summaries.append(summary)
            if not heads:
                heads = [masked[name].take(np.zeros(0, np.int64)) for name in parting.columns]
                files = [UnnamedFile() for _ in heads]
                arrays = [
                    _array(file.path, head, source.records)
                    for file, head in zip(files, heads, strict=True)
                ]
            for head, array in zip(heads, arrays, strict=True):
                array[rows] = _stored(masked[head.name])
    step = Step("", parting.columns)
    return StoredPlan(step, tuple(heads), tuple(arrays), tuple(files)), summaries


def _parts(path: Path) -> Iterator[tuple[Integers, Microdata]]:
    """Yield the parts of a bundle, records in their order, with their numbers."""
    pieces = []
    with path.open("rb") as file:
        while file.peek(1):
            pieces.append(pickle.load(file))  # noqa: S301 - we wrote it just now
    rows = np.concatenate([piece[0] for piece in pieces])
    parts = np.concatenate([piece[1] for piece in pieces])
    data = stacked([piece[2] for piece in pieces])
    order = np.lexsort((rows, parts))
    starts = np.flatnonzero(np.diff(parts[order], prepend=-1))
    for chosen in np.split(order, starts[1:]):
        yield rows[chosen], data.take(chosen)


def _array(path: Path, head: Column, records: int) -> Array:
    kind = np.float64 if isinstance(head, Numeric) else np.int32
    return np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=(records,))
