"""Tables that are read in blocks: every computation on a large table is a run over its blocks.

A source runs some work over all of its parts and returns what each part gave. Surveys, outlines,
counts, moments and samples are such tasks, with results that can be merged in any order; so a file
and a cluster differ in the source alone.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pyarrow as pa

from sudare.core import (
    BlockResult,
    Categorical,
    Column,
    Draws,
    Floats,
    Integers,
    LabelPlan,
    LargeTable,
    Microdata,
    MismatchError,
    Moments,
    Numeric,
    Plan,
    Role,
    Scale,
    Seed,
    SettingError,
    Sizes,
    by_column,
    check_known,
    contents,
    draws_from,
    same_values,
)
from sudare.engine.counting import Digit, Packing, assembled
from sudare.engine.frames import ReadOptions
from sudare.engine.large.block_source import BESIDE, Source
from sudare.engine.large.block_tasks import (
    BlockTask,
    ContentTask,
    FilterTask,
    MomentTask,
    Outlined,
    OutlineTask,
    SampleTask,
    in_order,
    outline_of,
    stacked,
)
from sudare.engine.large.coding import Coding, Counted, LookedUp, digit_of, outline_in
from sudare.engine.large.combined_texts import CombinedTexts
from sudare.engine.large.group_counts import CountTask
from sudare.engine.large.masked_blocks import Chain, needed
from sudare.engine.large.memory_budget import MemoryBudget
from sudare.engine.large.survey import survey
from sudare.engine.large.tallied_columns import TalliedColumns


@dataclass(frozen=True, eq=False, repr=False)
class BlockTable(LargeTable):
    """A large table that is read in blocks.

    Attributes
    ----------
    source
        Where the raw columns are.
    options
        How its columns are read.
    steps
        The plans by which it was masked, with their draws.
    kept
        Names of the columns it has.
    codings
        Of the raw columns that were surveyed so far; shared by all tables masked from this one.
    outlines
        Of the columns of this table that were outlined so far.
    budget
        How much memory may be taken.
    drawn
        Names of the columns that a masker with draws has changed.
    reading
        How it was read, as keywords of ``open``; no roles.
    is_shuffled
        Whether it was read from a release, in which records have another order.
    sampled
        The raw records of the last sample and their numbers; shared like the codings.
    """

    source: Source
    options: ReadOptions
    kept: tuple[str, ...]
    steps: tuple[tuple[Plan, Draws], ...] = ()
    codings: dict[str, Coding] = field(default_factory=dict)
    outlines: dict[str, Column] = field(default_factory=dict)
    budget: MemoryBudget = field(default_factory=MemoryBudget)
    drawn: frozenset[str] = frozenset()
    reading: Mapping[str, Any] = field(default_factory=dict)
    is_shuffled: bool = False
    sampled: list[tuple[Integers, pa.Table]] = field(default_factory=list)

    @property
    def is_masked(self) -> bool:
        """Whether a plan made it of another table; not where it was read masked."""
        return bool(self.steps)

    @property
    def relabelled(self) -> Mapping[str, LargeTable]:
        """The columns that plans without draws changed, and the table before all of them."""
        changed = {name for plan, _ in self.steps for name in plan.step.columns}
        unmasked = replace(self, steps=(), outlines={}, drawn=frozenset())
        return dict.fromkeys(changed.intersection(self.kept) - self.drawn, unmasked)

    @property
    def records(self) -> int:
        """Number of records."""
        return self.source.records

    @property
    def notes(self) -> tuple[str, ...]:
        """What the border had to guess or skip, in sentences; of columns, once they were read."""
        read = [known for known in self.codings.values() if isinstance(known, LookedUp | Counted)]
        return (*self.source.notes, *(note for coding in read for note in coding.notes))

    @cached_property
    def head(self) -> Microdata:
        """The columns without any record."""
        return self.chain(self.kept).head()

    def chain(self, names: Sequence[str]) -> Chain:
        """Return how some columns come from raw ones; survey those that are not known yet."""
        check_known("column", names, self.kept)
        raw, steps = needed(names, self.steps)
        fields = [raw_field for raw_field in self.source.schema if raw_field.name in raw]
        return Chain(tuple(names), self.coded(fields), steps)

    def coded(self, fields: Sequence[pa.Field]) -> dict[str, Coding]:
        """Return how raw columns are read."""
        return self.surveyed(fields)

    def surveyed(self, fields: Sequence[pa.Field]) -> dict[str, Coding]:
        """Return how raw columns are read, with their outlines."""
        unknown = [raw_field for raw_field in fields if raw_field.name not in self.codings]
        if unknown:
            most = self.budget.values(len(unknown))
            self.codings.update(survey(unknown, self.options, self.source.gathered, most))
        return {raw_field.name: self.codings[raw_field.name] for raw_field in fields}

    def counting_source(self, chain: Chain) -> Source | CombinedTexts | TalliedColumns:
        """Return where the records of a chain are counted."""
        return self.source

    def outlined(self, name: str) -> Column:
        """Return one column by its distinct values, with copies."""
        if name not in self.outlines:
            if name in self.kept and not any(name in plan.step.columns for plan, _ in self.steps):
                coding = self.surveyed([self.source.schema.field(name)])[name]
                self.outlines[name] = outline_in(name, coding)
            else:
                self.outlines[name] = self._outlined_masked(self.chain([name]))
        return self.outlines[name]

    def _outlined_masked(self, chain: Chain) -> Column:
        source, head = self.counting_source(chain), chain.head().columns[0]
        if source is not self.source and isinstance(head, Categorical):
            return self._tallied(source, (chain,), self._digits(chain.names), None)[0][0]
        most = self.budget.values(1)
        outlined = Outlined(most=most)
        for part in self.source.gathered(OutlineTask(chain, most), chain.needed):
            outlined.merge(part)
        return outline_of(head, outlined)

    def mean_weights(self, name: str) -> Floats | None:
        """Return the mean weight of the records behind each entry of ``outlined(name)``."""
        return self.counted([name]).weights

    def group_sizes(self, groupings: Sequence[Sequence[str]]) -> list[Sizes]:
        """Return the sizes of the groups of equal records, and how many groups have each."""
        sizes = []
        for names in groupings:
            chain = self.chain(names)
            task = CountTask((chain,), Packing(self._digits(names)))
            sizes.append(self.counting_source(chain).sizes(task, self.budget))
        return sizes

    def moments(self, names: Sequence[str], *, weighted: bool = False) -> Moments:
        """Return the moments of some columns over the records that have all of them."""
        weights = self.with_role("weight") if weighted else ()
        chain = self.chain([*names, *weights])
        parts = self.source.gathered(MomentTask(chain, bool(weights)), chain.needed)
        return assembled((piece for part in parts for piece in part), len(names))

    def contents(self, draws: Draws) -> str:
        """Return what it holds in a line."""
        identifiers = self.with_role("identifier")
        chain = self.chain([name for name in self.kept if name not in identifiers])
        parts = self.source.gathered(ContentTask(chain, draws), chain.needed) if chain.names else ()
        return contents(chain.head().columns, sum(parts, np.zeros(1, np.uint64)))

    def counted(self, names: Sequence[str]) -> Microdata:
        """Return some columns with equal records once, their number in ``copies``."""
        weight = next((name for name in self.with_role("weight") if name not in names), None)
        chain = self.chain([*names, weight] if weight else names)
        columns = chain.head().columns
        if len(columns) == 1 and not chain.steps and isinstance(columns[0], Categorical):
            return Microdata((self.outlined(*names),))  # the survey has counted it
        digits = self._digits(names)
        source = self.source if weight else self.counting_source(chain)
        tallied, weights = self._tallied(source, (chain,), digits, weight)
        if weight is not None:
            tallied.append(_weighing(chain.head()[weight], weights, tallied[0]))
        return Microdata(tuple(tallied))

    def counted_with(
        self, after: Self, names: Sequence[str], after_names: Sequence[str] | None = None
    ) -> tuple[Microdata, Microdata]:
        """Return some columns of this table and of a masked one, equal pairs of records once."""
        others = names if after_names is None else after_names
        facts = ("source", "steps", "options")
        if others == names and all(getattr(self, it) is getattr(after, it) for it in facts):
            same = self.counted(names)
            return same, same
        weight = next((name for name in self.with_role("weight") if name not in names), None)
        source, chains = self._beside(after, names, others)
        digits = self._digits(names) + after._digits(others)
        columns, weights = self._tallied(source, chains, digits, weight)
        pair = [columns[: len(names)], columns[len(names) :]]
        if weight is not None:
            own = _weighing(chains[0].head()[weight], weights, columns[0])
            pair = [[c for c in part if c.name != weight] + [own] for part in pair]
        return Microdata(tuple(pair[0])), Microdata(tuple(pair[1]))

    def in_blocks(
        self, names: Sequence[str], work: Callable[[Microdata], BlockResult]
    ) -> Iterable[BlockResult]:
        """Return what some work finds in each block of records, in any order."""
        chain = self.chain(self._with_weight(names))
        return _block_results(self.source, (chain,), work)

    def in_blocks_with(
        self, after: Self, names: Sequence[str], work: Callable[[Microdata, Microdata], BlockResult]
    ) -> Iterable[BlockResult]:
        """Return the same for blocks of this table and of a masked one, side by side."""
        return _block_results(*self._beside(after, names, names), work)

    def unchanged_in(self, after: Self, names: Sequence[str]) -> bool:
        """Return whether a masked table has the values of this one; stops where it has not."""
        source, chains = self._beside(after, names, names)
        needed = list(dict.fromkeys(name for chain in chains for name in chain.needed))
        for first_row, raw in source.blocks(needed):
            before, masked = (chain.block(first_row, raw) for chain in chains)
            if not all(same_values(before[name], masked[name]) for name in names):
                return False
        return True

    def filtered(self, keep: Callable[[Microdata], Integers]) -> tuple[Integers, Microdata]:
        """Return the records that remain where only some of those seen so far are kept."""
        chain = self.chain(self.kept)
        work = FilterTask(chain, keep, self.budget.records(len(self.kept)))
        parts = self.source.gathered(work, chain.needed)
        return work.merged([part for part in parts if len(part[0])])

    def _with_weight(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return some columns, and that of the weights."""
        return tuple(dict.fromkeys([*names, *self.with_role("weight")]))

    def _beside(
        self, after: Self, names: Sequence[str], others: Sequence[str]
    ) -> tuple[Source, tuple[Chain, ...]]:
        """Return a source of both tables, and how their columns come from it."""
        before, masked = self.chain(self._with_weight(names)), after.chain(others)
        if after.source is self.source:
            return self.source, (before, masked)
        if self.records != after.records:
            raise MismatchError(
                "the table before has {before} rows and the one after has {after}; their records "
                "must correspond.",
                before=self.records,
                after=after.records,
            )
        return self.source.beside(after.source), (before, replace(masked, prefix=BESIDE))

    def _digits(self, names: Sequence[str]) -> tuple[Digit, ...]:
        """Return how columns are part of a key."""
        chain = self.chain(names)
        masked = {name for plan, _ in chain.steps for name in plan.step.columns}
        known = self.surveyed([f for f in self.source.schema if f.name in {*names} - masked])
        return tuple(digit_of(column, known.get(column.name)) for column in chain.head().columns)

    def _tallied(
        self,
        source: Source | CombinedTexts | TalliedColumns,
        chains: tuple[Chain, ...],
        digits: tuple[Digit, ...],
        weight: str | None,
    ) -> tuple[list[Column], Floats]:
        """Return equal records of some chains once, and the mean weight of each."""
        packing = Packing(digits)
        keys, copies, sums = source.counted(CountTask(chains, packing, weight), self.budget)
        columns = packing.unpacked(keys, copies)
        means: Floats = np.zeros(len(copies)) if sums is None else sums / copies
        if packing.is_ordered:
            return columns, means
        order = in_order(columns)
        return [column.take(order) for column in columns], means[order]

    def transformed(self, plan: Plan, draws: Draws, *, random: bool = True) -> Self:
        """Return the table masked by a plan, block by block and not before it is read."""
        changed = plan.step.columns
        kept = {n: o for n, o in self.outlines.items() if n not in changed}
        if isinstance(plan, LabelPlan):  # equal values stay apart, and as many
            kept |= {
                n: o.coded.on_list(plan.labels[n]) for n, o in self.outlines.items() if n in changed
            }
        drawn = self.drawn.union(changed) if random else self.drawn
        return replace(self, steps=(*self.steps, (plan, draws)), outlines=kept, drawn=drawn)

    def without(self, names: Iterable[str]) -> Self:
        """Return the table without some columns."""
        dropped = set(names)
        return replace(self, kept=tuple(name for name in self.kept if name not in dropped))

    def assigning(
        self,
        roles: Mapping[str, Role] | None = None,
        scales: Mapping[str, Scale] | None = None,
    ) -> Self:
        """Return the table with other roles and scales for the columns named."""
        roles, scales = by_column("roles", roles), by_column("scales", scales)
        if not roles and not scales:
            return self
        if self.steps:
            raise SettingError("give a large table its roles and scales before it is masked.")
        self.head.assigning(roles, scales)  # refuses what cannot be
        own = self.options
        options = replace(own, roles={**own.roles, **roles}, scales={**own.scales, **scales})
        same = {n: c for n, c in self.codings.items() if n not in roles and n not in scales}
        return replace(self, options=options, codings=same, outlines={})

    def sample(self, rows: int, *, seed: Seed = None) -> Microdata:
        """Return a simple random sample of records, in their order, in memory."""
        if not 1 <= rows <= self.records:
            raise SettingError(
                "a sample has between 1 and {records} records, got {rows}.",
                records=self.records,
                rows=rows,
            )
        chosen = np.random.default_rng(draws_from(seed).seed).choice(
            self.records, rows, replace=False, shuffle=False
        )
        chosen.sort()
        chain = self.chain(self.kept)
        if chain.is_by_cell:
            return chain.block(chosen, self._raw_sample(chosen, chain.needed))
        return stacked(self._taken(SampleTask(chosen, chain), chain.needed))

    def _raw_sample(self, rows: Integers, names: Sequence[str]) -> pa.Table:
        """Return some raw records; those asked for last are kept, as both sides ask for them."""
        kept = self.sampled[0] if self.sampled else None
        if kept and np.array_equal(kept[0], rows) and {*names} <= {*kept[1].column_names}:
            return kept[1]
        self.sampled[:] = [(rows, pa.concat_tables(self._taken(SampleTask(rows), names)))]
        return self.sampled[0][1]

    def _taken(self, task: SampleTask, names: Sequence[str]) -> list[Any]:
        parts = [part for some in self.source.gathered(task, names) for part in some]
        return [records for _, records in sorted(parts, key=lambda part: part[0])]


def _block_results(
    source: Source, chains: tuple[Chain, ...], work: Callable[..., BlockResult]
) -> list[BlockResult]:
    names = list(dict.fromkeys(name for chain in chains for name in chain.needed))
    parts = source.gathered(BlockTask(chains, work), names)
    return [result for part in parts for result in part]


def _weighing(head: Column, weights: Floats, beside: Column) -> Column:
    """Return the column of mean weights that goes with counted columns."""
    facts = {"role": head.role, "scale": head.scale, "storage": head.storage}
    return Numeric(head.name, weights, copies=beside.copies, **facts)  # type: ignore[arg-type]
