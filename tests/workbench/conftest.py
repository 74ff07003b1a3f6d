"""Workbenches with small tables, and one browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import sudare
from tests.contest.site.test_browser import CHROMIUM, FLAGS
from tests.lacking import lacking
from tests.workbench.serving import Bench


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep what shares a server in one process."""
    for item in items:
        if {"bench", "page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group("workbench"))


@pytest.fixture(scope="package")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A workbench that all tests share; each leaves the project as it found it."""
    with Bench(tmp_path_factory.mktemp("bench")) as bench:
        yield bench


@pytest.fixture(scope="package")
def project(bench: Bench) -> str:
    """The address of a project of a small table."""
    path = bench.folder / "people.csv"
    sudare.write(sudare.datasets.toy(), path)
    sudare.Project.create(path).save()
    return bench.opened(path)


@pytest.fixture
def project_file(bench: Bench, project: str) -> Path:
    """The file of that project."""
    return bench.site.opened(project.rpartition("/")[2]).path


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        lacking("needs Chromium as /usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, bench: Bench) -> Iterator[Page]:
    """A window with a session; anything that the page complains of fails the test."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, locale="en-US", reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.goto(bench.link())
    page.wait_for_selector("nav a[aria-current]")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: (
            complaints.append(said.text)
            if said.type == "error" and "status of 4" not in said.text
            else None
        ),
    )
    yield page
    context.close()
    assert complaints == []
