"""Who gets in: one browser by a link that works once; no other site, host or user."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from sudare.web import CSRF_FIELD
from sudare.workbench.access import Sessions, access_cookie
from sudare.workbench.access.access_guard import is_own_user
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
    assert cookie.startswith(f"{access_cookie(httpx.URL(bench.url).port)}=")
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


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who connects")
OTHER_USER = 65534
REQUEST = """
import encodings.idna, os, socket, sys
os.setuid(int(sys.argv[1]))
host, port = "127.0.0.1", int(sys.argv[3])
connection = socket.create_connection((host, port), 30, (sys.argv[2], 0))
connection.sendall(f"GET /session HTTP/1.1\\r\\nhost: {host}:{port}\\r\\n\\r\\n".encode())
print(connection.recv(100).split()[1].decode())
"""


def status_for(bench: Bench, user: int, address: str) -> str:
    """What a user of this machine is answered who connects from an address."""
    port = str(httpx.URL(bench.url).port)
    command = [sys.executable, "-I", "-c", REQUEST, str(user), address, port]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@LINUX
@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2"])
def test_the_own_user_may_connect_from_any_loopback_address(bench: Bench, address: str) -> None:
    assert status_for(bench, os.getuid(), address) == "200"


@LINUX
@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2"])
def test_another_user_is_refused_from_any_loopback_address(bench: Bench, address: str) -> None:
    assert status_for(bench, OTHER_USER, address) == "403"


@LINUX
@pytest.mark.parametrize(
    ("client", "server", "passes"),
    [
        (("127.0.0.2", 1), ("127.0.0.1", 80), False),
        (("192.0.2.7", 1), ("127.0.0.1", 80), False),
        (("::1", 1), ("::1", 80), False),
        (("::ffff:127.0.0.2", 1), ("::ffff:127.0.0.1", 80), False),
        (None, ("127.0.0.1", 80), False),
        (("127.0.0.1", 1), None, False),
        (("172.17.0.1", 1), ("172.17.0.2", 80), True),  # in a container
    ],
)
def test_who_cannot_be_told_is_refused_at_a_loopback_address_alone(
    client: tuple[str, int] | None, server: tuple[str, int] | None, passes: bool
) -> None:
    assert is_own_user({"client": client, "server": server}) == passes


def test_the_own_user_is_known_by_ipv6_too() -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("needs IPv6")
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as server:
        port = server.getsockname()[1]
        for host in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
            try:
                client = socket.create_connection((host, port))
            except OSError:
                continue  # a machine without this address
            accepted, peer = server.accept()
            with client, accepted:
                assert may_connect(peer[:2], accepted.getsockname()[:2])


def test_workbenches_side_by_side_leave_each_other_their_sessions(
    bench: Bench, tmp_path: Path
) -> None:
    with Bench(tmp_path / "other") as other, httpx.Client(timeout=60) as client:
        for each in (bench, other):
            token = each.site.sessions.token
            entered = client.post(
                f"{each.url}/session", content=token, headers={"origin": each.url}
            )
            assert entered.status_code == 200
        for each in (bench, other):
            assert client.get(f"{each.url}/session").json() == {"open": True}


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
