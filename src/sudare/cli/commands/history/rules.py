"""``--rules``: the contest for whose rules a command works on purchase histories."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sudare.contest import ContestRules

RulesFile = Annotated[
    Path | None,
    typer.Option("--rules", help="the rules of a contest in TOML (default: those of PWSCUP 2018)"),
]


def rules_of(path: Path | None) -> "ContestRules":
    """Return the rules in a file, as the contest itself reads them; those of 2018 without one."""
    from sudare.contest import ContestRules

    return ContestRules() if path is None else ContestRules.read(path)
