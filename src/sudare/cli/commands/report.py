"""``sudare report``: a release, that is masked table, report, recipe and ledger."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.commands.compare import compared
from sudare.cli.options import (
    AnyRecipe,
    AsJson,
    Confirm,
    Force,
    Limits,
    Measures,
    OriginalFile,
    OutEncoding,
    SecretFile,
    Seed,
)
from sudare.cli.output import (
    complain_of_limits,
    note,
    print_findings,
    print_guarantees,
    print_json,
    print_rows,
    progress,
    telling_of_files,
)
from sudare.cli.table_source import Data, chosen_recipe
from sudare.cli.tables import TableOptions
from sudare.core import Assessment, Seed as DrawnWith, SettingError, draws_from, say
from sudare.engine.formats import check_apart, check_free
from sudare.release import (
    FOR_TABLES,
    Format,
    Limit,
    Project,
    Publication,
    Recipe,
    ReportTexts,
    measure_title,
    publish,
)
from sudare.release.inspection import Confirmed
from sudare.release.publishing import draws_for
from sudare.release.report import release_report
from sudare.transactions import History

Folder = Annotated[Path, typer.Option(help="where the release goes")]
Considered = Annotated[
    list[Path] | None,
    typer.Option("--compare", help="another recipe, for the internal map (repeatable)"),
]
Internal = Annotated[
    Path | None, typer.Option(help="where the confidential edition goes (.html, .pdf or .docx)")
]
Pdf = Annotated[bool, typer.Option("--pdf", help="also write the public report as PDF")]
Profiles = Annotated[
    list[str] | None,
    typer.Option("--profile", help="a legal checklist in the report, e.g. hipaa (repeatable)"),
]
Review = Annotated[
    bool,
    typer.Option(
        "--review", help="for the decision maker: report, recipe and codebook; no records"
    ),
]
Word = Annotated[bool, typer.Option("--word", help="also write the public report as a Word file")]


def run(
    *,
    file: OriginalFile = None,
    recipe: AnyRecipe = None,
    folder: Folder,
    table: TableOptions,
    measure: Measures = None,
    limit: Limits = None,
    considered: Considered = None,
    internal: Internal = None,
    kind: Annotated[
        Format | None, typer.Option("--format", help="format of the masked table (default: csv)")
    ] = None,
    out_encoding: OutEncoding = None,
    pdf: Pdf = False,
    word: Word = False,
    review: Review = False,
    profile: Profiles = None,
    seed: Seed = None,
    secret: SecretFile = None,
    confirm: Confirm = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Make a release, through the gate."""
    refuse_inside(folder, "--secret", secret)
    source = table.at(file)
    project = source.project
    chosen = chosen_recipe(recipe, project, table.allow_path)
    source = source.by_recipe(chosen)
    release = source.release_section()
    request = ReleaseRequest(
        chosen,
        measure or source.measures() or FOR_TABLES,
        limit or source.limits(),
        [
            chosen_recipe(path, project, table.allow_path)
            for path in considered or ()
            if path != recipe
        ],
        source.release_seed(seed, secret),
        _texts(project, profile),
        source.confirmations(confirm),
    )
    files = ReleaseFiles(
        folder,
        internal,
        kind or release.format,
        out_encoding or release.encoding,
        pdf=pdf,
        word=word,
        review=review,
        force=force,
        as_json=as_json,
    )
    return files.of(request, source.read_or_open)


def refuse_inside(folder: Path, option: str, path: Path | None) -> None:
    """Refuse a confidential file in the folder that is handed out."""
    if path is not None and {path.resolve(), *path.resolve().parents} & {folder.resolve()}:
        raise SettingError(
            "{option} names a file in the folder of the release; keep it elsewhere.", option=option
        )


def _texts(project: Project | None, profiles: Sequence[str] | None) -> ReportTexts:
    """Return what the project states; legal profiles on the line take the place of its own."""
    texts = ReportTexts() if project is None else project.texts()
    return replace(texts, profiles=profiles) if profiles else texts


