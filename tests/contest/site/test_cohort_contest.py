"""A contest of synthetic cohorts from registration to the leaderboard: in Chromium, and by the API.

Its server and workers are killed twice on the way, on either database.
"""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sudare.contest import Contest, ContestRules, Kit
from sudare.contest.client import Client
from sudare.contest.rules import Phase
from sudare.contest.rules.contest_rules import ContestLimits
from sudare.contest.team_files import kit_from_server
from tests.contest.made_up_people import write_common_people
from tests.contest.site.commands import served
from tests.contest.site.serving import PASSWORD
from tests.contest.site.test_command import workers_of
from tests.contest.test_kills import everything_is_scored_once

pytestmark = pytest.mark.xdist_group("contest-browser")
RULES = ContestRules(
    title="Autumn contest",
    subject="synthetic-cohort",
    rounds=("final",),
    settings={
        "members": 100,
        "background": 60,
        "strata": ["sex"],
        "facets": ["k-marginal: k = 1, classes = 3", "total-variation"],
    },
    limits=ContestLimits(teams=2),
)


@pytest.fixture
def folder(tmp_path: Path, address: str) -> Path:
    """A contest, a synthetic table and two attacks."""
    contest = Contest.create(
        tmp_path / "contest", replace(RULES, database=address), password=PASSWORD
    )
    contest.close()
    write_common_people(tmp_path / "table.csv", 100)
    lines = [f"{at},{at / 100}\n" for at in range(1, 101)]
    (tmp_path / "membership.csv").write_text("".join(lines))
    return tmp_path


def test_a_cohort_contest_in_the_browser_though_its_server_is_killed_twice(
    folder: Path, page: Page
) -> None:
    page.set_default_timeout(120_000)
    expect.set_options(timeout=120_000)
    with served(folder / "contest", workers=1) as (server, url):
        register(page, url)
        Client.register(url, "Saba", PASSWORD).close()
        reach(folder, Phase.FINAL_MASKING)
        send_table(page, url, folder)
        kill(server.pid, page)
    with served(folder / "contest", workers=1) as (server, url):
        page.goto(f"{url}/masks")  # still logged in
        accepted_on_a_phone(page)
        score = compared_with_the_kit(folder, url)
        with Client(url, "Saba", PASSWORD) as saba:
            saba.wait(saba.submit_mask(folder / "table.csv")["id"], every=0.1)
        reach(folder, Phase.FINAL_ATTACK)
        attack(page, url, folder)
        kill(server.pid, page)
    with served(folder / "contest", workers=1) as (_, url):
        page.goto(f"{url}/attacks")
        expect(page.locator(".state.accepted")).to_have_count(2)
        reach(folder, Phase.FINAL_RESULT)
        leaderboard(page, url, score)
    with Contest.open(folder / "contest") as contest:
        everything_is_scored_once(contest)
        assert len(contest.entries(contest.referee())) == 4


def send_table(page: Page, url: str, folder: Path) -> None:
    page.goto(f"{url}/masks")
    expect(page.get_by_role("link", name="cohort")).to_be_visible()
    page.get_by_label("File").set_input_files(folder / "table.csv")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("The file was received.")).to_be_visible()


def accepted_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 1200})
    expect(page.locator(".state.accepted")).to_be_visible()
    score = page.locator("table.entries td.number").first
    score.scroll_into_view_if_needed()
    expect(score).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1200, "height": 900})


def register(page: Page, url: str) -> None:
    page.goto(f"{url}/rules")
    for text in ("membership", "attribute", "utility", "protection", "For example"):
        expect(page.get_by_text(text, exact=False).first).to_be_visible()
    page.goto(f"{url}/register")
    page.get_by_label("Team").fill("Iwashi")
    page.get_by_label("Password at least").fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Register").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def compared_with_the_kit(folder: Path, url: str) -> float:
    """The kit from the server's address gives the server's numbers."""
    kit_from_server(url, "iwashi", PASSWORD, folder / "kit")
    own = Kit(folder / "kit").evaluate(folder / "table.csv")["result"]
    with Client(url, "Iwashi", PASSWORD) as iwashi:
        [entry] = iwashi.status()["entries"]
    assert (own["score"], own["parts"]) == (entry["score"], entry["parts"])
    return float(entry["score"])


def attack(page: Page, url: str, folder: Path) -> None:
    """Send both kinds of attacks on Saba; the persons that are asked for come from the site."""
    page.goto(f"{url}/attacks")
    with Client(url, "Iwashi", PASSWORD) as iwashi:
        persons = iwashi.download("final/persons/Saba", folder / "persons.csv")
    asked = len(persons.read_text().splitlines()) - 1
    guesses = "".join(f"{at},creatinine,1.0\n" for at in range(1, asked + 1))
    (folder / "attribute.csv").write_text(guesses)
    for kind in ("membership", "attribute"):
        form = page.locator(f"form[action*='kind={kind}']")
        form.locator("input[type=file]").set_input_files(folder / f"{kind}.csv")
        form.get_by_role("button", name="Send").click()
        expect(page.get_by_text("The file was received.")).to_be_visible()


def leaderboard(page: Page, url: str, score: float) -> None:
    page.goto(f"{url}/leaderboard")
    expect(page.get_by_text("Most points")).to_be_visible()
    files = page.locator("table").first
    for text in ("Iwashi", "Saba", f"{score:.4f}"):
        expect(files.get_by_text(text).first).to_be_visible()
    with Client(url, "Saba", PASSWORD) as saba:
        results = saba.results()
    assert results["waiting"] == 0
    assert sorted((hit["attacker"], hit["kind"]) for hit in results["hits"]) == [
        ("Iwashi", "attribute"),
        ("Iwashi", "membership"),
    ]


def reach(folder: Path, phase: Phase) -> None:
    with Contest.open(folder / "contest") as contest:
        contest.open_phase(phase)


def kill(server: int, page: Page) -> None:
    """End the server and its workers at once; the page would complain that nobody answers."""
    page.goto("about:blank")
    for process in [server, *workers_of(server)]:
        os.kill(process, signal.SIGKILL)
