"""``sudare history mask``: a purchase history in, a masked one out, through the gate."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli.commands.history.rules import RulesFile, history_at, project_at
from sudare.cli.options import AnyRecipe, AsJson, Confirm, Force, HistorySteps, SecretFile, Seed
from sudare.cli.output import note, print_findings, print_json, print_rows, print_steps, progress
from sudare.cli.table_source import chosen_recipe
from sudare.core import InputError, Masked, guessable, say
from sudare.engine.formats import check_all_free, note_inputs
from sudare.release import Findings, refuse_empty, release_seed, trial_warning
from sudare.release.inspection import history_gate
from sudare.release.publishing import accepted_findings, draws_for, renumbering_customers
from sudare.transactions import CellError, History, MaskedHistory, published, write_masked

NAME = "mask"
HELP = """Mask a purchase history, through the gate. Exits with 1 when the gate stops it, and then
writes nothing. Examples:

sudare history mask T.csv -o A.csv --published B.csv --step "customer-anonymity: k = 2"

sudare history mask T.csv -o A.csv --internal --step coarse-dates --step pseudonyms
"""


def run(
    *,
    history: Annotated[
        Path, typer.Argument(help="the purchase history T, or the project of one (*.sudare.toml)")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="where the masked file A goes")],
    published_to: Annotated[
        Path | None,
        typer.Option("--published", help="the file to release: sorted, no deleted rows"),
    ] = None,
    recipe: AnyRecipe = None,
    step: HistorySteps = None,
    internal: Annotated[
        bool,
        typer.Option("--internal", help="for a contest or internal use: no gate, not for release"),
    ] = False,
    confirm: Confirm = None,
    rules: RulesFile = None,
    seed: Seed = None,
    secret: SecretFile = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Mask a purchase history by a recipe or by steps; the gate looks at it."""
    note_inputs(history, rules)
    chosen = chosen_recipe(recipe, steps=step or ())
    if internal and published_to is not None:
        raise InputError("--published makes a file to release, which --internal does not.")
    check_all_free(output, published_to, overwrite=force)
    refuse_empty(chosen)
    original, project = history_at(history, rules), project_at(history)
    drawn_with = release_seed(seed, secret or (project.secret_for(seed) if project else None))
    whole = chosen if internal else renumbering_customers(chosen)
    draws = draws_for(original, chosen, drawn_with)
    with progress(say("masking")) as advance:
        masked = whole.apply(original, seed=draws.seed, on_progress=advance)
    if guessable(drawn_with):
        note(trial_warning())
    files = HistoryFiles(output, published_to, force=force, as_json=as_json)
    if internal:
        return files.write(original, masked, None)
    accepted = accepted_findings([*(project.confirmations if project else ()), *(confirm or ())])
    findings = history_gate(
        original, masked.data, confirmations=accepted, guessable_seed=guessable(drawn_with)
    )
    return files.refuse(findings) if findings.stops else files.write(original, masked, findings)


@dataclass(frozen=True)
class HistoryFiles:
    """Where a masked history goes, and how that is reported."""

    output: Path
    published_to: Path | None
    _: KW_ONLY
    force: bool
    as_json: bool

    def refuse(self, findings: Findings) -> int:
        """Tell what the gate found; nothing is written."""
        if self.as_json:
            print_json({"findings": findings.as_list()})
        else:
            print_findings(findings)
            note(say("nothing was written."))
        return 1

    def write(
        self, original: History, masked: Masked[MaskedHistory], findings: Findings | None
    ) -> int:
        """Write what passed the gate, or what is not for release and has no findings."""
        write_masked(masked.data, self.output, overwrite=self.force, private=True)
        if self.published_to is not None:
            write_masked(published(masked.data), self.published_to, overwrite=self.force)
        result = CellError()(original, masked.data)
        if self.as_json:
            told: dict[str, Any] = (
                {"internal": True} if findings is None else {"findings": findings.as_list()}
            )
            rows = {"rows": masked.data.rows, "output": str(self.output)}
            print_json({**rows, **result.as_dict(), **told})
            return 0
        print_steps(masked.steps)
        print_errors({**result.parts, "U": result.value})
        if findings is not None:
            print_findings(findings)
        rows_written = say(
            "{count} {count:row|rows} written to {path}.", count=masked.data.rows, path=self.output
        )
        note(rows_written)
        if findings is not None:
            note(
                say(
                    "{path} is in the original order and for internal use: release what "
                    "--published writes.",
                    path=self.output,
                )
            )
        else:
            note(
                say(
                    "for internal use only: the records are in the original order and nothing was "
                    "checked. Do not release this file."
                )
            )
        return 0


def print_errors(errors: Mapping[str, float]) -> None:
    """Write the error of each column."""
    print_rows([{say("column"): say(name), say("error"): value} for name, value in errors.items()])
