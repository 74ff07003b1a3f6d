"""The pages in Japanese: the same code, as many headings, no other links; and which are missing."""

import re
from pathlib import Path

import pytest
from languages import FENCE, HEADING, SUFFIX

DOCS = Path(__file__).parents[2] / "docs"
ROOMS = ("guide", "tutorials", "papers")  # design notes and the API reference are in English alone
LINK = re.compile(r"\]\(([^)\s]+)\)")
TRANSLATIONS = sorted(DOCS.rglob(f"*{SUFFIX}"))


def english_of(translation: Path) -> Path:
    return translation.with_name(translation.name.removesuffix(SUFFIX) + ".md")


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", TRANSLATIONS, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_a_translation_has_the_code_the_headings_and_the_links_of_its_page(page: Path) -> None:
    english = english_of(page)
    blocks = FENCE.findall(page.read_text(encoding="utf-8"))
    assert blocks == FENCE.findall(english.read_text(encoding="utf-8"))
    depths = [heading[0].split(" ")[0] for heading in HEADING.findall(prose(page))]
    assert depths == [heading[0].split(" ")[0] for heading in HEADING.findall(prose(english))]
    assert set(LINK.findall(prose(page))) <= set(LINK.findall(prose(english)))


def test_the_list_of_pages_without_a_translation_only_shrinks() -> None:
    pages = [DOCS / "index.md", *(page for room in ROOMS for page in (DOCS / room).rglob("*.md"))]
    translated = {english_of(page) for page in TRANSLATIONS}
    missing = {page for page in pages if not page.name.endswith(SUFFIX)} - translated
    listed = (DOCS / "untranslated.txt").read_text(encoding="utf-8").split()
    assert {page.relative_to(DOCS).as_posix() for page in missing} == set(listed)
