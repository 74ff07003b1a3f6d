"""A release: the masked file, its report, its recipe and its ledger, whole or not at all."""

import os
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from sudare.core import Assessment, LargeTable, Microdata, OutputError, Result, Step, say
from sudare.engine import write
from sudare.engine.formats import Folder, check_apart
from sudare.mask import privacy
from sudare.release.comparison import Comparison
from sudare.release.ledger import Ledger
from sudare.release.limits import Limit
from sudare.release.recipe import Recipe
from sudare.release.report import (
    Block,
    Edition,
    history_blocks,
    privacy_blocks,
    release_report,
    table_blocks,
)
from sudare.transactions import COLUMNS, Attacks, History, MaskedHistory, write_masked

Table = TypeVar("Table", Microdata, LargeTable, Microdata | LargeTable)
Format = Literal["csv", "parquet", "xlsx", "sav", "dta"]


@dataclass(frozen=True, kw_only=True)
class Publication(ABC):
    """What is to be released, and what its custodian knows of it.

    Attributes
    ----------
    recipe, steps
        What was done.
    measured
        Every measure with its result.
    limits
        What had to be kept.
    comparison
        The recipes that were considered, for the map.
    texts
        What the report says beside the numbers, by the names of the section ``[report]`` of a
        project.
    """

    recipe: Recipe
    steps: tuple[Step, ...]
    measured: tuple[tuple[Assessment, Result], ...]
    limits: tuple[Limit, ...] = ()
    comparison: Comparison | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    def verdicts(self) -> list[tuple[Limit, bool]]:
        """Return every limit and whether it is kept."""
        results = dict(self.measured)
        return [(limit, limit.met_by(results[limit.measure])) for limit in self.limits]

    @property
    def keeps_limits(self) -> bool:
        """Whether every limit is kept."""
        return all(kept for _, kept in self.verdicts())

    def cautions(self) -> list[str]:
        """Return what the custodian should know before the release is handed out."""
        return [
            say(
                "the lowest and the highest number of column '{column}' are published, as its "
                "randomization needs bounds; state bounds to publish those instead.",
                column=name,
            )
            for masker, step in zip(self.recipe.maskers, self.steps, strict=True)
            for name, public in step.public.items()
            if {"low", "high"} <= public.keys()
            and name not in (getattr(masker, "bounds", None) or {})
        ]

    def shown_in(self, edition: Edition) -> tuple[tuple[Assessment, Result], ...]:
        """Return the results that an edition of the report may show."""
        return tuple(
            (measure, result)
            for measure, result in self.measured
            if edition == "internal" or not measure.confidential
        )

    def ledger(self) -> Ledger:
        """Return the ledger of the release."""
        verdicts = [(str(limit), kept) for limit, kept in self.verdicts()]
        return Ledger.of(self.about(), self.recipe, self.steps, self.shown_in("public"), verdicts)

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        kind: Format = "csv",
        encoding: str = "utf-8",
        pdf: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write the release to a folder: masked file, public report, recipe, ledger.

        The folder appears whole or not at all; an old one stays until then. A release that misses
        a limit is not written.
        """
        target = Path(folder)
        missed = [str(limit) for limit, kept in self.verdicts() if not kept]
        if missed:
            raise OutputError(
                "the release misses the limit {limit}; nothing was written.", limit=missed[0]
            )
        check_apart(target)
        if target.exists() and not overwrite:
            raise OutputError(
                "'{path}' exists; choose another name, or allow overwriting (overwrite=True, "
                "--force).",
                path=str(target),
            )
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with Folder(target.parent) as draft:
                self._write_into(draft, kind=kind, encoding=encoding, pdf=pdf)
                _replace(target, draft)
        except OSError as error:
            raise OutputError(
                "could not write '{path}': {reason}; what was there before is unchanged.",
                path=str(target),
                reason=error.strerror or type(error).__name__,
            ) from error
        return target

    def _write_into(self, draft: Path, *, kind: Format, encoding: str, pdf: bool) -> None:
        masked = self._write_masked(draft / f"masked.{kind}", encoding)
        self.ledger().sealed(masked).write(draft / "ledger.json")
        self.recipe.write(draft / "recipe.toml")
        for ending in ("html", "pdf") if pdf else ("html",):
            release_report(self).write(draft / f"report.{ending}")
        draft.chmod(0o755)

    @abstractmethod
    def about(self) -> dict[str, Any]:
        """Return what anybody may know of the original."""

    @abstractmethod
    def summary(self) -> str:
        """Return what is released, in a sentence."""

    @abstractmethod
    def blocks(self, edition: Edition) -> Iterator[Block]:
        """Yield the pictures and tables of an edition of the report."""

    @abstractmethod
    def _write_masked(self, path: Path, encoding: str) -> Path: ...


@dataclass(frozen=True, kw_only=True)
class TablePublication(Publication, Generic[Table]):
    """A table to be released.

    Attributes
    ----------
    before
        The original. Confidential.
    released
        The masked table without identifiers.
    """

    before: Table = field(repr=False)
    released: Table

    def about(self) -> dict[str, Any]:
        """Return the number of rows, and names, roles and scales of the columns."""
        columns = [{"name": c.name, "role": c.role, "scale": c.scale} for c in self.before.columns]
        return {"rows": self.before.records, "columns": columns}

    def summary(self) -> str:
        """Return how many records there are and how many columns were masked."""
        return say(
            "{rows} {rows:record|records}; {masked} of {columns} columns {masked:was|were} masked.",
            rows=self.released.records,
            masked=len({name for step in self.steps for name in step.columns}),
            columns=len(self.released.columns),
        )

    def blocks(self, edition: Edition) -> Iterator[Block]:
        """Yield distributions, associations and the sizes of groups."""
        yield from privacy_blocks(self.steps, self.before.records)
        masked = {name for step in self.steps for name in step.columns}
        yield from table_blocks(self.before, self.released, masked, self.measured, edition)

    def ledger(self) -> Ledger:
        """Return the ledger of the release, with k and ε of what was randomized."""
        known = privacy(self.steps, rows=self.before.records)
        extra = {"privacy": asdict(known)} if known.by_column else {}
        return Ledger({**super().ledger().content, **extra})

    def _write_masked(self, path: Path, encoding: str) -> Path:
        return write(self.released, path, encoding=encoding)


@dataclass(frozen=True, kw_only=True)
class HistoryPublication(Publication):
    """A purchase history to be released.

    Attributes
    ----------
    before
        The original. Confidential.
    masked
        The masked file with the rows of the original. Confidential: it tells who is who.
    released
        What is published of it: no deleted rows, and rows sorted.
    attacks
        What all attackers reached, where re-identification was measured. Confidential.
    """

    before: History = field(repr=False)
    masked: MaskedHistory = field(repr=False)
    released: MaskedHistory
    attacks: Attacks | None = field(default=None, repr=False)

    def about(self) -> dict[str, Any]:
        """Return the numbers of rows, customers and items."""
        return {
            "rows": self.before.rows,
            "customers": len(self.before.customer_ids),
            "items": len(self.before.item_ids),
            "columns": list(COLUMNS),
        }

    def summary(self) -> str:
        """Return how many purchases and customers are published."""
        return say(
            "{rows} {rows:purchase|purchases} of {customers} {customers:customer|customers} are "
            "published; {gone} {gone:row|rows} of the original {gone:was|were} deleted.",
            rows=self.released.rows,
            customers=len(np.unique(self.released.pseudonyms)),
            gone=self.before.rows - self.released.rows,
        )

    def blocks(self, edition: Edition) -> Iterator[Block]:
        """Yield safety, errors and contents of the cells, and what analysts see."""
        return history_blocks(self, edition)

    def _write_masked(self, path: Path, encoding: str) -> Path:
        if path.suffix != ".csv":
            raise OutputError("a masked history is written as csv.")
        write_masked(self.released, path)
        return path


def _replace(target: Path, draft: Path) -> None:
    """Put a folder in the place of another, which goes only once the new one stands."""
    if not target.exists():
        draft.rename(target)
        return
    # Under a name that nobody sweeps up: until the new folder stands, it is the only release.
    old = target.with_name(f".{target.name}.{secrets.token_hex(8)}.old")
    target.rename(old)
    draft.rename(target)
    with Folder(target.parent) as leaving:
        old.rename(leaving / "old")
