"""The pages about papers and rivals name files, tests and names that exist."""

import re
from operator import attrgetter
from pathlib import Path

import pytest

import sudare

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("[pt]*/*.md"))  # papers and tutorials
OTHERS = [*(ROOT / "docs").glob("[dgr]*/*.md"), ROOT / "README.md"]  # design, guide, reference
NEVER_BUILT = {  # names that note 8 gives up
    *("transactions/utility/", "describe/association.py"),
    *("release/compare.py", "datasets/toy.py"),
}
ROOMS = "mask|risk|loss|describe|study|datasets|reconstruct|transactions"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_everything_that_a_page_names_exists(page: Path) -> None:
    quoted = re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))
    for path in (text for text in quoted if "/" in text and " " not in text):
        assert (ROOT / path).exists() or (ROOT / "src/sudare" / path).exists(), path
    for text in quoted:
        if named := re.match(rf"({ROOMS})\.[A-Za-z_]+(?!\.)\b", text):
            attrgetter(named[0])(sudare)


@pytest.mark.parametrize("page", OTHERS, ids=lambda page: page.stem)
def test_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    rooms = "|".join(path.name for path in (ROOT / "src/sudare").iterdir() if path.is_dir())
    starts = f"src/sudare|tests|benchmarks|docs|examples|packaging|{rooms}"
    for path in set(re.findall(rf"`((?:{starts})/[\w./-]+)`", text)) - NEVER_BUILT:
        assert (ROOT / path).exists() or (ROOT / "src/sudare" / path).exists(), path
    for module in re.findall(r"python -m (benchmarks\.\w+)", text):
        path = ROOT / module.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").exists(), module
