"""The commands of ``sudare history``, and the application that offers them."""

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.command_list import COMMANDS
from sudare.cli.commands import report as report_table, search as search_table
from sudare.cli.commands.compare import (
    Folder,
    Repeats,
    Workers,
    compared,
    print_comparison,
    write_report,
)
from sudare.cli.commands.history import attack, derive, mask, study
from sudare.cli.commands.history.rules import RulesFile, history_at, project_at
from sudare.cli.options import (
    AnyRecipe,
    AsJson,
    Confirm,
    Force,
    Limits,
    Measures,
    Recipes,
    ReportTo,
    SecretFile,
    Seed,
)
from sudare.cli.output import complain, note, print_json
from sudare.cli.table_source import chosen_recipe
from sudare.cli.termination import guarded
from sudare.core import say
from sudare.engine.formats import check_free, note_inputs
from sudare.release import FOR_HISTORIES, Recipe, ReportTexts, release_seed
from sudare.release.project import history_limits, history_measures
from sudare.transactions import CellError, check as check_file, read_masked
from sudare.transactions.files import MOST

app = typer.Typer(help=COMMANDS["history"].help, no_args_is_help=True, add_completion=False)

CHECK = """Check a masked file. Exits with 1 when something is wrong. Examples:

sudare history check T.csv A.csv

sudare history check T.csv A.csv --rules contest.toml
"""
SCORE = """Measure what a masked file has lost: U and the error by column. Examples:

sudare history score T.csv A.csv

sudare history score T.csv A.csv --at-most 0.25
"""
COMPARE = """Compare recipes on one purchase history. Example:

sudare history compare T.csv --recipe mild.toml --recipe strong.toml --report map.html
"""

SEARCH = """Find the recipe that loses least within limits. Exits with 1 if none is found. Example:

sudare history search T.csv --limit "reidentification < 1" --lose cell-error
"""

REPORT = """Make a release: published file, report, recipe and ledger. Exits with 1 when a limit is
not met, and then writes nothing. Examples:

sudare history report T.csv --recipe pairs.toml --folder release --limit "reidentification < 1"

sudare history report T.csv --recipe pairs.toml --folder release --internal confidential.html
"""

Original = Annotated[
    Path, typer.Argument(help="the purchase history T, or the project of one (*.sudare.toml)")
]
MaskedFile = Annotated[Path, typer.Argument(help="the masked file A, in the order of T")]


def check(
    *, history: Original, masked: MaskedFile, rules: RulesFile = None, as_json: AsJson = False
) -> int:
    """Check a masked file."""
    problems = check_file(history_at(history, rules), masked)
    if as_json:
        listed = [{"line": p.line, "column": p.column, "reason": str(p.reason)} for p in problems]
        print_json({"problems": listed})
    else:
        for problem in problems:
            complain(str(problem))
        if len(problems) == MOST:
            note(say("only the first {count} {count:problem is|problems are} shown.", count=MOST))
        if not problems:
            note(say("the file is valid."))
    return 1 if problems else 0


def score(
    *,
    history: Original,
    masked: MaskedFile,
    at_most: Annotated[float | None, typer.Option(help="exit with 1 when U is above this")] = None,
    rules: RulesFile = None,
    as_json: AsJson = False,
) -> int:
    """Measure what a masked file has lost."""
    original = history_at(history, rules)
    result = CellError()(original, read_masked(masked, rules=original.rules))
    if as_json:
        print_json(result.as_dict())
    else:
        mask.print_errors({**result.parts, "U": result.value})
    missed = at_most is not None and result.value > at_most
    if missed:
        complain(say("the limit {limit} is not met.", limit=f"U <= {at_most:g}"))
    return 1 if missed else 0


def compare(
    *,
    history: Original,
    recipe: Recipes,
    measure: Measures = None,
    repeats: Repeats = 1,
    workers: Workers = None,
    folder: Folder = None,
    report: ReportTo = None,
    rules: RulesFile = None,
    seed: Seed = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Mask a purchase history by every recipe and measure every result."""
    note_inputs(history, *recipe, rules)
    if report is not None:
        check_free(report, overwrite=force)
    recipes = [Recipe.read(path) for path in recipe]
    comparison = compared(
        history_at(history, rules),
        recipes,
        measure or ("cell-error",),
        seed=seed,
        repeats=repeats,
        workers=workers,
        folder=folder,
    )
    print_comparison(comparison, as_json=as_json)
    write_report(comparison, report, force=force)


def search(
    *,
    history: Original,
    limit: search_table.Limits,
    lose: search_table.Losses,
    method: search_table.Methods = None,
    setting: search_table.Ranges = None,
    trials: search_table.Trials = 100,
    repeats: search_table.Runs = 2,
    output: search_table.Output = None,
    report: ReportTo = None,
    folder: Folder = None,
    rules: RulesFile = None,
    seed: Seed = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Search for a recipe within limits."""
    note_inputs(history, rules)
    files = search_table.SearchFiles(output, report, force=force, as_json=as_json)
    return files.of(
        lambda: history_at(history, rules),
        limit,
        setting,
        lose=lose,
        methods=method or None,
        trials=trials,
        repeats=repeats,
        seed=seed,
        folder=folder,
    )


def report(
    *,
    history: Original,
    recipe: AnyRecipe = None,
    folder: report_table.Folder,
    measure: Measures = None,
    limit: Limits = None,
    considered: report_table.Considered = None,
    internal: report_table.Internal = None,
    pdf: report_table.Pdf = False,
    word: report_table.Word = False,
    rules: RulesFile = None,
    seed: Seed = None,
    secret: SecretFile = None,
    confirm: Confirm = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Make a release of a purchase history."""
    report_table.refuse_inside(folder, "--secret", secret)
    note_inputs(history, rules)
    project = project_at(history)
    others = [Recipe.read(path) for path in considered or () if path != recipe]
    if project is not None:
        project.check_reviewed()
    request = report_table.ReleaseRequest(
        chosen_recipe(recipe, project),
        measure or (history_measures(project) if project else FOR_HISTORIES),
        limit or (history_limits(project) if project else ()),
        others,
        release_seed(seed, secret or (project.secret_for(seed) if project else None)),
        project.texts() if project else ReportTexts(),
        [*(project.confirmations if project else ()), *(confirm or ())],
    )
    files = report_table.ReleaseFiles(
        folder, internal, pdf=pdf, word=word, force=force, as_json=as_json
    )
    return files.of(request, lambda: history_at(history, rules))


for name, text, function in (
    (derive.NAME, derive.HELP, derive.run),
    ("check", CHECK, check),
    ("score", SCORE, score),
    (mask.NAME, mask.HELP, mask.run),
    ("compare", COMPARE, compare),
    ("search", SEARCH, search),
    ("report", REPORT, report),
    (attack.NAME, attack.HELP, attack.run),
    ("study", study.STUDY_HELP, study.run_study),
):
    app.command(name, help=text)(guarded(function))
