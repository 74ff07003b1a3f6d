"""The pages about papers and rivals name files, tests and names that exist."""

import re
from operator import attrgetter
from pathlib import Path

import pytest

import sudare

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("[pt]*/*.md"))  # papers and tutorials
ROOMS = "mask|risk|loss|describe|study|datasets|reconstruct|transactions"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_everything_that_a_page_names_exists(page: Path) -> None:
    quoted = re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))
    for path in (text for text in quoted if "/" in text and " " not in text):
        assert (ROOT / path).exists() or (ROOT / "src/sudare" / path).exists(), path
    for text in quoted:
        if named := re.match(rf"({ROOMS})\.[A-Za-z_]+(?!\.)\b", text):
            attrgetter(named[0])(sudare)
