"""A table to be released, with its original."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from sudare.core import (
    Assessment,
    Draws,
    LargeTable,
    Microdata,
    OutputError,
    Result,
    draws_from,
    say,
)
from sudare.engine.formats import ReleasedForm
from sudare.mask import privacy
from sudare.release.inspection import ReleasedTable
from sudare.release.publishing.leaving import write_form
from sudare.release.publishing.ledger import Ledger
from sudare.release.publishing.public_figures import PublicFigures, table_figures
from sudare.release.publishing.publication import Publication
from sudare.release.report import (
    Block,
    Edition,
    group_blocks,
    record_detail,
    table_population,
    variable_blocks,
)

Table = TypeVar("Table", Microdata, LargeTable, Microdata | LargeTable)


@dataclass(frozen=True, kw_only=True)
class TablePublication(Publication, Generic[Table]):
    """A table to be released.

    Attributes
    ----------
    before
        The original. Confidential.
    masked
        The masked table without identifiers, with its records in the order of the original.
        Confidential: it tells who is who.
    form
        What is published of it, as it is written; a large table is shuffled then.
    order
        The draws of the order; None where it is that of the original. Secret.
    draws
        Those of the release, for the noise of what is told of the original; None tells nothing.
        Secret.
    """

    before: Table = field(repr=False)
    masked: Table = field(repr=False)
    form: ReleasedTable | LargeTable = field(repr=False)
    order: Draws | None = field(default=None, repr=False)
    draws: Draws | None = field(default=None, repr=False)

    @property
    def released(self) -> Table:
        """What is published of it, in another order."""
        released: Any = self.form.table if isinstance(self.form, ReleasedTable) else self.form
        return released

    def about(self) -> dict[str, Any]:
        """Return the number of rows, and names, roles and scales of the columns."""
        columns = [{"name": c.name, "role": c.role, "scale": c.scale} for c in self.before.columns]
        return {"rows": self.before.records, "columns": columns}

    def summary(self) -> str:
        """Return how many records there are and how many columns were masked."""
        return say(
            "{rows} {rows:record|records}; {masked} of {columns} {columns:column|columns} "
            "{masked:was|were} masked.",
            rows=f"{self.released.records:,}",
            masked=len(self._masked()),
            columns=len(self.released.columns),
        )

    @cached_property
    def figures(self) -> PublicFigures:
        """The public results of what was measured; drawn when first asked for."""
        if self.draws is None:
            return PublicFigures()
        before, masked = self.before, self.masked
        risks = self.risks_before()
        return table_figures(before, masked, self.steps, self.measured, risks, self.draws)

    @cached_property
    def _risks_before(self) -> Mapping[Assessment, Result]:
        return {m: m(self.before) for m, _ in self.measured if m.kind == "risk"}

    def risks_before(self) -> Mapping[Assessment, Result]:
        """Return the risks of the original as if it were released; measured when first asked."""
        return self._risks_before

    def known_to_attackers(self) -> tuple[str, ...]:
        """Return the keys."""
        return self.before.keys

    def table(self) -> Microdata | LargeTable | None:
        """Return the released table."""
        return self.released

    def left_out(self) -> tuple[str, ...]:
        """Return the identifiers."""
        return self.before.with_role("identifier")

    def _masked(self) -> set[str]:
        return {name for step in self.steps for name in step.columns}

    def population(self) -> Iterator[Block]:
        """Yield records and columns."""
        yield from table_population(self.before, self.released, self._masked(), self.labels)

    def risk_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield the sizes of groups, and in the internal edition how risks spread."""
        yield from group_blocks(self.before, self.masked, edition)
        if edition == "internal":
            yield from record_detail(self.measured, "risk")

    def loss_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield distributions and associations, and in the internal edition how losses spread."""
        secret = (self.draws or draws_from(None)).of_release("pictures").seed
        yield from variable_blocks(self.before, self.masked, self._masked(), edition, secret)
        if edition == "internal":
            yield from record_detail(self.measured, "loss")

    def ledger(self) -> Ledger:
        """Return the ledger of the release, with k and ε of what was randomized, as it shows."""
        masked = self.masked
        known = privacy(self.steps, rows=masked.records, after=masked, alike=masked.keys)
        extra = {"privacy": asdict(known)} if known.by_column else {}
        return Ledger({**super().ledger().content, **extra})

    def _write_masked(self, path: Path, encoding: str) -> ReleasedForm:
        form = self.form
        if isinstance(form, ReleasedTable) and form.worded != form.worded_in(path.suffix[1:]):
            raise OutputError(
                "suppressed numbers of '{column}' and those that are not applicable would both be "
                "blank in a {suffix} file; write csv or xlsx, or give not applicable a number of "
                "its own when reading.",
                column=next(iter(form.marked)),
                suffix=path.suffix,
            )
        return write_form(form, path, self.order, encoding=encoding)
