"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

OriginalFile = Annotated[
    Path | None, typer.Argument(help="the table; without it, that of the project")
]
OutEncoding = Annotated[
    str | None, typer.Option("--out-encoding", help="of a text file that is written")
]
Seed = Annotated[int | None, typer.Option(help="same seed, same result; keep it secret")]
Force = Annotated[bool, typer.Option("--force", help="replace existing files")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
Measures = Annotated[
    list[str] | None, typer.Option("--measure", "-m", help="a measure (repeatable)")
]
_RECIPE = "a recipe in TOML, or one of the project by its name"
OneRecipe = Annotated[Path, typer.Option("--recipe", help="a recipe in TOML")]
AnyRecipe = Annotated[Path | None, typer.Option("--recipe", help=_RECIPE)]
Recipes = Annotated[list[Path], typer.Option("--recipe", help="a recipe in TOML (repeatable)")]
AnyRecipes = Annotated[
    list[Path] | None, typer.Option("--recipe", help=f"{_RECIPE} (repeatable; default all)")
]
ReportTo = Annotated[Path | None, typer.Option("--report", help="write an HTML report")]
