"""Answers to what an address does not take, and to those who ask for its head alone."""

import pytest
from sqlalchemy import create_engine

from sudare.contest import Phase
from tests.contest.site.conftest import MakeHouse
from tests.contest.site.serving import send


@pytest.mark.parametrize(
    ("path", "taken"),
    [
        ("/", "HEAD, GET"),
        ("/masks", "HEAD, GET, POST"),
        ("/referee/close", "POST"),
        ("/api/contest", "HEAD, GET"),
        ("/api/announcements", "HEAD, GET, POST"),
        ("/api/sessions/current", "HEAD, DELETE, GET"),
        ("/api/attacks/Iwashi", "POST"),
        ("/static/style.css", "HEAD, GET"),
    ],
)
def test_an_address_that_does_not_take_a_method_says_which_it_takes(
    make_house: MakeHouse, path: str, taken: str
) -> None:
    answer = make_house().program().put(path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == taken


def test_head_is_answered_like_get_without_a_body(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", phase=Phase.FINAL_MASKING)
    someone = house.browser(house.token("Iwashi"))
    for path in ("/", "/masks", "/files/final/data", "/api/contest", "/nowhere", "/api/files"):
        head, whole = someone.head(path), someone.get(path)
        assert head.status_code == whole.status_code
        assert head.headers["content-type"] == whole.headers["content-type"]
        assert head.headers["content-length"] == whole.headers["content-length"]
        assert head.content == b""


def test_control_characters_are_not_announced(make_house: MakeHouse) -> None:
    house = make_house()
    token = house.token("referee")
    browser, program = house.browser(token), house.program(token)
    for words in ("a\x00b", "a\x1bb", "a\x85b"):
        answers = (
            program.post("/api/announcements", json={"text": words}),
            send(browser, "/referee/announce", page="/referee", text=words),
        )
        for answer in answers:
            assert answer.status_code == 400
            assert "no control characters" in answer.text
    said = program.post("/api/announcements", json={"text": "one\r\n\ttwo 簾"})
    assert [announcement["text"] for announcement in said.json()] == ["one\r\n\ttwo 簾"]


def test_a_database_that_is_down_gives_a_page_that_tries_again(make_house: MakeHouse) -> None:
    house = make_house()
    house.contest.close()
    house.contest.database.engine = create_engine("postgresql+psycopg://127.0.0.1:1/gone")
    page = house.browser().get("/leaderboard", headers={"Accept-Language": "ja"})
    assert page.status_code == 503
    assert page.headers["Retry-After"] == "10"
    assert 'http-equiv="refresh"' in page.text
    assert "データベース" in page.text
    answer = house.program().get("/api/contest")
    assert answer.status_code == 503
    assert "does not answer" in answer.json()["message"]
