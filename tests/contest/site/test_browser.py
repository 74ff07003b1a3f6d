"""The pages in a real browser: register, upload, refusal, attack, leaderboard.

With ``SUDARE_PICTURES=folder`` the pictures of the guide are written there.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sudare.contest import Contest, Phase
from sudare.contest.rules.phases import PhasePeriod
from sudare.contest.scoring.worker import Worker
from tests.browsers import new_window
from tests.contest.conftest import NewAddress
from tests.contest.site import material
from tests.contest.site.conftest import MakeHouse
from tests.contest.site.serving import PASSWORD, RULES, House

pytestmark = pytest.mark.xdist_group("contest-browser")  # one contest, one browser

PICTURES = os.environ.get("SUDARE_PICTURES")
TEAMS = ("Iwashi", "Saba", "Katsuo", "Hamachi", "Tai", "Maguro")[: 6 if PICTURES else 3]


@pytest.fixture(scope="module")
def house(
    tmp_path_factory: pytest.TempPathFactory, original: Path, new_address: NewAddress
) -> Iterator[House]:
    """A contest with a schedule, on a port of its own."""
    start = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(days=30)
    schedule = {
        phase: PhasePeriod(start + timedelta(days=7 * at), start + timedelta(days=7 * at + 7))
        for at, phase in enumerate(Phase)
        if phase.activity in ("masking", "attack")
    }
    rules = replace(RULES, schedule=schedule, database=new_address())
    folder = tmp_path_factory.mktemp("contests") / "contest"
    contest = Contest.create(folder, rules, original, password=PASSWORD)
    with House.of(contest) as house:
        yield house


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"contest-{name}.png", full_page=True)


def log_in(page: Page, house: House, name: str) -> None:
    page.goto(f"{house.url}/login")
    page.get_by_label("Team").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def chosen(name: str, content: bytes) -> dict[str, object]:
    return {"name": name, "mimeType": "text/csv", "buffer": content}


def test_a_whole_contest_in_the_browser(house: House, page: Page) -> None:
    contest = house.contest
    contest.open_phase(Phase.REGISTER)
    _register(house, page)
    for team in TEAMS[1:]:
        contest.register(team, PASSWORD)
    contest.open_phase(Phase.FINAL_MASKING)
    contest.announce(contest.referee(), "The final has begun.\nFiles are taken until 18:00.")
    page.goto(house.url)
    picture(page, "home")
    page.get_by_role("link", name="Send a masked file").click()
    _refusal_then_acceptance(house, page)
    _others_mask(house)
    contest.open_phase(Phase.FINAL_ATTACK)
    _attack(house, page)
    contest.open_phase(Phase.FINAL_RESULT)
    Worker(contest).run(until_idle=True)
    _results(page)


def _register(house: House, page: Page) -> None:
    page.goto(f"{house.url}/register")
    page.get_by_label("Team").fill("Iwashi")
    page.get_by_label("Password at least").fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    picture(page, "register")
    page.get_by_role("main").get_by_role("button", name="Register").click()
    expect(page.get_by_text("Iwashi")).to_be_visible()


def _attack(house: House, page: Page) -> None:
    page.goto(f"{house.url}/attacks")
    attack = chosen("attack.csv", material.attack(1))
    page.get_by_label("Attack on Saba").set_input_files(attack)  # type: ignore[arg-type]
    row = page.get_by_role("row").filter(has=page.get_by_label("Attack on Saba"))
    row.get_by_role("button", name="Send").click()
    expect(page.get_by_role("cell", name="attack.csv")).to_be_visible()
    _others_attack(house)
    expect(page.locator(".state.accepted")).to_be_visible()  # the page found out by itself
    picture(page, "attacks")
    page.get_by_role("link", name="Progress").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    picture(page, "progress")


def _results(page: Page) -> None:
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", name="Who hit whom")).to_be_visible()
    picture(page, "leaderboard")
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Use cases", exact=True)).to_be_visible()
    picture(page, "statistics")
    page.get_by_role("link", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.get_by_role("link", name="順位表").click()
    expect(page.get_by_role("heading", name="順位表")).to_be_visible()
    picture(page, "leaderboard-ja")
    page.goto(page.url.replace("/leaderboard", "/"))
    picture(page, "home-ja")


def _refusal_then_acceptance(house: House, page: Page) -> None:
    bad = material.masked().replace(b",3\n", b",three\n", 1).replace(b"2011/5/", b"2013/5/", 1)
    page.get_by_label("File").set_input_files(chosen("masked.csv", bad))  # type: ignore[arg-type]
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("waiting")).to_be_visible()
    Worker(house.contest).run(until_idle=True)
    expect(page.get_by_text("line 2, quantity")).to_be_visible()  # without loading the page again
    good = chosen("masked-2.csv", material.masked(0, level=3))
    page.get_by_label("File").set_input_files(good)  # type: ignore[arg-type]
    page.get_by_role("button", name="Send").click()
    Worker(house.contest).run(until_idle=True)
    expect(page.locator(".state.accepted")).to_be_visible()
    picture(page, "masks")


def _others_mask(house: House) -> None:
    for shift, team in enumerate(TEAMS[1:], start=1):
        path = house.contest.store.draft()
        path.write_bytes(material.masked(shift, level=shift))
        house.contest.accept_mask(house.contest.accounts.named(team), path, "masked.csv")
    Worker(house.contest).run(until_idle=True)


def _others_attack(house: House) -> None:
    for attacker, team in enumerate(TEAMS[1:], start=1):
        for target, other in enumerate(TEAMS):
            if other != team and (attacker + target) % 3:
                path = house.contest.store.draft()
                wrong = (3 * attacker + 5 * target) % 9 if target % 2 else 7 + target % 3
                path.write_bytes(material.attack(target, wrong=wrong))
                account = house.contest.accounts.named(team)
                house.contest.accept_attack(account, other, path, "attack.csv")
    Worker(house.contest).run(until_idle=True)


def test_the_referee_announces_and_opens_a_phase(house: House, page: Page) -> None:
    log_in(page, house, "referee")
    page.get_by_role("link", name="Referee").first.click()
    page.get_by_label("Message to all teams").fill("Results at noon.")
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_text("Done.")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_label("Open a phase").select_option("final-masking")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("Final masking: open")).to_be_visible()
    picture(page, "referee")
    page.goto(f"{house.url}/rules")
    picture(page, "rules")
    page.goto(f"{house.url}/script")
    picture(page, "script")


def test_pages_fit_a_telephone_and_work_without_scripts(house: House, browser: Browser) -> None:
    context = new_window(browser, viewport={"width": 390, "height": 800}, java_script_enabled=False)
    page = context.new_page()
    house.contest.register("Sanma", PASSWORD, by=house.contest.referee())
    log_in(page, house, "Sanma")
    for path in ("/", "/rules", "/masks", "/attacks", "/leaderboard", "/progress"):
        page.goto(house.url + path)
        wide = page.locator("main").bounding_box()
        assert wide is not None
        assert wide["width"] <= 390, path
    page.goto(house.url)
    picture(page, "telephone")
    context.close()


def test_a_long_name_of_a_team_leaves_the_button_in_view(
    make_house: MakeHouse, browser: Browser
) -> None:
    house = make_house("W" * 40, "Saba", phase=Phase.FINAL_MASKING)
    draft = house.contest.store.draft()
    draft.write_bytes(material.masked())
    house.contest.accept_mask(house.contest.teams()[0], draft, "A.csv")
    Worker(house.contest).run(until_idle=True)
    house.contest.open_phase(Phase.FINAL_ATTACK)
    context = new_window(browser, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    log_in(page, house, "Saba")
    page.goto(f"{house.url}/attacks")
    sheet = page.locator(".sheet").first.bounding_box()
    button = page.get_by_role("button", name="Send").bounding_box()
    assert sheet is not None
    assert button is not None
    assert button["x"] + button["width"] <= sheet["x"] + sheet["width"]
    context.close()
