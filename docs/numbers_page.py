"""Tables of numbers in both languages: the papers' and ours, and what benchmarks measured."""

import csv
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from page_writing import table, told

from sudare.core import language, say

NUMBERS = Path(__file__).parent / "papers" / "published.csv"
FIGURES = Path(__file__).with_name("figures.ja.toml")
MEASURED = re.compile(r'^--8<-- "docs/(.*\.md):(.*)"$', re.MULTILINE)
NUMBER = r"(\d+(?:\.\d+)?)"


def printed_numbers() -> list[dict[str, str]]:
    """Return the rows of the table."""
    with NUMBERS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numbers_tables() -> str:
    """Return the numbers of the papers beside ours."""
    numbers = printed_numbers()
    lines = []
    for paper in dict.fromkeys(number["paper"] for number in numbers):
        those = [number for number in numbers if number["paper"] == paper]
        lines += [f"## {paper}", "", *_numbers_table(n for n in those if n["ours"]), ""]
        rest = [number for number in those if not number["ours"]]
        if rest:
            title = told("{count} numbers without one of ours").format(count=len(rest))
            table_lines = [f"    {line}" for line in _numbers_table(rest)]
            lines += [f'??? note "{title}"', "", *table_lines, ""]
    return "\n".join(lines)


def _numbers_table(numbers: Iterable[dict[str, str]]) -> list[str]:
    rows = [
        [
            named(n["source"]),
            named(n["figure"]),
            n["published"],
            n["ours"] and f"{float(n['ours']):.6g}",
            say(n["note"]),
        ]
        for n in numbers
    ]
    return table(["source", "figure", "published", "ours", "note"], rows)


def with_measured_tables(markdown: str) -> str:
    """Return a translated page with the tables that it takes from its English page, translated."""
    return MEASURED.sub(_measured_table, markdown)


def _measured_table(taken: re.Match[str]) -> str:
    """Return a table that a benchmark wrote between two marks of an English page."""
    page = NUMBERS.parents[1].joinpath(taken[1]).read_text(encoding="utf-8")
    section = page.split(f"[start:{taken[2]}] -->")[1].split("<!-- --8<-- [end")[0]
    lines = [line.split(" | ") for line in section.splitlines() if line.startswith("|")]
    return "\n".join(" | ".join(named(cell) for cell in line) for line in lines)


def named(figure: str) -> str:
    """Return the name of a number in the language of the site.

    Examples
    --------
    >>> from sudare.core import speaking
    >>> with speaking("ja"):
    ...     named("recall, 2 inputs, p=0.01"), named("team 05, sd")
    ('再現率、入力 2 変数、p=0.01', 'チーム 05、標準偏差')
    """
    if language() == "en":
        return figure
    said = _names().sub(lambda name: _in_japanese(name[0]), figure)
    return said.replace(", ", "、").replace(": ", "：")


def _in_japanese(name: str) -> str:
    said = _figures()[re.sub(NUMBER, "#", name)]
    for number in re.findall(NUMBER, name):
        said = said.replace("#", number, 1)
    return said


@cache
def _figures() -> dict[str, str]:
    return tomllib.loads(FIGURES.read_text(encoding="utf-8"))


@cache
def _names() -> re.Pattern[str]:
    longest = sorted(_figures(), key=len, reverse=True)
    names = "|".join(
        re.escape(name).replace(r"\#", NUMBER.replace("(\\d", "(?:\\d")) for name in longest
    )
    return re.compile(rf"(?<![A-Za-z])(?:{names})(?![A-Za-z])")
