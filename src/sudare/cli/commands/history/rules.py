"""Reading a purchase history: a file or a project, by the rules of a contest (``--rules``)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.release import Project
from sudare.release.project import project_history
from sudare.transactions import History, read_history

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


def history_at(path: Path, rules: Path | None) -> History:
    """Return the history of a file or of a project."""
    project = project_at(path)
    if project is not None:
        return project_history(project).history
    return read_history(path, rules=rules_of(rules).history)


def project_at(path: Path) -> Project | None:
    """Return the project that is given in place of a history, if it is one."""
    return Project.open(path) if path.suffix == ".toml" else None
