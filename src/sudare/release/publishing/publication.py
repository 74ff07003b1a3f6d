"""A release: the masked file, its report, its recipe and its ledger, whole or not at all."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sudare.core import Assessment, LargeTable, Microdata, OutputError, Result, Step, say
from sudare.engine.formats import ReleasedForm
from sudare.release.comparing import Comparison
from sudare.release.inspection import Findings, Guarantee, metadata_of
from sudare.release.limits import Limit
from sudare.release.publishing.codebook import Codebook
from sudare.release.publishing.leaving import as_released
from sudare.release.publishing.ledger import Ledger
from sudare.release.publishing.public_figures import PublicFigures
from sudare.release.publishing.release_folder import write_folder
from sudare.release.publishing.seeding import trial_warning
from sudare.release.publishing.table_formats import Format
from sudare.release.recipe import Recipe
from sudare.release.report import Block, Edition, release_report


@dataclass(frozen=True, kw_only=True)
class Publication(ABC):
    """What will be released, and what its custodian knows about it.

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
        """Return the results that an edition of the report may show.

        The public one has those of the released file, and others with noise; see
        :class:`PublicFigures`.
        """
        if edition == "internal":
            return self.measured
        told = self.figures.results
        return tuple((measure, told[measure]) for measure, _ in self.measured if measure in told)

    @property
    def figures(self) -> PublicFigures:
        """The public results of what was measured; nothing where all depend on the original."""
        return PublicFigures()

    @property
    def may_show_recipe(self) -> bool:
        """Whether others may read the recipe: it names no values for which the gate stops it."""
        return not any(finding.kind == "recipe-values" for finding in self.findings.stops)

    def ledger(self) -> Ledger:
        """Return the ledger of the release."""
        verdicts = [(str(limit), kept) for limit, kept in self.verdicts()]
        ledger = Ledger.of(self.about(), self.recipe, self.steps, self.shown_in("public"), verdicts)
        return Ledger(
            {
                **ledger.content,
                "trial": self.trial,
                "findings": self.findings.told().as_list(),
                "guarantees": [guarantee.told().as_dict() for guarantee in self.guarantees],
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
        if hopeless := next((finding for finding in stops if not finding.is_acceptable), None):
            raise OutputError(
                "the gate stops the release: {finding} Nothing was written. {remedy}",
                finding=hopeless,
                remedy=hopeless.remedy,
            )
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

        return write_folder(Path(folder), fill, overwrite=overwrite)

    def write_review(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write what others judge the release by, without a record: report, recipe, codebook.

        Also where a limit is missed or the gate stops the release, then without a codebook, which
        lists categories, and without a recipe that is stopped for the values it names: the report
        says what there is to decide.

        Parameters
        ----------
        folder
            Where it goes.
        overwrite
            Whether an old folder may be replaced.
        """

        def fill(draft: Path) -> None:
            if self.may_show_recipe:
                self.recipe.write(draft / "recipe.toml")
            if not self.findings.stops:
                self._write_codebook(draft / "codebook.xml", "masked")
            release_report(self).write(draft / "report.html")

        return write_folder(Path(folder), fill, overwrite=overwrite)

    def _write_about(self, draft: Path, form: ReleasedForm, *, pdf: bool, word: bool) -> None:
        """Write the files that accompany the masked file."""
        self.ledger().sealed(form).write(draft / "ledger.json")
        self.recipe.write(draft / "recipe.toml")
        self._write_codebook(draft / "codebook.xml", form.file)
        report = release_report(self, file=form.file)
        for ending in ("html", *["pdf"] * pdf, *["docx"] * word):
            report.write(draft / f"report.{ending}")

    @abstractmethod
    def about(self) -> dict[str, Any]:
        """Return what is public about the original."""

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
