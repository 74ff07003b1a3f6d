"""Workbenches with small tables, and one browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import sudare
from tests.browsers import chromium, complaints_of, new_window
from tests.workbench.serving import Bench, send


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


VARIANTS = [
    {
        "name": "coarse",
        "steps": [
            {"method": "intervals", "columns": ["age"], "breaks": {"age": [20, 40, 60]}},
            {"method": "local-suppression", "k": 3, "missing": "category"},
        ],
    },
    {"name": "random", "steps": [{"method": "pram", "retain": 0.8}]},
    {"name": "merged", "steps": [{"method": "global-recode", "min_share": 0.1}]},
    {"name": "general", "steps": [{"method": "full-domain", "columns": ["sex", "age", "region"]}]},
]


@pytest.fixture(scope="package")
def filled(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a project whose every screen has something to show; nobody changes it."""
    path = tmp_path_factory.mktemp("filled") / "filled.csv"
    sudare.write(sudare.datasets.toy(300, seed=2), path)
    limits = {"keep": ["k-anonymity >= 3", "individual-risk.max <= 0.9"]}
    changes = {"reviewed": True, "recipes": VARIANTS, "limits": limits}
    sudare.Project.create(path).edited(changes).save()
    project = bench.opened(path)
    client = bench.browser()
    pair = {"first": "coarse", "second": "random", "target": "income", "input": "sex"}
    for screen, form, fields in (
        ("protect", "protect/try", {"variant": "coarse"}),
        ("protect", "protect/find", {"trials": "3"}),
        ("lattice?variant=general", "lattice", {"variant": "general", "step": "0"}),
        ("map", "map", {}),
        ("compare", "compare", pair),
        ("release", "release/check", {"variant": "coarse"}),
        ("release", "release/review", {"variant": "coarse", "folder": "review"}),
    ):
        answer = send(client, f"{project}/{form}", f"{project}/{screen}", **fields)
        assert answer.status_code == 303, answer.text
    bench.finish()
    return project


FILLED_SCREENS = (
    "columns",
    "reading",
    "roles",
    "risk",
    "recode?column=region",
    "recode?column=age",
    "hierarchy?column=region",
    "protect?variant=coarse",
    "lattice?variant=general",
    "map",
    "compare?first=coarse&second=random&target=income&inputs=sex",
    "release?variant=coarse",
    "steps",
)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, bench: Bench) -> Iterator[Page]:
    """A window with a session; anything that the page complains of fails the test."""
    context = new_window(browser, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(bench.link())
    page.wait_for_selector("nav a[aria-current]")
    complaints = complaints_of(page)
    yield page
    context.close()
    assert complaints == []
