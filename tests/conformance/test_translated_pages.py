"""The pages in Japanese: the same code, as many headings, no other links; and which are missing."""

import inspect
import re
from pathlib import Path

import pytest
from languages import FENCE, HEADING, SUFFIX
from method_pages import EXPLANATIONS, explanations
from numbers_page import MEASURED, named, printed_numbers, with_measured_tables
from page_writing import WORDS

from sudare.catalog import METHODS, CatalogEntry
from sudare.core import glossary, say, speaking
from sudare.core.settings import settings_of

DOCS = Path(__file__).parents[2] / "docs"
ROOMS = ("guide", "tutorials", "papers")  # design notes and the API reference are in English alone
LINK = re.compile(r"\]\(([^)\s]+)\)")
TRANSLATIONS = sorted(DOCS.rglob(f"*{SUFFIX}"))


def english_of(translation: Path) -> Path:
    return translation.with_name(translation.name.removesuffix(SUFFIX) + ".md")


def code(page: Path) -> list[str]:
    """Return the blocks of a page without what is told in its language: output and comments."""
    blocks = FENCE.findall(page.read_text(encoding="utf-8"))
    kept = {"```console": r"^(?!\$ |> |```).*\n", "```toml": r"^#.*\n"}
    return [re.sub(kept.get(b.split("\n")[0], r"\Z"), "", b, flags=re.MULTILINE) for b in blocks]


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", TRANSLATIONS, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_a_translation_has_the_code_the_headings_and_the_links_of_its_page(page: Path) -> None:
    english = english_of(page)
    assert code(page) == code(english)
    depths = [heading[0].split(" ")[0] for heading in HEADING.findall(prose(page))]
    assert depths == [heading[0].split(" ")[0] for heading in HEADING.findall(prose(english))]
    assert set(LINK.findall(prose(page))) <= set(LINK.findall(prose(english)))


@pytest.mark.parametrize("page", TRANSLATIONS, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_commands_of_a_translation_answer_in_its_language(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for shown in re.findall(r"^(?!\$ |> ).*\w{3,} \w{3,} \w{3,}.*$", block, re.MULTILINE):
            assert re.search("[ぁ-ん]", shown), shown


def test_the_list_of_pages_without_a_translation_only_shrinks() -> None:
    pages = [DOCS / "index.md", *(page for room in ROOMS for page in (DOCS / room).rglob("*.md"))]
    translated = {english_of(page) for page in TRANSLATIONS}
    missing = {page for page in pages if not page.name.endswith(SUFFIX)} - translated
    listed = (DOCS / "untranslated.txt").read_text(encoding="utf-8").split()
    assert {page.relative_to(DOCS).as_posix() for page in missing} == set(listed)


@pytest.mark.parametrize("entry", METHODS, ids=lambda entry: f"{entry.subject}-{entry.slug}")
def test_a_method_is_explained_in_japanese_with_the_settings_its_docstring_names(
    entry: CatalogEntry,
) -> None:
    told = explanations()[f"{entry.subject}-{entry.slug}"]
    assert re.search("[ぁ-ん]", told)
    english = re.split(r"^Examples\n---", inspect.getdoc(entry.method) or "", flags=re.MULTILINE)[0]
    settings = {setting.name for setting in settings_of(entry.method)}
    named = settings & words_in_code(english)
    assert named <= words_in_code(told)


def words_in_code(text: str) -> set[str]:
    return set(re.findall(r"\w+", " ".join(re.findall(r"`+([^`]+)`+", text))))


def test_only_methods_are_explained() -> None:
    assert set(explanations()) == {f"{entry.subject}-{entry.slug}" for entry in METHODS}


@pytest.mark.parametrize("page", [*TRANSLATIONS, EXPLANATIONS, WORDS], ids=lambda page: page.name)
def test_pages_use_the_terms_of_the_glossary(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [word for term in glossary().values() for word in term.avoided if word in text] == []
    assert re.findall("[一二三四五六七八九][つ回]", text) == []


def test_the_numbers_of_the_papers_have_names_and_notes_in_japanese() -> None:
    names = {"sudare", "Adult"}
    with speaking("ja"):
        for number in printed_numbers():
            told = f"{named(number['source'])} {named(number['figure'])}"
            assert set(re.findall("[A-Za-z]*[a-z]{2}[a-z]*", told)) <= names
            assert not number["note"] or say(number["note"]) != number["note"]


@pytest.mark.parametrize("page", ["benchmarks", "how-big"])
def test_measured_tables_of_translated_pages_are_in_japanese(page: str) -> None:
    taken = MEASURED.search((DOCS / "guide" / f"{page}{SUFFIX}").read_text(encoding="utf-8"))
    assert taken
    with speaking("ja"):
        shown = with_measured_tables(taken[0])
    names = {"Mondrian", "Polars", "PyArrow", "anjana", "anonypyx", "learn", "pycanon", "scikit"}
    names |= {"sdmetrics", "sudare", "NumPy", "DuckDB", *(e.method.__name__ for e in METHODS)}
    assert set(re.findall("[A-Za-z]*[a-z]{2}[A-Za-z]*", shown)) <= names


def test_the_memory_of_every_method_is_measured() -> None:
    page = (DOCS / "guide" / "how-big.md").read_text(encoding="utf-8")
    _, table, _ = page.split("<!-- peak memory -->\n")
    assert {e.method.__name__ for e in METHODS} <= {*re.findall(r"^\| `?(\w+)", table, re.M)}
