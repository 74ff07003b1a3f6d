"""Contests over HTTP."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from sudare.contest import Contest, ContestRules, Phase
from sudare.web import RateLimit
from tests.contest.conftest import NewAddress
from tests.contest.site import material
from tests.contest.site.serving import PASSWORD, RULES, House
from tests.lacking import lacking

MakeHouse = Callable[..., House]
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """T."""
    path = tmp_path_factory.mktemp("original") / "T.csv"
    path.write_bytes(material.original())
    return path


@pytest.fixture
def make_house(tmp_path: Path, original: Path, new_address: NewAddress) -> Iterator[MakeHouse]:
    """Contests with the teams that are asked for, each served on a port of its own."""
    numbers = itertools.count()
    with ExitStack() as stack:

        def make(
            *teams: str,
            phase: Phase = Phase.REGISTER,
            rules: ContestRules = RULES,
            data: Path = original,
            logins: RateLimit | None = None,
            uploads: RateLimit | None = None,
        ) -> House:
            contest = Contest.create(
                tmp_path / f"contest-{next(numbers)}",
                replace(rules, database=new_address()),
                data,
                password=PASSWORD,
            )
            for team in teams:
                contest.register(team, PASSWORD, by=contest.referee())
            contest.open_phase(phase)
            return stack.enter_context(House.of(contest, logins, uploads))

        yield make


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium."""
    if not CHROMIUM.exists():
        lacking("needs Chromium as /usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window; anything that the page complains of fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, locale="en-US")
    page = context.new_page()
    page.set_default_timeout(15_000)
    page_errors: list[str] = []
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.on(
        "console",
        lambda said: (
            page_errors.append(said.text)
            if said.type == "error" and "status of 4" not in said.text
            else None
        ),
    )
    yield page
    context.close()
    assert page_errors == []
