"""The shell that every site has: headers, language, forms, errors, static files."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import Response

from sudare.web import CSRF_FIELD, SESSION_COOKIE, set_cookie
from sudare.web.middleware import SMALL_BODY_BYTES
from tests.web.conftest import Browser, SmallSite


def token(page: str) -> str:
    match = re.search(rf'name="{CSRF_FIELD}" value="([0-9a-f]+)"', page)
    assert match is not None, page
    return match[1]


def test_every_response_carries_the_security_headers(browser: Browser) -> None:
    for path in ("/", "/nothing", "/refused", "/broken", "/api/broken", "/static/site.css"):
        headers = browser.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"


def test_head_is_get_without_a_body(browser: Browser) -> None:
    head, whole = browser.ask("HEAD", "/"), browser.get("/")
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert head.content == b""


def test_files_of_the_site_and_of_all_sites_are_served(browser: Browser) -> None:
    assert "red" in browser.get("/static/own.css").text
    assert "--paper" in browser.get("/static/site.css").text
    assert browser.get("/static/site.js").headers["cache-control"] == "max-age=600"


def test_pages_speak_the_language_that_was_chosen_else_that_of_the_browser(
    browser: Browser,
) -> None:
    assert 'lang="en"' in browser.get("/").text
    page = browser.get("/", headers={"accept-language": "fr, ja;q=0.8, en;q=0.5"}).text
    assert '<html lang="ja">' in page
    answer = browser.get("/language/ja?next=//elsewhere.example")
    assert answer.headers["location"] == "/"
    assert "コンテスト" in browser.get("/").text
    assert browser.get("/language/fr").status_code == 404


def test_a_form_that_is_refused_leads_back_to_its_page_in_either_language(browser: Browser) -> None:
    host = browser.get("/").request.headers["host"]
    for referer, page in (
        (f"http://{host}/list?at=3&by=name", "/list?at=3&by=name"),
        ("http://elsewhere.example/list", "/name"),
        (f"http://{host}//elsewhere.example", "/"),
    ):
        refused = unescape(browser.post("/name", headers={"referer": referer}).text)
        assert f'href="{page}">Back' in refused
        if page != "/name":
            assert f"/language/ja?next={quote(page)}" in refused
    assert "next=/refused%3Fa%3D1" in browser.get("/refused?a=1").text


def test_a_form_needs_the_token_of_its_page(browser: Browser, site: SmallSite) -> None:
    right = token(browser.get("/").text)
    for wrong in ("", "0" * 64, "語"):
        assert browser.post("/name", data={"name": "x", CSRF_FIELD: wrong}).status_code == 403
    data = {"name": "x", CSRF_FIELD: right}
    foreign = {"sec-fetch-site": "cross-site"}
    assert browser.post("/name", data=data, headers=foreign).status_code == 403
    assert site.names == []
    assert browser.post("/name", data=data).status_code == 303
    assert site.names == ["x"]
    assert "The name was kept." in browser.get("/").text
    assert "The name was kept." not in browser.get("/").text


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cookies_travel_only_over_https_where_there_is_https(scheme: str) -> None:
    request = Request({"type": "http", "scheme": scheme, "path": "/", "headers": [(b"host", b"x")]})
    response = Response()
    set_cookie(request, response, SESSION_COOKIE, "token", days=1)
    assert ("Secure" in response.headers["set-cookie"]) == (scheme == "https")


def test_only_uploads_are_large(browser: Browser) -> None:
    large = b"x" * (SMALL_BODY_BYTES + 1)
    assert browser.post("/upload", content=large).json() == len(large)
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert browser.post("/name", content=large, headers=form).status_code == 413


def test_people_get_a_page_and_programs_get_json(browser: Browser) -> None:
    page = browser.get("/refused")
    assert page.status_code == 400
    assert "there is no file &#39;x.csv&#39;." in page.text
    assert "Small site" in page.text
    answer = browser.get("/api/refused", headers={"accept-language": "ja"})
    assert answer.status_code == 400
    assert "x.csv" in answer.json()["message"]
    assert "there is no file" not in answer.json()["message"]
    assert browser.get("/api/number/x").json() == {
        "message": "'number' must be a whole number within its limits."
    }
    assert browser.ask("PUT", "/api/number/1").headers["allow"] == "HEAD, GET"


def test_an_unexpected_error_tells_nothing(browser: Browser) -> None:
    for path in ("/broken", "/api/broken"):
        answer = browser.get(path)
        assert answer.status_code == 500
        assert "Its log says why." in answer.text
        assert "income" not in answer.text


def test_what_a_page_is_given_is_never_html(browser: Browser) -> None:
    assert "&lt;Hello&gt;" in browser.get("/").text
