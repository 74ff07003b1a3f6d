"""Who gets in: one browser by a link that works once; no other site, host or user."""

import socket
from pathlib import Path

import httpx
import pytest

from sudare.web import CSRF_FIELD
from sudare.workbench.access import ACCESS_COOKIE, Sessions
from sudare.workbench.access.connected_users import may_connect
from tests.workbench.serving import Bench, hidden, send


def test_a_link_opens_one_session_only() -> None:
    links: list[str] = []
    sessions = Sessions(on_link=links.append)
    first = sessions.token
    cookie = sessions.open(first)
    assert cookie is not None
    assert sessions.find(cookie) is not None
    assert sessions.open(first) is None
    assert links == [sessions.token] != [first]


def test_a_lasting_token_opens_more_than_one() -> None:
    sessions = Sessions(lasting_token="behind a proxy")  # noqa: S106
    assert sessions.open("behind a proxy")
    assert sessions.open("behind a proxy")
    assert sessions.open("") is None


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(bench: Bench) -> None:
    answer = bench.stranger().post("/session", content=bench.site.sessions.token)
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(ACCESS_COOKIE)
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert bench.site.sessions.token not in answer.text


@pytest.mark.parametrize("path", ["/", "/read?path=/etc/passwd", "/vega.js", "/jobs/x"])
def test_without_a_session_nothing_is_shown(bench: Bench, path: str) -> None:
    answer = bench.stranger().get(path)
    assert answer.status_code == 401
    assert "works once" in answer.text


def test_a_wrong_token_is_refused(bench: Bench) -> None:
    answer = bench.stranger().post("/session", content="guess")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "[::1]:80", ""])
def test_another_host_name_is_refused_so_that_names_cannot_be_rebound(
    bench: Bench, host: str
) -> None:
    answer = bench.browser().get("/", headers={"host": host})
    assert answer.status_code == 403
    assert "recent" not in answer.text.lower()


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_of_another_site_changes_nothing(
    bench: Bench, project: str, project_file: Path, headers: dict[str, str]
) -> None:
    client = bench.browser()
    page = client.get(f"{project}/roles")
    fields = {
        CSRF_FIELD: hidden(page, CSRF_FIELD),
        "revision": hidden(page, "revision"),
        "column": "age",
        "role": "sensitive",
    }
    before = project_file.read_bytes()
    assert client.post(f"{project}/roles", data=fields, headers=headers).status_code == 403
    assert project_file.read_bytes() == before


def test_a_form_without_its_token_changes_nothing(bench: Bench, project: str) -> None:
    client = bench.browser()
    revision = hidden(client.get(f"{project}/roles"), "revision")
    fields = {"revision": revision, "column": "age", "role": "sensitive"}
    assert client.post(f"{project}/roles", data=fields).status_code == 403
    assert client.post(f"{project}/roles", data={**fields, CSRF_FIELD: "0"}).status_code == 403


def test_another_site_can_neither_embed_nor_read_a_page(bench: Bench, project: str) -> None:
    client = bench.browser()
    embedding = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get(f"{project}/columns", headers=embedding).status_code == 403
    headers = client.get(f"{project}/columns").headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers


def test_a_connection_of_the_own_user_is_told_from_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            ends = client.getsockname(), server.getsockname()
            accepted, _ = server.accept()
            with accepted:
                assert may_connect(*ends)
        assert not may_connect(*ends) or not Path("/proc/net/tcp").exists()


def test_values_are_shown_after_the_custodian_asked_and_in_that_session_only(
    bench: Bench, project: str
) -> None:
    client, other = bench.browser(), bench.browser()
    label = "female"
    screens = ("columns", "roles", "risk", "steps", "reading")
    for screen in screens:
        assert label not in client.get(f"{project}/{screen}").text
    send(client, "/values", f"{project}/columns", show="yes", next=f"{project}/columns")
    assert label in client.get(f"{project}/columns").text
    assert label not in other.get(f"{project}/columns").text
    send(client, "/values", f"{project}/columns", show="no", next="/")
    assert label not in client.get(f"{project}/columns").text


def test_no_page_of_an_error_says_more_than_it_must(bench: Bench) -> None:
    client = bench.browser()
    assert client.get("/project/none/columns").status_code == 400
    assert client.get("/nothing").status_code == 404
    answer: httpx.Response = client.get("/opening/none")
    assert "no such job" in answer.text
