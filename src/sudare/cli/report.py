"""``sudare report``: a release, that is masked table, report, recipe and ledger."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import AnyRecipe, AsJson, Force, Measures, OriginalFile, OutEncoding, Seed
from sudare.cli.output import complain, note, print_json, print_rows, progress
from sudare.cli.spec import chosen_recipe
from sudare.cli.table_source import Data
from sudare.cli.tables import TableOptions, reads_tables
from sudare.core import Assessment, draws_from, say
from sudare.engine.formats import check_apart, check_free
from sudare.release import (
    FOR_TABLES,
    Comparison,
    Format,
    Limit,
    Publication,
    Recipe,
    compare,
    parse_measure,
    publish,
)
from sudare.release.report import release_report
from sudare.transactions import History

Folder = Annotated[Path, typer.Option(help="where the release goes")]
Limits = Annotated[
    list[str] | None, typer.Option("--limit", help='e.g. "uniques <= 0.05" (repeatable)')
]
Considered = Annotated[
    list[Path] | None,
    typer.Option("--compare", help="another recipe, for the risk–utility map (repeatable)"),
]
Internal = Annotated[
    Path | None, typer.Option(help="where the confidential edition goes (.html or .pdf)")
]
Pdf = Annotated[bool, typer.Option("--pdf", help="the public report as PDF too")]


@reads_tables
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
        Format | None, typer.Option("--format", help="of the masked table, else csv")
    ] = None,
    out_encoding: OutEncoding = None,
    pdf: Pdf = False,
    seed: Seed = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Make a release."""
    source = table.at(file)
    release, project = source.release_section(), source.project
    request = ReleaseRequest(
        chosen_recipe(recipe, project),
        measure or source.measures() or FOR_TABLES,
        limit or source.limits(),
        [chosen_recipe(path, project) for path in considered or () if path != recipe],
        seed,
        {} if project is None else project.texts(),
    )
    files = ReleaseFiles(
        folder,
        internal,
        kind or release.format,
        out_encoding or release.encoding,
        pdf=pdf,
        force=force,
        as_json=as_json,
    )
    return files.of(request, source.read_or_open)


@dataclass(frozen=True)
class ReleaseRequest:
    """A release as the command line states it."""

    recipe: Recipe
    measures: Sequence[str | Assessment]
    limits: Sequence[str | Limit]
    considered: Sequence[Recipe]
    seed: int | None
    texts: Mapping[str, str] = field(default_factory=dict)

    def made_of(self, data: Data | History) -> Publication:
        """Mask and measure a table or a purchase history."""
        secret = draws_from(self.seed).seed  # the map shows the very file that is released
        comparison = self._compared(data, secret) if self.considered else None
        with progress(say("masking")) as advance:
            return publish(
                data,
                self.recipe,
                measures=self.measures,
                limits=self.limits,
                comparison=comparison,
                texts=self.texts,
                seed=secret,
                on_progress=advance,
            )

    def _compared(self, data: Data | History, secret: int) -> Comparison:
        recipes = [self.recipe, *self.considered]
        measures = [parse_measure(one) if isinstance(one, str) else one for one in self.measures]
        with progress(say("comparing")) as advance:
            return compare(data, recipes, measures, seed=secret, on_progress=advance)


@dataclass(frozen=True)
class ReleaseFiles:
    """Where a release goes, and how it is printed."""

    folder: Path
    internal: Path | None
    kind: Format = "csv"
    encoding: str = "utf-8"
    _: KW_ONLY
    pdf: bool
    force: bool
    as_json: bool

    def of(self, request: ReleaseRequest, read: Callable[[], Data | History]) -> int:
        """Make the release; return 1 when it misses a limit."""
        self._check()
        publication = request.made_of(read())
        self._check()  # also what was read while masking
        if publication.keeps_limits:
            publication.write(
                self.folder,
                kind=self.kind,
                encoding=self.encoding,
                pdf=self.pdf,
                overwrite=self.force,
            )
        if self.internal is not None:
            release_report(publication, edition="internal").write(
                self.internal, overwrite=self.force
            )
        self._print(publication)
        return 0 if publication.keeps_limits else 1

    def _check(self) -> None:
        check_apart(self.folder)
        if self.internal is not None:
            check_free(self.internal, overwrite=self.force)

    def _print(self, publication: Publication) -> None:
        for text in publication.cautions():
            note(text)
        missed = [str(limit) for limit, kept in publication.verdicts() if not kept]
        if self.as_json:
            results = [result.as_dict() for _, result in publication.measured]
            content = {"results": results, "limits_missed": missed, "folder": str(self.folder)}
            print_json(content)
            return
        print_rows(
            [
                {say("measure"): r.measure, say("value"): float(r.value)}
                for _, r in publication.measured
            ]
        )
        for text in missed:
            complain(say("the limit {limit} is not met.", limit=text))
        if missed:
            note(say("nothing was released."))
        else:
            note(say("released to {path}.", path=self.folder))
