"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Seed = Annotated[int | None, typer.Option(help="same seed, same result; keep it secret")]
Force = Annotated[bool, typer.Option("--force", help="replace existing files")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
Measures = Annotated[
    list[str] | None, typer.Option("--measure", "-m", help="a measure (repeatable)")
]
OneRecipe = Annotated[Path, typer.Option("--recipe", help="a recipe in TOML")]
AnyRecipe = Annotated[Path | None, typer.Option("--recipe", help="a recipe in TOML")]
Recipes = Annotated[list[Path], typer.Option("--recipe", help="a recipe in TOML (repeatable)")]
ReportTo = Annotated[Path | None, typer.Option("--report", help="write an HTML report")]
