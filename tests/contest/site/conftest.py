"""Contests over HTTP."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from sudare.contest import Contest, ContestRules, Phase
from sudare.web import RateLimit
from tests.browsers import chromium, complaints_of, new_window
from tests.contest.conftest import NewAddress
from tests.contest.site import material
from tests.contest.site.serving import PASSWORD, RULES, House

MakeHouse = Callable[..., House]


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
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window; anything that the page complains of fails the test."""
    context = new_window(browser, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page_errors = complaints_of(page)
    yield page
    context.close()
    assert page_errors == []
