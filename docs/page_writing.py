"""What generated pages are written with: tables, code, words in the language of the site."""

import tomllib
from functools import cache
from pathlib import Path

from sudare.core import language

WORDS = Path(__file__).with_name("words.ja.toml")


@cache
def japanese() -> dict[str, str]:
    """Return the words of the generated pages in Japanese, by their English."""
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))


def told(text: str) -> str:
    """Return a text of a generated page in the language of the site; each has a translation.

    Examples
    --------
    >>> from sudare.core import speaking
    >>> with speaking("ja"):
    ...     told("Settings")
    '設定'
    """
    return japanese()[text] if language() == "ja" else text


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table; its header is translated."""
    cells = [[told(word) for word in header], ["---"] * len(header), *rows]
    return ["| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in cells]


def fence(language: str, lines: list[str]) -> list[str]:
    """Return the lines of a block of code."""
    return ["", f"```{language}", *lines, "```", ""]


def block(name: str, **options: str) -> list[str]:
    """Return the lines that show what the docstring of a name says."""
    lines = [f"::: {name}"]
    if options:
        lines += ["    options:", *(f"      {key}: {value}" for key, value in options.items())]
    return [*lines, ""]
