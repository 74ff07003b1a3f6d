"""A release: the masked file, its report, its recipe and its ledger, whole or not at all."""

import os
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from sudare.core import (
    Assessment,
    Draws,
    LargeTable,
    Microdata,
    OutputError,
    Result,
    Step,
    say,
)
from sudare.engine.formats import Folder, ReleasedForm, check_apart
from sudare.mask import Privacy, privacy
from sudare.release.comparing import Comparison
from sudare.release.inspection import Findings, Guarantee, ReleasedTable, metadata_of
from sudare.release.limits import Limit
from sudare.release.publishing.codebook import Codebook
from sudare.release.publishing.leaving import as_released, write_form
from sudare.release.publishing.ledger import Ledger
from sudare.release.publishing.seeding import trial_warning
from sudare.release.publishing.table_formats import Format
from sudare.release.recipe import Recipe
from sudare.release.report import (
    Block,
    Edition,
    Text,
    association_blocks,
    group_blocks,
    history_losses,
    history_risks,
    record_detail,
    release_report,
    table_population,
    variable_blocks,
)
from sudare.transactions import COLUMNS, Attacks, History, MaskedHistory, write_masked

Table = TypeVar("Table", Microdata, LargeTable, Microdata | LargeTable)


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
    trial
        Whether it was drawn with a seed that can be guessed, so that anybody could undo the draws.
    findings
        What the gate found, and what a person has accepted of it.
    guarantees
        What the release promises, with the conditions that the promise needs.
    profiles
        Names of the legal profiles whose checklists the report has.
    labels
        By column, what it is called in the report and the codebook.
    """

    recipe: Recipe
    steps: tuple[Step, ...]
    measured: tuple[tuple[Assessment, Result], ...]
    limits: tuple[Limit, ...] = ()
    comparison: Comparison | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    trial: bool = False
    findings: Findings = field(default_factory=Findings)
    guarantees: tuple[Guarantee, ...] = ()
    profiles: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

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
        bounds = [
            say(
                "the bounds of column '{column}' are taken from the data, widened to round "
                "numbers, and published, as its randomization needs them; state bounds to publish "
                "those instead.",
                column=name,
            )
            for masker, step in zip(self.recipe.maskers, self.steps, strict=True)
            for name, public in step.public.items()
            if {"low", "high"} <= public.keys()
            and name not in (getattr(masker, "bounds", None) or {})
        ]
        return [trial_warning(), *bounds] if self.trial else bounds

    @property
    def may_leave(self) -> bool:
        """Whether every limit is kept and no finding of the gate is left to be accepted."""
        return self.keeps_limits and not self.findings.stops

    def shown_in(self, edition: Edition) -> tuple[tuple[Assessment, Result], ...]:
        """Return the results that an edition of the report may show, the public one rounded."""
        if edition == "internal":
            return self.measured
        return tuple(
            (measure, result.told_of(self.persons))
            for measure, result in self.measured
            if not measure.confidential
        )

    @property
    @abstractmethod
    def persons(self) -> int:
        """How many records, or customers, the original has."""

    def ledger(self) -> Ledger:
        """Return the ledger of the release."""
        verdicts = [(str(limit), kept) for limit, kept in self.verdicts()]
        ledger = Ledger.of(self.about(), self.recipe, self.steps, self.shown_in("public"), verdicts)
        return Ledger(
            {
                **ledger.content,
                "trial": self.trial,
                "findings": self.findings.as_list(),
                "guarantees": [guarantee.as_dict() for guarantee in self.guarantees],
            }
        )

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        kind: Format = "csv",
        encoding: str = "utf-8",
        pdf: bool = False,
        word: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write the release to a folder: masked file, codebook, public report, recipe, ledger.

        The folder appears whole or not at all; an old one stays until then. A release that misses
        a limit, or that the gate stops, is not written.

        Parameters
        ----------
        folder
            Where the release goes.
        kind, encoding
            Format of the masked table, and encoding of a text file.
        pdf, word
            Whether the report is written as PDF and as a Word file too, beside HTML.
        overwrite
            Whether an old release may be replaced.
        """
        missed = [str(limit) for limit, kept in self.verdicts() if not kept]
        if missed:
            raise OutputError(
                "the release misses the limit {limit}; nothing was written.", limit=missed[0]
            )
        stops = self.findings.stops
        if stops:
            raise OutputError(
                "the gate stops the release: {finding} Nothing was written. Accept the finding by "
                "name if it is harmless ({confirmation}); {count} {count:finding stops|findings "
                "stop} it in all.",
                finding=stops[0],
                confirmation=stops[0].confirmation,
                count=len(stops),
            )

        def fill(draft: Path) -> None:
            form = self._write_masked(draft / f"masked.{kind}", encoding)
            as_file = replace(
                self,
                findings=self.findings + metadata_of(kind),
                recipe=as_released(self.recipe, form, self.findings),
            )
            as_file._write_about(draft, form, pdf=pdf, word=word)

        return _write_folder(Path(folder), fill, overwrite=overwrite)

    def write_review(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write what others judge the release by, without a record: report, recipe, codebook.

        Also where a limit is missed or the gate stops the release: the report says what there is
        to decide.

        Parameters
        ----------
        folder
            Where it goes.
        overwrite
            Whether an old folder may be replaced.
        """

        def fill(draft: Path) -> None:
            self.recipe.write(draft / "recipe.toml")
            self._write_codebook(draft / "codebook.xml", "masked")
            release_report(self).write(draft / "report.html")

        return _write_folder(Path(folder), fill, overwrite=overwrite)

    def _write_about(self, draft: Path, form: ReleasedForm, *, pdf: bool, word: bool) -> None:
        """Write what stands beside the masked file."""
        self.ledger().sealed(form).write(draft / "ledger.json")
        self.recipe.write(draft / "recipe.toml")
        self._write_codebook(draft / "codebook.xml", form.file)
        report = release_report(self, file=form.file)
        for ending in ("html", *["pdf"] * pdf, *["docx"] * word):
            report.write(draft / f"report.{ending}")

    @abstractmethod
    def about(self) -> dict[str, Any]:
        """Return what anybody may know of the original."""

    @abstractmethod
    def summary(self) -> str:
        """Return what is released, in a sentence."""

    def risks_before(self) -> Mapping[Assessment, Result]:
        """Return the risks of the original as if it were released, where they can be measured."""
        return {}

    def known_to_attackers(self) -> tuple[str, ...]:
        """Return the columns of a person that an attacker is taken to know."""
        return ()

    def table(self) -> Microdata | LargeTable | None:
        """Return the released table, if that is what is released."""
        return None

    def left_out(self) -> tuple[str, ...]:
        """Return the columns that are not released, as they point at persons."""
        return ()

    @abstractmethod
    def population(self) -> Iterator[Block]:
        """Yield what the released data hold."""

    @abstractmethod
    def risk_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield the pictures of the risk in an edition of the report."""

    @abstractmethod
    def loss_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield the pictures of what was lost in an edition of the report."""

    def _write_codebook(self, path: Path, masked: str) -> None:
        """Write the codebook of a released table; a history needs none."""
        table = self.table()
        if table is not None:
            Codebook(table, masked, self.steps, self.texts, self.labels).write(path)

    @abstractmethod
    def _write_masked(self, path: Path, encoding: str) -> ReleasedForm:
        """Write the masked file, and return how it was written."""


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
    released
        What is published of it, in another order; a large table is shuffled when it is written.
    order
        The draws of the order; None where it is that of the original. Secret.
    form
        The released table as it is written; None for a large table.
    """

    before: Table = field(repr=False)
    masked: Table = field(repr=False)
    released: Table
    order: Draws | None = field(default=None, repr=False)
    form: ReleasedTable | None = field(default=None, repr=False)

    @property
    def persons(self) -> int:
        """How many records the original has."""
        return self.before.records

    def about(self) -> dict[str, Any]:
        """Return the number of rows, and names, roles and scales of the columns."""
        columns = [{"name": c.name, "role": c.role, "scale": c.scale} for c in self.before.columns]
        return {"rows": self.before.records, "columns": columns}

    def summary(self) -> str:
        """Return how many records there are and how many columns were masked."""
        return say(
            "{rows} {rows:record|records}; {masked} of {columns} columns {masked:was|were} masked.",
            rows=f"{self.released.records:,}",
            masked=len(self._masked()),
            columns=len(self.released.columns),
        )

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
        yield from variable_blocks(self.before, self.masked, self._masked(), edition)
        yield from association_blocks(self.before, self.masked, edition)
        if edition == "internal":
            yield from record_detail(self.measured, "loss")

    def privacy(self) -> Privacy:
        """Return k and ε of what was randomized."""
        before, after = self.before, self.masked
        return privacy(self.steps, rows=after.records, before=before, after=after)

    def ledger(self) -> Ledger:
        """Return the ledger of the release, with k and ε of what was randomized."""
        known = self.privacy()
        extra = {"privacy": asdict(known)} if known.by_column else {}
        return Ledger({**super().ledger().content, **extra})

    def _write_masked(self, path: Path, encoding: str) -> ReleasedForm:
        form = self.form or self.released
        if isinstance(form, ReleasedTable) and form.worded != form.worded_in(path.suffix[1:]):
            raise OutputError(
                "suppressed numbers of '{column}' and those that are not applicable would both be "
                "blank in a {suffix} file; write csv or xlsx, or give not applicable a number of "
                "its own when reading.",
                column=next(iter(form.marked)),
                suffix=path.suffix,
            )
        return write_form(form, path, self.order, encoding=encoding)


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

    @property
    def persons(self) -> int:
        """How many customers the original has."""
        return len(self.before.customer_ids)

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

    def population(self) -> Iterator[Block]:
        """Yield how many rows, customers and items there are."""
        yield Text(self.summary())

    def risk_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield what attackers reached, and who could be singled out."""
        return history_risks(self, edition)

    def loss_pictures(self, edition: Edition) -> Iterator[Block]:
        """Yield errors and contents of the cells, and what analysts see."""
        return history_losses(self, edition)

    def _write_masked(self, path: Path, encoding: str) -> ReleasedForm:
        if path.suffix != ".csv":
            raise OutputError("a masked history is written as csv.")
        write_masked(self.released, path)
        return ReleasedForm.of(path, encoding="ascii", shuffled=True, suppressed=())


_WRITTEN = {"masked", "report", "ledger", "recipe", "codebook"}  # what a release consists of


def _write_folder(target: Path, fill: Callable[[Path], None], *, overwrite: bool) -> Path:
    """Write a folder that appears whole or not at all; an old one stays until then."""
    check_apart(target)
    if target.exists() and not overwrite:
        raise OutputError(
            "'{path}' exists; choose another name, or allow overwriting (overwrite=True, --force).",
            path=str(target),
        )
    others = (
        [path for path in target.iterdir() if path.name.partition(".")[0] not in _WRITTEN]
        if target.is_dir()
        else []
    )
    if others or (target.exists() and not target.is_dir()):
        raise OutputError(
            "'{path}' is not an old release: it holds other files, which would be lost; choose "
            "another folder.",
            path=str(target),
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with Folder(target.parent) as draft:
            fill(draft)
            draft.chmod(0o755)
            _replace(target, draft)
    except OSError as error:
        raise OutputError(
            "could not write '{path}': {reason}; what was there before is unchanged.",
            path=str(target),
            reason=error.strerror or type(error).__name__,
        ) from error
    return target


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
