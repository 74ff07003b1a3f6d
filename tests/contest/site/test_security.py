"""Forms of other sites, sessions, rate limits, and what every answer says to the browser."""

import itertools
import re

import httpx
import pytest

from sudare.contest import Phase
from sudare.web import CSRF_FIELD, SESSION_COOKIE, VISITOR_COOKIE, RateLimit
from sudare.web.middleware import SMALL_BODY_BYTES
from tests.contest.site import material
from tests.contest.site.conftest import MakeHouse
from tests.contest.site.serving import PASSWORD, House, csrf_token, send, upload

FORMS = [
    "/login",
    "/register",
    "/logout",
    *(f"/referee/{act}" for act in ("close", "open", "announce", "register", "password")),
]


def slow() -> RateLimit:
    return RateLimit(per_minute=0.001, burst=2)


def test_a_form_needs_the_hidden_token_of_its_page(make_house: MakeHouse) -> None:
    house = make_house("Iwashi")
    referee, stranger = house.browser(house.token("referee")), house.browser()
    foreign = csrf_token(stranger.get("/login"))
    wrong = (
        {"team": "Saba"},
        {CSRF_FIELD: ""},
        {CSRF_FIELD: "0" * 64},
        {CSRF_FIELD: foreign},
        {CSRF_FIELD: "語"},
    )
    for path, given in itertools.product(FORMS, wrong):
        assert referee.post(path, data=given).status_code == 403, path
    assert house.contest.phase().phase == Phase.REGISTER


def test_uploads_need_the_hidden_token_too(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", phase=Phase.FINAL_MASKING)
    team = house.browser(house.token("Iwashi"))
    for data in ({}, {CSRF_FIELD: "0" * 64}):
        answer = team.post("/masks", data=data, files={"file": ("a", material.masked())})
        assert answer.status_code == 403
    assert house.contest.entries(house.contest.accounts.named("Iwashi")) == []


def test_a_form_that_another_site_sends_is_refused_even_with_the_token(
    make_house: MakeHouse,
) -> None:
    browser = make_house("Iwashi").browser()
    data = {CSRF_FIELD: csrf_token(browser.get("/login")), "team": "Iwashi", "password": PASSWORD}
    for site in ("cross-site", "same-site"):
        answer = browser.post("/login", data=data, headers={"sec-fetch-site": site})
        assert answer.status_code == 403
    assert browser.post("/login", data=data).status_code == 303


def test_cookies_are_kept_from_scripts_and_from_other_sites(make_house: MakeHouse) -> None:
    house = make_house("Iwashi")
    browser = house.browser()
    visit = browser.get("/login").headers["set-cookie"]
    session = send(browser, "/login", team="Iwashi", password=PASSWORD).headers["set-cookie"]
    for name, cookie in ((VISITOR_COOKIE, visit), (SESSION_COOKIE, session)):
        assert cookie.startswith(f"{name}=")
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie


def test_a_session_ends_with_logout_and_with_a_new_password(make_house: MakeHouse) -> None:
    house = make_house("Iwashi")
    token = house.token("Iwashi")
    browser = house.browser(token)
    assert send(browser, "/logout", "/").status_code == 303
    assert house.program(token).get("/api/entries").status_code == 401
    token = house.token("Iwashi")
    house.contest.set_password(house.contest.referee(), "Iwashi", "another password")
    assert house.program(token).get("/api/entries").status_code == 401


def test_wrong_passwords_make_everybody_wait(make_house: MakeHouse) -> None:
    house = make_house("Iwashi")
    browser = house.browser()
    answers = [
        send(browser, "/login", team="Iwashi", password="wrong password")  # noqa: S106
        for _ in range(6)
    ]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    right = {"team": "Iwashi", "password": PASSWORD}
    answer = house.program().post("/api/sessions", json=right)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0


def test_logins_and_uploads_have_rate_limits(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", phase=Phase.FINAL_MASKING, logins=slow(), uploads=slow())
    right = {"team": "Iwashi", "password": PASSWORD}
    logins = [house.program().post("/api/sessions", json=right) for _ in range(3)]
    assert [answer.status_code for answer in logins] == [201, 201, 429]
    team = house.browser(house.token("Iwashi"))
    files = [upload(team, "/masks", material.masked()) for _ in range(3)]
    assert [answer.status_code for answer in files] == [303, 303, 429]
    assert "retry-after" in files[-1].headers


def test_a_body_that_is_no_upload_is_small(make_house: MakeHouse) -> None:
    house = make_house()
    large = b"team=" + b"x" * SMALL_BODY_BYTES
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert house.browser().post("/login", content=large, headers=form).status_code == 413
    json = {"content-type": "application/json"}
    assert house.program().post("/api/sessions", content=large, headers=json).status_code == 413


def test_every_answer_carries_the_headers(make_house: MakeHouse) -> None:
    house = make_house("Iwashi")
    browser = house.browser(house.token("Iwashi"))
    for path in ("/", "/masks", "/nothing", "/api/contest", "/api/entries", "/static/site.css"):
        headers = browser.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] in {"no-store", "max-age=600"}


def test_pages_hold_no_script_or_style_of_their_own(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", phase=Phase.FINAL_MASKING)
    for who in ("Iwashi", "referee"):
        browser = house.browser(house.token(who))
        for path in ("/", "/rules", "/masks", "/attacks", "/progress", "/leaderboard", "/referee"):
            page = browser.get(path).text
            assert not re.search(r"<script(?! src=)|<style|style=|\son\w+=|https?://(?!127)", page)


def test_what_teams_write_is_never_html(make_house: MakeHouse) -> None:
    evil = '<img src=x onerror="alert(1)">'
    house = make_house(evil, phase=Phase.FINAL_MASKING)
    browser = house.browser(house.token(evil))
    upload(browser, "/masks", b"x", evil)
    for path in ("/", "/masks", "/progress"):
        assert "<img" not in browser.get(path).text
    referee = house.browser(house.token("referee"))
    assert "<img" not in referee.get("/referee").text


def test_visitors_are_sent_to_log_in_and_back(make_house: MakeHouse) -> None:
    house = make_house("Iwashi")
    browser = house.browser()
    assert browser.get("/masks").headers["location"] == "/login?next=/masks"
    answer = send(
        browser, "/login", "/login?next=/masks", team="Iwashi", password=PASSWORD, next="/masks"
    )
    assert answer.headers["location"] == "/masks"
    elsewhere = {"team": "Iwashi", "password": PASSWORD, "next": "//elsewhere.example/x"}
    assert send(house.browser(), "/login", **elsewhere).headers["location"] == "/"


def test_errors_say_nothing_about_the_inside(
    make_house: MakeHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house: House = make_house()

    def broken() -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(house.contest, "announcements", broken)
    for path in ("/", "/api/announcements"):
        answer: httpx.Response = house.browser().get(path)
        assert answer.status_code == 500
        assert "secret" not in answer.text
        assert "content-security-policy" in answer.headers
