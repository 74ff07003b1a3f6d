"""Files that do not fit in memory, read in blocks of records. Text is read once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa

from sudare.core import Draws, InputError, Microdata, Parting, Plan, check_names
from sudare.engine.counting import Packing
from sudare.engine.formats import restored, scan_delimited
from sudare.engine.frames import FileOptions, ReadOptions, frame_of, is_text
from sudare.engine.large.block_source import Source
from sudare.engine.large.block_table import BlockTable
from sudare.engine.large.coding import Coding, LookedUp
from sudare.engine.large.combined_texts import CombinedTexts, combined_texts
from sudare.engine.large.file_sources import FileSource, ParquetSource, TextSource, stored_texts
from sudare.engine.large.group_counts import CountTask, few_keys
from sudare.engine.large.masked_blocks import Chain
from sudare.engine.large.memory_budget import MemoryBudget
from sudare.engine.large.output import collected
from sudare.engine.large.parts import masked_in_parts
from sudare.engine.large.survey import codings_of
from sudare.engine.large.tallied_columns import TalliedColumns

_CELL_IN_MEMORY = 24  # bytes of a cell of a table in memory: raw, coded and masked
_TEXT_IN_MEMORY = 6  # times the size of text


@dataclass(frozen=True, eq=False, repr=False)
class FileTable(BlockTable):
    """A table in a file, read in blocks whenever something is computed from it."""

    source: FileSource
    combined: list[CombinedTexts] = field(default_factory=list)
    tallied: list[TalliedColumns] = field(default_factory=list)  # where it is masked, the last one

    def surveyed(self, fields: Sequence[pa.Field]) -> dict[str, Coding]:
        """Return how raw columns are read; of texts, the combinations are counted along."""
        unknown = [raw_field for raw_field in fields if raw_field.name not in self.codings]
        if len(unknown) > 1 and all(is_text(raw_field.type) for raw_field in unknown):
            names = {raw_field.name for raw_field in unknown}
            combined = next((c for c in self.combined if names <= {*c.names}), None)
            is_new = combined is None
            combined = combined or combined_texts(unknown, self.source.gathered)
            if combined is not None:
                surveys = combined.distinct(self.budget.values(len(unknown)))
                distinct = dict(zip(combined.names, surveys, strict=True))
                counted = [distinct[raw_field.name] for raw_field in unknown]
                codings = codings_of(unknown, self.options, self.source.gathered, counted)
                self.codings.update(codings)
                if is_new and all(isinstance(coding, LookedUp) for coding in codings.values()):
                    self.combined.append(combined)
        return super().surveyed(fields)

    def counting_source(self, chain: Chain) -> Source | CombinedTexts | TalliedColumns:
        """Return the combinations, where they were counted.

        Of a masked table, those of the columns first asked for, and then of all it can have.
        """
        if not chain.steps:
            return next((c for c in self.combined if {*chain.needed} <= {*c.names}), self.source)
        if not any({*chain.names} <= {*tallied.names} for tallied in self.tallied):
            known = {name for name, coding in self.codings.items() if coding.outline is not None}
            wide = tuple(n for n in self.kept if n in known or n in chain.names)
            for names in (wide, chain.names) if self.tallied else (chain.names,):
                if {*self.chain(names).codings} <= known and self._tally(names):
                    break
        return next((t for t in self.tallied if {*chain.names} <= {*t.names}), self.source)

    def counted_with(
        self, after: Self, names: Sequence[str], after_names: Sequence[str] | None = None
    ) -> tuple[Microdata, Microdata]:
        """Return equal pairs of records once; masked columns, and pairs of each, follow from it."""
        pair = super().counted_with(after, names, after_names)
        others = tuple(names if after_names is None else after_names)
        if others == tuple(names) and not self.with_role("weight"):
            self._keep_pairs(after, pair)
        packing = Packing(after._digits(others))
        if after.steps and not after.tallied and few_keys(packing, self.records):
            keys = packing.keys([pair[1][name] for name in others])[0]
            counts = np.bincount(keys, pair[1].copies, packing.combinations)
            after.tallied[:] = [TalliedColumns.of(packing, counts.astype(np.int64))]
        return pair

    def _keep_pairs(self, after: Self, pair: tuple[Microdata, Microdata]) -> None:
        """Keep the pairs of values of each column, so that no later pass has to count them."""
        for name in pair[0].names:
            packing = Packing(self._digits([name]) + after._digits([name]))
            if few_keys(packing, self.records):
                keys = packing.keys([pair[0][name], pair[1][name]])[0]
                counts = np.bincount(keys, pair[0].copies, packing.combinations).astype(np.int64)
                columns = packing.unpacked([np.flatnonzero(counts)], counts[counts > 0])
                tables = tuple(Microdata((column,)) for column in columns)
                self.counts_with.setdefault(after, {})[frozenset([name])] = tables

    def _tally(self, names: tuple[str, ...]) -> bool:
        """Count masked columns together, where they have few combinations; return whether."""
        packing = Packing(self._digits(names))
        is_small = few_keys(packing, self.records)
        if is_small:
            counts = self.source.groups(CountTask((self.chain(names),), packing), self.budget)
            self.tallied[:] = [TalliedColumns.of(packing, counts.counters())]
        return is_small

    def transformed(self, plan: Plan, draws: Draws, *, random: bool = True) -> Self:
        """Return the table masked by a plan, block by block and not before it is read."""
        return replace(super().transformed(plan, draws, random=random), tallied=[])

    def in_parts(self, parting: Parting, names: Sequence[str]) -> tuple[Plan, list[Any]]:
        """Mask every part by itself; records wait for it in a temporary folder."""
        return masked_in_parts(self.source, self.chain(names), parting)

    def to_frame(self, kind: str | None = None) -> object:
        """Return the whole table as a frame in memory, by default of Polars."""
        return frame_of(collected(self), kind or "polars")


def parquet_table(
    path: Path, options: ReadOptions, *, find_types: bool, budget: MemoryBudget
) -> FileTable:
    """Return a Parquet file as a large table."""
    return _table(ParquetSource(path), options, budget, untyped=find_types)


def delimited_table(
    path: Path,
    options: ReadOptions,
    *,
    find_types: bool,
    budget: MemoryBudget,
    is_escaped: bool = False,
    file: FileOptions,
) -> FileTable:
    """Return a delimited file as a large table; it is read once, into a file without name."""
    stored: list[TextSource] = []

    def store(blocks: Iterator[pa.Table]) -> None:
        stored[:] = [stored_texts(map(restored, blocks) if is_escaped else blocks)]

    layout_used = scan_delimited(path, store, **file)
    source = replace(stored[0], remarks=layout_used.notes)
    reading = {**layout_used.as_read(), "find_types": find_types}
    return replace(_table(source, options, budget, untyped=find_types), reading=reading)


def _table(
    source: FileSource, options: ReadOptions, budget: MemoryBudget, *, untyped: bool
) -> FileTable:
    names = source.schema.names
    check_names(names)
    options.check(names)
    if not source.records:
        raise InputError("the table has column names but no rows.")
    texts = frozenset(column.name for column in source.schema if is_text(column.type))
    rows = budget.block_rows(len(names), source.text_bytes / source.records)
    source = replace(source, block_rows=rows)
    options = replace(options, text=texts, untyped=untyped)
    return FileTable(source, options, tuple(names), budget=budget)


def size_in_memory(path: Path) -> int:
    """Return about how many bytes a table in a file would take in memory while it is masked.

    Formats that cannot be read in blocks count as nothing.
    """
    suffix = path.suffix.lower()
    if suffix in {".parquet", ".pq"} and path.is_file():
        facts = ParquetSource(path)
        cells = facts.records * len(facts.schema.names) * _CELL_IN_MEMORY
        return cells + facts.text_bytes * _TEXT_IN_MEMORY
    if suffix in {".csv", ".tsv", ".tab", ".txt"} and path.is_file():
        return path.stat().st_size * _TEXT_IN_MEMORY
    return 0