@dataclass(frozen=True)
class ReleaseRequest:
    """A release as the command line states it."""

    recipe: Recipe
    measures: Sequence[str | Assessment]
    limits: Sequence[str | Limit]
    considered: Sequence[Recipe]
    seed: DrawnWith
    texts: ReportTexts = field(default_factory=ReportTexts)
    confirmations: Sequence[str | Confirmed] = ()

    def made_of(self, data: Data | History) -> Publication:
        """Mask and measure a table or a purchase history."""
        # The map shows the very file that is released.
        seed = draws_from(None).seed if self.seed is None else self.seed
        comparison = None
        if self.considered:
            drawn = draws_for(data, self.recipe, seed).seed
            recipes = [self.recipe, *self.considered]
            comparison = compared(data, recipes, self.measures, limits=self.limits, seed=drawn)
        with progress(say("masking")) as advance:
            return publish(
                data,
                self.recipe,
                measures=self.measures,
                limits=self.limits,
                comparison=comparison,
                texts=self.texts,
                seed=seed,
                confirmations=self.confirmations,
                on_progress=advance,
            )


@dataclass(frozen=True)
class ReleaseFiles:
    """Where a release goes, and how it is printed."""

    folder: Path
    internal: Path | None
    kind: Format = "csv"
    encoding: str = "utf-8"
    _: KW_ONLY
    pdf: bool
    word: bool
    force: bool
    as_json: bool
    review: bool = False

    def of(self, request: ReleaseRequest, read: Callable[[], Data | History]) -> int:
        """Make the release; return 1 when it misses a limit, or the gate stops it.

        A folder for review is written in any case, and its report says what there is to decide;
        a script learns from the code that the release itself would be stopped.
        """
        self._check()
        publication = request.made_of(read())
        self._check()  # also what was read while masking
        if self.internal is not None:  # first: if it fails, nothing is released
            release_report(publication, edition="internal").write(
                self.internal, overwrite=self.force
            )
        if self.review:
            publication.write_review(self.folder, overwrite=self.force)
        elif publication.may_leave:
            publication.write(
                self.folder,
                kind=self.kind,
                encoding=self.encoding,
                pdf=self.pdf,
                word=self.word,
                overwrite=self.force,
            )
        is_written = self.review or publication.may_leave or self.internal is not None
        with telling_of_files() if is_written else nullcontext():
            self._print(publication)
        return 0 if publication.may_leave else 1

    def _check(self) -> None:
        check_apart(self.folder)
        refuse_inside(self.folder, "--internal", self.internal)
        if self.internal is not None:
            check_free(self.internal, overwrite=self.force)

    def _print(self, publication: Publication) -> None:
        for text in publication.cautions():
            note(text)
        measured = dict(publication.measured)
        verdicts = [limit.judged(measured[limit.measure]) for limit in publication.limits]
        missed = [verdict for verdict in verdicts if not verdict["kept"]]
        if self.as_json:
            results = [result.as_dict() for _, result in publication.measured]
            content = {
                "results": results,
                "limits": verdicts,
                "limits_missed": [verdict["limit"] for verdict in missed],
                "folder": str(self.folder),
            }
            findings = publication.findings.as_list()
            guarantees = [guarantee.as_dict() for guarantee in publication.guarantees]
            print_json({**content, "findings": findings, "guarantees": guarantees})
            return
        print_rows(
            [
                {say("measure"): measure_title(measure), say("value"): float(result.value)}
                for measure, result in publication.measured
            ]
        )
        print_guarantees(publication.guarantees)
        print_findings(publication.findings)
        complain_of_limits(missed)
        if self.review:
            note(say("written for review to {path}; nothing was released.", path=self.folder))
        elif not publication.may_leave:
            note(say("nothing was released."))
        else:
            note(say("released to {path}.", path=self.folder))
