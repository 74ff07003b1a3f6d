"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

OriginalFile = Annotated[
    Path | None, typer.Argument(help="the table; without it, that of the project")
]
OutEncoding = Annotated[
    str | None,
    typer.Option(
        "--out-encoding",
        help="encoding of a text file that is written: utf-8, utf-8-sig (for Excel), cp932, …",
    ),
]
Seed = Annotated[int | None, typer.Option(help="same seed, same result; keep it secret")]
SecretFile = Annotated[
    Path | None,
    typer.Option(
        "--secret",
        help="private file that is combined with the seed; created if there is none (a project has "
        "its own)",
    ),
]
Confirm = Annotated[
    list[str] | None,
    typer.Option(
        "--confirm", help="accept a finding of the gate, e.g. twin:code,region (repeatable)"
    ),
]
Force = Annotated[bool, typer.Option("--force", help="replace existing files")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
Limits = Annotated[
    list[str] | None, typer.Option("--limit", help='e.g. "uniques <= 0.05" (repeatable)')
]


def measure_names(incomplete: str) -> list[str]:
    """Return the measures that a shell offers to complete what was typed."""
    return _names(incomplete, {"risk", "loss"}, {"table", "history"})


def step_names(incomplete: str) -> list[str]:
    """Return the masking methods of tables that a shell offers."""
    return _names(incomplete, {"mask"}, {"table"})


def history_step_names(incomplete: str) -> list[str]:
    """Return the masking methods of purchase histories that a shell offers."""
    return _names(incomplete, {"mask"}, {"history"})


def _names(incomplete: str, families: set[str], subjects: set[str]) -> list[str]:
    from sudare.catalog import METHODS

    chosen = [e.slug for e in METHODS if e.family in families and e.subject in subjects]
    return [name for name in dict.fromkeys(chosen) if name.startswith(incomplete)]


_STEP = "a method with its settings (repeatable)"
Steps = Annotated[list[str] | None, typer.Option("--step", help=_STEP, autocompletion=step_names)]
HistorySteps = Annotated[
    list[str] | None, typer.Option("--step", help=_STEP, autocompletion=history_step_names)
]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="a measure (repeatable)", autocompletion=measure_names),
]
_RECIPE = "a recipe in TOML, or one of the project by its name"
AnyRecipe = Annotated[Path | None, typer.Option("--recipe", help=_RECIPE)]
Recipes = Annotated[list[Path], typer.Option("--recipe", help="a recipe in TOML (repeatable)")]
AnyRecipes = Annotated[
    list[Path] | None, typer.Option("--recipe", help=f"{_RECIPE} (repeatable; default: all)")
]
ReportTo = Annotated[Path | None, typer.Option("--report", help="write an HTML report")]
