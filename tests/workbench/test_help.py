"""Help where the eye is: reasons beside numbers, new methods, the guide and the glossary."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import sudare
from sudare import catalog
from sudare.core import (
    LANGUAGES,
    AtLeast,
    Language,
    Masker,
    Microdata,
    Plan,
    Takes,
    WorksOn,
    glossary,
    speaking,
)
from sudare.release import FOR_HISTORIES, FOR_TABLES
from sudare.risk import Uniques
from sudare.workbench.explanations import explanation
from tests.workbench.conftest import FILLED_SCREENS
from tests.workbench.serving import Bench, send

# Numbers that no "Why?" stands beside, in the same card or below the same heading; names of
# columns, variants and files are no numbers, nor are the labels of fields and of axes.
UNEXPLAINED = """() => {
  const main = document.querySelector('#screen');
  const names = 'details, code, pre, nav, h1, h2, h3, caption, time, '
    + 'label, legend, select, a, button, .label';
  const boxes = 'section, form.card, li.card, .lane';
  const around = (own) => {
    const box = own.closest(boxes);
    if (box) return [box];
    let child = own;
    while (![main, document.querySelector('[data-map]')].includes(child.parentElement))
      child = child.parentElement;
    const run = [child];
    for (let at = child; at.previousElementSibling && !at.matches('h1, h2');)
      run.push(at = at.previousElementSibling);
    for (let at = child.nextElementSibling; at && !at.matches('h2'); at = at.nextElementSibling)
      run.push(at);
    return run.filter((part) => !part.matches(boxes));
  };
  const explains = (part) => part.matches('details.why') || part.querySelector('details.why');
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const bare = [];
  while (walker.nextNode()) {
    const node = walker.currentNode, own = node.parentElement;
    if (!/\\d/.test(node.textContent) || own.closest(names)) continue;
    if (!around(own).some(explains)) bare.push(node.textContent.trim());
  }
  return bare;
}"""


class Reversal(Masker):
    """Publish the records of a made-up test in reverse."""

    works_on: ClassVar[WorksOn] = "table"
    takes: ClassVar[Takes] = "any"

    turns: Annotated[int, AtLeast(1), "how often the made-up order is turned"] = 3

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        raise NotImplementedError


class Rarity(Uniques):
    """How rare a made-up test finds the records."""

    formula: ClassVar[str] = "a made-up sum / another"
    counted: ClassVar[str] = "The records of a made-up test."
    improved_by: ClassVar[str] = "Fewer made-up records."


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two methods that the catalog has had for a minute."""
    monkeypatch.setattr(sudare.mask, "Reversal", Reversal, raising=False)
    monkeypatch.setattr(sudare.risk, "Rarity", Rarity, raising=False)
    added = (
        catalog.CatalogEntry("mask.Reversal", "Made-up reversal"),
        catalog.CatalogEntry("risk.Rarity", "Made-up rarity"),
    )
    monkeypatch.setattr(catalog, "METHODS", (*catalog.METHODS, *added))


@pytest.fixture
def variant(bench: Bench, project: str) -> Iterator[str]:
    """A variant without steps, taken back afterwards."""
    client = bench.browser()
    page = f"{project}/protect"
    send(client, f"{page}/variant", page, action="add", name="trial")
    yield "trial"
    send(client, f"{project}/undo", page)


@pytest.mark.usefixtures("made_up")
def test_a_new_method_has_its_form_and_help_without_a_line_in_the_workbench(
    bench: Bench, project: str, variant: str
) -> None:
    client, page = bench.browser(), f"{project}/protect"
    assert "Made-up reversal" in client.get(page).text
    shown = client.get(page, params={"variant": variant, "add": "reversal"}).text
    assert "how often the made-up order is turned" in shown
    assert 'name="turns"' in shown
    send(client, f"{page}/step/add", page, variant=variant, method="reversal", asked="yes")
    stacked = client.get(page, params={"variant": variant}).text
    assert "Publish the records of a made-up test in reverse." in stacked
    assert "Made-up rarity" in client.get("/glossary").text
    send(client, f"{project}/undo", page)


@pytest.mark.usefixtures("made_up")
def test_a_new_measure_explains_its_number() -> None:
    told = explanation("rarity")
    assert told.meaning == "How rare a made-up test finds the records."
    assert told.formula == "a made-up sum / another"
    assert told.counted == "The records of a made-up test."
    assert told.improved_by == "Fewer made-up records."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_measure_says_what_stands_behind_its_number(language: Language) -> None:
    with speaking(language):
        for entry in catalog.METHODS:
            if entry.family in {"risk", "loss"}:
                told = explanation(entry.slug, entry.subject)
                assert told.meaning, entry.name
                assert told.counted, entry.name
                assert told.improved_by, entry.name


def test_what_pages_measure_by_default_has_a_formula() -> None:
    for text in (*FOR_TABLES, "uniques", "individual-risk", "coefficient-overlap"):
        assert explanation(text.partition(":")[0]).formula, text
    for text in FOR_HISTORIES:
        assert explanation(text, "history").formula, text


def test_every_number_of_every_screen_has_its_reasons(
    page: Page, bench: Bench, filled: str
) -> None:
    for screen in FILLED_SCREENS:
        page.goto(f"{bench.url}{filled}/{screen}")
        page.wait_for_load_state("networkidle")
        assert page.locator("#screen").inner_text(), screen
        assert page.evaluate(UNEXPLAINED) == [], screen


def test_the_reasons_open_by_keys(page: Page, bench: Bench, project: str) -> None:
    page.goto(f"{bench.url}{project}/risk")
    page.locator("details.why summary").first.press("Enter")
    expect(page.get_by_text("number of groups of equal keys that have one record")).to_be_visible()


def test_the_guide_leads_from_screen_to_screen_and_ends_when_it_is_told_to(
    page: Page, bench: Bench
) -> None:
    page.goto(bench.url)
    page.get_by_role("button", name="A small made-up population").press("Enter")
    guide = page.get_by_role("complementary", name="Guide")
    expect(guide).to_contain_text("Guide, 1 of")
    page.wait_for_load_state("networkidle")  # parts that arrive would take the key
    guide.get_by_role("link", name="Next screen").press("Enter")
    expect(guide).to_contain_text("Guide, 2 of")
    assert [v["id"] for v in Axe().run(page).response["violations"]] == []
    guide.get_by_role("button", name="End the guide").press("Enter")
    expect(guide).to_have_count(0)


def test_the_glossary_shows_all_terms_in_both_languages(page: Page, bench: Bench) -> None:
    page.goto(f"{bench.url}/glossary")
    for term in glossary().values():
        expect(page.get_by_text(term.names["ja"], exact=True).first).to_be_attached()
    assert [v["id"] for v in Axe().run(page).response["violations"]] == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
