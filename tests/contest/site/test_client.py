"""The client before servers that are no contest, or not in their best form."""

import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sudare.contest.client import Client, RefusedRequestError, UnreachableError, _pause
from tests.contest.site.serving import PASSWORD

Answer = tuple[int, dict[str, str], bytes]
LOGIN: Answer = (201, {}, b'{"token": "t"}')


class Stranger(ThreadingHTTPServer):
    """A server that answers as it is told, by path, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    """Reads a request to its end, and answers."""

    server: Stranger

    def handle_any(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        name = self.path.split("?")[0].rpartition("/")[2]
        self.server.asked.append(name)
        status, headers, body = self.server.answers.get(name, (401, {}, b""))
        self.send_response(status)
        for field in headers.items():
            self.send_header(*field)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = handle_any  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    with Stranger() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((200, {}, b"<html>welcome</html>"), "is not a sudare contest"),
        ((200, {}, b'{"x": 1}'), "is not a sudare contest"),
        ((200, {}, b"[1]"), "is not a sudare contest"),
        ((200, {}, b""), "is not a sudare contest"),
        ((301, {"Location": "https://there/api/sessions"}, b""), "redirects to https://there; use"),
    ],
)
def test_whoever_is_no_contest_is_named(stranger: Stranger, answer: Answer, told: str) -> None:
    stranger.answers["sessions"] = answer
    with pytest.raises(UnreachableError, match=told) as error:
        Client(stranger.url, "Iwashi", PASSWORD)
    assert stranger.url in str(error.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "127.0.0.1:9", "http://[", "ftp://there"])
def test_an_address_at_which_nobody_answers_is_named(url: str) -> None:
    with pytest.raises(UnreachableError, match="cannot reach a contest") as error:
        Client(url, "Iwashi", PASSWORD)
    assert url in str(error.value)


@pytest.mark.parametrize("again", ["0", "-0", "Wed, 21 Oct 2015 07:28:00 GMT", "9" * 400, "soon"])
def test_a_file_that_is_never_taken_is_given_up_in_time(
    stranger: Stranger, tmp_path: Path, again: str
) -> None:
    refused = (429, {"Retry-After": again}, b'{"message": "later"}')
    stranger.answers = {"sessions": LOGIN, "masks": refused}
    (tmp_path / "A.csv").write_bytes(b"1")
    with Client(stranger.url, "Iwashi", PASSWORD) as client:
        client._timeout = 1.5  # for the file alone: a busy machine may answer later than that
        with pytest.raises(RefusedRequestError, match="later"):
            client.submit_mask(tmp_path / "A.csv")
    assert stranger.asked.count("masks") <= 2


def test_a_date_says_how_long_to_wait_as_well_as_seconds_do() -> None:
    assert 25 < _pause(formatdate(time.time() + 30, usegmt=True)) <= 30
    assert _pause("30") == 30
    assert _pause("") == float("inf")


def test_an_error_of_ones_own_is_not_hidden_by_a_session_that_has_ended(stranger: Stranger) -> None:
    stranger.answers["sessions"] = LOGIN
    with pytest.raises(KeyError, match="mine"), Client(stranger.url, "Iwashi", PASSWORD) as client:
        raise KeyError("mine")
    assert stranger.asked == ["sessions", "current"]
    client.close()
    assert stranger.asked == ["sessions", "current"], "closed twice is logged out once"


@pytest.mark.parametrize("act", [Client.status, Client.files, Client.results])
def test_what_is_no_answer_of_a_contest_later_on_is_said_too(
    stranger: Stranger, act: Callable[[Client], object]
) -> None:
    page: Answer = (200, {}, b"<html>")
    names = ("contest", "files", "final")
    stranger.answers = {"sessions": LOGIN, **dict.fromkeys(names, page)}
    with (
        Client(stranger.url, "Iwashi", PASSWORD) as client,
        pytest.raises(UnreachableError, match="is not a sudare contest"),
    ):
        act(client)


def test_a_download_that_leads_elsewhere_leaves_no_file(stranger: Stranger, tmp_path: Path) -> None:
    elsewhere = (302, {"Location": "/login"}, b"")
    stranger.answers = {"sessions": LOGIN, "data": elsewhere}
    with (
        Client(stranger.url, "Iwashi", PASSWORD) as client,
        pytest.raises(UnreachableError, match="redirects to"),
    ):
        client.download("final/data", tmp_path / "T.csv")
    assert list(tmp_path.iterdir()) == []
