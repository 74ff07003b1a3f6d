"""The screens in a real browser: by mouse and by keys, both languages, small and large, dark."""

import re
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import sudare
from tests.browsers import new_window
from tests.workbench.conftest import FILLED_SCREENS
from tests.workbench.serving import Bench

# Also what is behind "Why?" and settings can be read.
UNFOLD = "[...document.querySelectorAll('details')].slice(0, 40).forEach(part => part.open = true)"


def serious(page: Page) -> list[str]:
    """What a reader with a screen reader would stumble over."""
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize(
    ("scheme", "language", "width", "shows"),
    [("light", "en", 1280, "no"), ("dark", "ja", 360, "yes")],
)
def test_every_screen_can_be_read_by_everybody(
    page: Page,
    bench: Bench,
    filled: str,
    scheme: Literal["light", "dark"],
    language: str,
    width: int,
    shows: str,
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{bench.url}/language/{language}?next=/")
    page.locator("button[name=show]").click()
    expect(page.locator("button[name=show][aria-pressed=true]")).to_be_visible()
    if shows == "no":
        page.locator("button[name=show]").click()
        expect(page.locator("button[name=show][aria-pressed=false]")).to_be_visible()
    assert serious(page) == []
    for screen in FILLED_SCREENS:
        page.goto(f"{bench.url}{filled}/{screen}")
        page.evaluate(UNFOLD)
        page.wait_for_load_state("networkidle")
        if page.locator("[data-chart]").count():
            expect(page.locator(".chart svg[aria-hidden]").first).to_be_visible()
        assert serious(page) == [], screen
        assert page.evaluate("document.documentElement.scrollWidth") <= width, screen


def test_screens_with_nothing_to_show_can_be_read_by_everybody(
    page: Page, bench: Bench, project: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for screen in ("protect", "map", "compare", "release", "steps"):
        page.goto(f"{bench.url}{project}/{screen}")
        assert serious(page) == [], screen
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, screen


def test_the_language_changes_at_any_time(page: Page, bench: Bench, project: str) -> None:
    page.goto(f"{bench.url}{project}/risk")
    page.get_by_role("link", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("heading", level=1)).to_have_text("加工前のリスク")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Risk before masking")
    page.goto(f"{bench.url}{project}/recode?column=age&variant=a+%26+b")
    page.get_by_role("link", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert page.url.endswith("/recode?column=age&variant=a+%26+b")  # what was asked for stays


def test_a_role_is_changed_by_dragging_and_by_keys_and_undone(
    page: Page, bench: Bench, project: str, project_file: Path
) -> None:
    before = project_file.read_bytes()
    page.goto(f"{bench.url}{project}/roles")
    column = page.locator("li[data-drag=sex]")
    column.drag_to(page.locator("section[data-drop=sensitive]"))
    expect(page.locator("section[data-drop=sensitive] li[data-drag=sex]")).to_be_visible()
    choice = page.get_by_role("combobox", name="Role of sex")
    choice.focus()
    choice.press("o")  # the first role that begins with it
    choice.press("Enter")
    expect(page.locator("section[data-drop=other] li[data-drag=sex]")).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    expect(page.locator("section[data-drop=sensitive] li[data-drag=sex]")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("section[data-drop=key] li[data-drag=sex]")).to_be_visible()
    assert project_file.read_bytes() == before


def test_the_slider_counts_at_once(page: Page, bench: Bench, project: str) -> None:
    page.goto(f"{bench.url}{project}/risk")
    slider = page.get_by_label(re.compile("Smallest group"))
    slider.focus()
    with page.expect_response(re.compile("threshold")):
        slider.press("ArrowRight")
    expect(page.locator("#threshold")).to_contain_text("fewer than 4")
    expect(page.locator("#k-shown")).to_have_text("4")


def test_categories_are_merged_by_keys_and_by_dragging_and_numbers_cut(
    page: Page, bench: Bench, project: str, project_file: Path
) -> None:
    before = project_file.read_bytes()
    page.goto(f"{bench.url}{project}/recode?column=region")
    page.get_by_role("checkbox", name="no. 1", exact=True).press("Space")
    page.get_by_role("checkbox", name="no. 2", exact=True).press("Space")
    expect(page.locator("#preview-left")).to_contain_text("stand alone")
    page.get_by_role("button", name="Merge").press("Enter")
    expect(page.get_by_text("7 classes now")).to_be_visible()
    page.locator("li[data-drag='1']").drag_to(page.locator("li[data-drop='2']"))
    expect(page.get_by_text("6 classes now")).to_be_visible()
    page.get_by_role("link", name="age", exact=True).click()
    page.locator("input[name=cut]").nth(2).press("Space")
    expect(page.locator("#preview-cuts")).to_contain_text("stand alone")
    page.get_by_role("button", name="Cut here").click()
    expect(page.get_by_text("2 classes now")).to_be_visible()
    steps = sudare.Project.open(project_file).recipes[0].maskers
    assert [type(step).__name__ for step in steps] == ["GlobalRecode", "Intervals"]
    page.goto(f"{bench.url}{project}/steps")
    for _ in range(3):
        undone = page.locator("tr.undone").count()
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("tr.undone")).to_have_count(undone + 1)
    assert project_file.read_bytes() == before


def test_no_click_is_lost_however_fast(
    page: Page, bench: Bench, project: str, project_file: Path
) -> None:
    before = project_file.read_bytes()
    page.goto(f"{bench.url}{project}/roles")
    for role in ("sensitive", "other", "weight"):
        page.get_by_role("combobox", name="Role of sex").select_option(role)
        expect(page.locator(f"section[data-drop={role}] li[data-drag=sex]")).to_be_visible()
    undo = page.get_by_role("button", name="Undo")
    undo.evaluate("button => { button.click(); button.click(); }")  # before the answer to the first
    expect(page.locator("section[data-drop=sensitive] li[data-drag=sex]")).to_be_visible()
    undo.hover()
    page.mouse.down()
    page.evaluate(
        "document.querySelector('[data-shortcut=undo]').replaceWith(document.querySelector('[data-shortcut=undo]').cloneNode(true))"
    )
    page.mouse.up()  # on the button that took the place of the one pressed
    expect(page.locator("section[data-drop=key] li[data-drag=sex]")).to_be_visible()
    assert project_file.read_bytes() == before


def test_a_step_waits_for_the_one_before_and_is_made_on_the_new_page(
    page: Page, bench: Bench, project: str, project_file: Path
) -> None:
    before = project_file.read_bytes()
    page.goto(f"{bench.url}{project}/roles")
    page.evaluate(
        """() => {
            for (const [column, role] of [["sex", "other"], ["age", "sensitive"]]) {
                const choice = document.querySelector(`[data-drag=${column}] select`);
                choice.value = role;
                choice.form.requestSubmit();
            }
        }"""
    )
    expect(page.locator("section[data-drop=other] li[data-drag=sex]")).to_be_visible()
    expect(page.locator("section[data-drop=sensitive] li[data-drag=age]")).to_be_visible()
    undo = page.get_by_role("button", name="Undo")
    undo.evaluate("button => { button.click(); button.click(); }")
    expect(page.locator("section[data-drop=key] li[data-drag=age]")).to_be_visible()
    expect(page.locator("section[data-drop=key] li[data-drag=sex]")).to_be_visible()
    assert project_file.read_bytes() == before


def test_the_back_button_shows_the_project_as_it_is_now(
    page: Page, bench: Bench, project: str
) -> None:
    page.goto(f"{bench.url}{project}/columns")
    page.get_by_role("link", name="Roles", exact=True).click()
    page.wait_for_url("**/roles")
    page.get_by_role("combobox", name="Role of sex").select_option("other")
    expect(page.locator("section[data-drop=other] li[data-drag=sex]")).to_be_visible()
    page.get_by_role("link", name="Risk before").click()
    page.wait_for_url("**/risk")
    page.go_back()
    page.wait_for_url("**/roles")
    expect(page.locator("section[data-drop=other] li[data-drag=sex]")).to_be_visible()
    page.get_by_role("combobox", name="Role of sex").select_option("key")
    expect(page.locator("section[data-drop=key] li[data-drag=sex]")).to_be_visible()


def test_a_second_tab_is_told_what_the_first_did(page: Page, bench: Bench, project: str) -> None:
    second = page.context.new_page()
    for tab in (page, second):
        tab.goto(f"{bench.url}{project}/roles")
    page.get_by_role("combobox", name="Role of sex").select_option("other")
    expect(page.locator("section[data-drop=other] li[data-drag=sex]")).to_be_visible()
    second.get_by_role("combobox", name="Role of sex").select_option("weight")
    expect(second.get_by_text("nothing was written")).to_contain_text("role of 'sex': Other")
    second.goto(f"{bench.url}{project}/roles")
    expect(second.locator("section[data-drop=other] li[data-drag=sex]")).to_be_visible()
    second.get_by_role("button", name="Undo").click()
    expect(second.locator("section[data-drop=key] li[data-drag=sex]")).to_be_visible()


def test_a_link_that_was_used_says_so(browser: Browser, bench: Bench) -> None:
    link = bench.link()
    for number in range(2):
        context = new_window(browser)
        page = context.new_page()
        page.goto(link)
        if number == 0:
            expect(page.get_by_role("heading", level=1)).to_contain_text("safe release")
            assert "#" not in page.url
        else:
            expect(page.locator("#entering")).to_contain_text("was used before")
        context.close()
