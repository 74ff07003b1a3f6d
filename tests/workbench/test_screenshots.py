"""Pictures of the screens, for the docs: ``make screenshots`` draws them anew."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import sudare
from sudare.transactions import write_history
from tests.browsers import new_window
from tests.workbench.serving import Bench, send

RECIPES = """
[[recipes]]
name = "coarse"
steps = [{ method = "global-recode", min_share = 0.05 }]

[[recipes]]
name = "randomized"
steps = [{ method = "pram", retain = 0.8 }]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures go: the docs, if they are to be drawn anew."""
    stated = os.environ.get("SUDARE_SCREENSHOTS")
    return Path(stated) if stated else tmp_path_factory.mktemp("pictures")


@pytest.fixture
def window(browser: Browser, bench: Bench) -> Page:
    """A window of the size of the pictures, with a session."""
    context = new_window(browser, viewport={"width": 1160, "height": 760}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(bench.link())
    page.wait_for_selector("nav a[aria-current]")
    return page


def shoot(page: Page, path: Path) -> None:
    """Take a picture of what is in the window, once nothing is loading any more."""
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path, animations="disabled")
    assert path.stat().st_size > 10_000


def speak(page: Page, language: str) -> None:
    """Choose the language of the pages."""
    page.get_by_role("link", name={"en": "English", "ja": "日本語"}[language]).click()
    expect(page.locator("html")).to_have_attribute("lang", language)


def shoot_screens(page: Page, project: str, folder: Path, ending: str) -> None:
    """Take a picture of each screen of a table; the docs show those of their own language."""
    for screen in ("columns", "risk", "recode?column=region", "protect", "map"):
        page.goto(f"{project}/{screen}")
        if screen == "map":
            expect(page.locator("[data-map][data-ready]")).to_be_visible()
            page.locator("[data-map]").evaluate("part => part.scrollIntoView()")
        if screen == "risk":
            page.locator("details.why summary").first.click()
        shoot(page, folder / f"{screen.partition('?')[0]}{ending}")


def shoot_both(page: Page, folder: Path, name: str) -> None:
    """Take a picture in either language."""
    shoot(page, folder / f"{name}.png")
    speak(page, "ja")
    shoot(page, folder / f"{name}.ja.png")
    speak(page, "en")


def test_screens_of_a_table(bench: Bench, window: Page, folder: Path) -> None:
    opened = bench.folder / "pictures"
    opened.mkdir()
    table = sudare.write(sudare.datasets.toy(), opened / "survey.csv")
    made = sudare.Project.create(table)
    sudare.Project.from_text(made.text + RECIPES, made.path).save()
    project = bench.opened(table)
    client = bench.browser()
    send(client, f"{project}/map", f"{project}/map")
    for job in bench.site.jobs.jobs():
        while not bench.site.jobs.wait(job.id).is_over:
            pass
    shoot_screens(window, f"{bench.url}{project}", folder, ".png")
    speak(window, "ja")
    shoot_screens(window, f"{bench.url}{project}", folder, ".ja.png")
    window.emulate_media(color_scheme="dark")
    window.goto(f"{bench.url}{project}/risk")
    shoot(window, folder / "risk-japanese-dark.png")
    speak(window, "en")
    window.context.close()


def test_screens_of_a_purchase_history(bench: Bench, window: Page, folder: Path) -> None:
    opened = bench.folder / "pictures-history"
    opened.mkdir()
    write_history(sudare.datasets.purchases_like(30, seed=1), opened / "purchases.csv")
    window.goto(f"{bench.url}/histories")
    window.get_by_label("Path of the file").fill(str(opened / "purchases.csv"))
    window.get_by_role("button", name="Look at it").click()
    window.get_by_role("button", name="Open the history").click()
    expect(window.get_by_role("heading", name="Choose k")).to_be_visible()
    shoot_both(window, folder, "history")
    window.get_by_role("button", name="Add a variant with k = 2").click()
    window.wait_for_url("**/protect*")
    window.get_by_role("link", name="Attackers").click()
    window.get_by_role("button", name="Attack this variant").click()
    expect(window.get_by_role("heading", name="What was tried")).to_be_visible()
    shoot_both(window, folder, "attackers")
    window.context.close()
