"""Several contests on one server: each has its own teams, sessions, links and files."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sudare.contest import Contest, Phase
from sudare.contest.client import Client, RefusedRequestError
from sudare.contest.site import contest_names, create_server
from sudare.core import SettingError
from sudare.web import SESSION_COOKIE
from tests.contest.site import material
from tests.contest.site.serving import PASSWORD, RULES, House, send


@pytest.fixture
def house(tmp_path: Path, original: Path) -> Iterator[House]:
    """Two contests on one server; Iwashi takes part in both."""
    contests = {
        name: Contest.create(
            tmp_path / name, replace(RULES, title=f"{name} contest"), original, password=PASSWORD
        )
        for name in ("spring", "masks")
    }
    for contest in contests.values():
        contest.register("Iwashi", PASSWORD)
    contests["spring"].open_phase(Phase.FINAL_MASKING)
    with House(contests["spring"], create_server(contests)) as house:
        yield house
    contests["masks"].close()


def test_the_start_page_lists_the_contests_with_their_phases(house: House) -> None:
    page = house.browser().get("/").text
    assert 'href="/spring/">spring contest' in page
    assert 'href="/masks/">masks contest' in page
    assert "Final masking" in page
    assert "Registration" in page


def test_every_link_of_a_contest_leads_into_the_same_contest(house: House) -> None:
    browser = house.browser()
    send(browser, "/masks/login", "/masks/login", team="Iwashi", password=PASSWORD)
    waiting, seen = ["/masks/"], set()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        page = browser.get(path, follow_redirects=True)
        assert page.status_code in (200, 403), path
        links = re.findall(r'(?:href|src|action|data-live)="(/[^"?#]*)', page.text)
        assert all(link.startswith("/masks/") for link in links), (path, links)
        pages = {link for link in links if "/static/" not in link and "logout" not in link}
        waiting.extend(pages - seen - set(waiting))
    assert {"/masks/masks", "/masks/rules", "/masks/script"} <= seen
    assert browser.get("/masks/static/site.css").headers["cache-control"] == "max-age=600"


def test_a_session_of_one_contest_is_not_sent_to_another(house: House) -> None:
    browser = house.browser()
    answer = send(browser, "/spring/login", "/spring/login", team="Iwashi", password=PASSWORD)
    assert answer.headers["location"] == "/spring/"
    [cookie] = [each for each in browser.cookies.jar if each.name == SESSION_COOKIE]
    assert cookie.path == "/spring"
    assert "Log out" in browser.get("/spring/").text
    assert "Log out" not in browser.get("/masks/").text
    token = house.token("Iwashi")
    asked = {"authorization": f"Bearer {token}"}
    assert browser.get("/spring/api/files", headers=asked).status_code == 200
    assert browser.get("/masks/api/files", headers=asked).status_code == 401


def test_a_program_takes_part_under_the_address_of_its_contest(
    house: House, tmp_path: Path
) -> None:
    (tmp_path / "A.csv").write_bytes(material.masked(3))
    with Client(f"{house.url}/spring", "Iwashi", PASSWORD) as team:
        assert "spring contest" in team.rules()
        assert team.submit_mask(tmp_path / "A.csv")["status"] == "waiting"
        assert team.download("final/data", tmp_path / "T.csv").stat().st_size > 0
    with Client(f"{house.url}/masks", "Iwashi", PASSWORD) as team:
        with pytest.raises(RefusedRequestError):
            team.submit_mask(tmp_path / "A.csv")
        assert team.status()["entries"] == []
    described = house.browser().get("/spring/api/openapi.json").json()
    assert described["servers"] == [{"url": "/spring"}]


def test_unknown_contests_are_not_found(house: House) -> None:
    browser = house.browser()
    assert browser.get("/summer/").status_code == 404
    assert browser.get("/springs/").status_code == 404


@pytest.mark.parametrize("names", [("a/x", "b/x"), ("static", "b"), ("a b", "c"), ("日本", "c")])
def test_names_that_make_no_addresses_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    with pytest.raises(SettingError):
        contest_names([tmp_path / name for name in names])
