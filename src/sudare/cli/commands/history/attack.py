"""``sudare history attack``: every attacker against a masked purchase history."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from sudare.cli.commands.history.rules import RulesFile, rules_of
from sudare.cli.options import AsJson
from sudare.cli.output import complain, note, print_json, print_rows, progress
from sudare.core import say
from sudare.engine.formats import check_free, note_inputs, writing
from sudare.release import Project
from sudare.release.project import project_history
from sudare.release.report import attack_row
from sudare.transactions import Attacks, History, attack_all, read_history, read_masked
from sudare.transactions.attack import AttackOutcome

NAME = "attack"
HELP = """Attack a masked file with all attackers. Exits with 1 when one is effective. Examples:

sudare history attack T.csv masked.csv

sudare history attack T.csv masked.csv --bound tight --at-risk confidential.csv
"""


def run(
    *,
    history: Annotated[
        Path, typer.Argument(help="the original history, or its project (*.sudare.toml)")
    ],
    masked: Annotated[Path, typer.Argument(help="the masked file, with the rows of the original")],
    bound: Annotated[
        Literal["contest", "tight"] | None,
        typer.Option(help="threshold that decides the exit code (default: that of the rules)"),
    ] = None,
    rules: RulesFile = None,
    at_risk: Annotated[
        Path | None,
        typer.Option(help="write how certain each customer is, most certain first (confidential)"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="replace an existing file")] = False,
    as_json: AsJson = False,
) -> int:
    """Attack a masked history."""
    note_inputs(history, masked, rules)
    if at_risk is not None:
        check_free(at_risk, overwrite=force)
    settings = rules_of(rules)
    if history.suffix == ".toml":
        original = project_history(Project.open(history)).history
    else:
        original = read_history(history, rules=settings.history)
    with progress(say("attacking")) as advance:
        read = read_masked(masked, rules=original.rules)
        attacks = attack_all(original, read, on_progress=advance)
    bound = bound or settings.bound
    hit = attacks.effective(bound)
    if at_risk is not None:
        _write(original, attacks, at_risk, overwrite=force)
        note(say("'{path}' is confidential: it identifies people.", path=at_risk))
    if as_json:
        print_json(
            {"effective": hit, "bound": bound, "attacks": list(map(_json, attacks.outcomes))}
        )
    else:
        print_rows([attack_row(outcome) for outcome in attacks.outcomes])
        if hit:
            complain(say("an attack is effective: the file is not safe."))
    return 1 if hit else 0


def _json(outcome: AttackOutcome) -> dict[str, object]:
    score = outcome.score
    return {
        "attacker": type(outcome.attacker).__name__,
        "one_to_one": outcome.attacker.one_to_one,
        "aim": outcome.aim,
        "named": score.named,
        "right": score.right,
        "needed": dict(score.needed),
        "effective": {bound: score.effective(bound) for bound in score.needed},
    }


def _write(history: History, attacks: Attacks, path: Path, *, overwrite: bool) -> None:
    """Write the customers that some attacker knew, with the certainty."""
    code_of = {name: code for code, name in enumerate(history.customer_ids)}
    lines = [
        f"{name},{attacks.by_customer[code_of[name]]:.6f}\n"
        for name in attacks.most_at_risk(history, len(code_of))
    ]
    with writing(path, overwrite=overwrite, private=True) as draft:
        draft.write_text("".join(lines), encoding="ascii")
