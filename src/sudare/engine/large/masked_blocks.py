"""Chains: from a block of raw values to a block of masked records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from sudare.core import ColumnPlan, Draws, Integers, Microdata, Plan
from sudare.engine.large.coding import Carried, Coding
from sudare.engine.large.survey import joined


@dataclass(frozen=True, eq=False)
class Chain:
    """How the columns wanted come from raw ones. Small, and can be sent elsewhere.

    Attributes
    ----------
    names
        The columns wanted.
    codings
        Of the raw columns that are needed for them.
    steps
        The plans that change them, in their order, with their draws.
    prefix
        Before the names of the raw columns, where two tables are read side by side.
    """

    names: tuple[str, ...]
    codings: Mapping[str, Coding]
    steps: tuple[tuple[Plan, Draws], ...] = ()
    prefix: str = ""

    @property
    def needed(self) -> tuple[str, ...]:
        """The raw columns."""
        return tuple(self.prefix + name for name in self.codings)

    @property
    def is_by_cell(self) -> bool:
        """Whether any records give what they give in their block: it masks cell by cell."""
        return all(isinstance(plan, ColumnPlan) for plan, _ in self.steps) and not any(
            isinstance(coding, Carried) for coding in self.codings.values()
        )

    def head(self) -> Microdata:
        """Return the table without any record."""
        return self._masked(Microdata(tuple(coding.head for coding in self.codings.values())), 0)

    def block(self, first_row: int | Integers, raw: pa.Table) -> Microdata:
        """Return the masked records of a block whose first record, or all, have these numbers."""
        columns = (
            coding.column(joined(raw.column(self.prefix + name)))
            for name, coding in self.codings.items()
        )
        return self._masked(Microdata(tuple(columns)), first_row)

    def _masked(self, data: Microdata, first_row: int | Integers) -> Microdata:
        for plan, draws in self.steps:
            data = plan.transform(data, seed=draws.starting_at(first_row))
        masked = {name for plan, _ in self.steps for name in plan.step.columns}
        # Texts come back where no block of a column was masked, so not where one block was spared.
        columns = (data[name] for name in self.names)
        return Microdata(
            tuple(replace(c, written=None) if c.name in masked else c for c in columns)
        )


def needed(
    names: Sequence[str], steps: Sequence[tuple[Plan, Draws]]
) -> tuple[set[str], tuple[tuple[Plan, Draws], ...]]:
    """Return the raw columns that some masked ones come from, and the steps on the way."""
    wanted = set(names)
    kept: list[tuple[Plan, Draws]] = []
    for plan, draws in reversed(steps):
        narrow = plan.narrowed(wanted)
        if narrow is not None:
            wanted.update(narrow.inputs)
            kept.insert(0, (narrow, draws))
    return wanted, tuple(kept)
