"""What arrives is counted, checked and never believed."""

import gzip
import io
import socket
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from sudare.contest import Phase
from sudare.contest.scoring.worker import Worker
from sudare.web import CSRF_FIELD, uploads
from sudare.web.middleware import SMALL_BODY_BYTES
from tests.contest.site import material
from tests.contest.site.conftest import MakeHouse
from tests.contest.site.serving import RULES, House, csrf_token, upload

LIMIT = RULES.limits.mask_bytes


@pytest.fixture
def house(make_house: MakeHouse) -> House:
    return make_house("Iwashi", phase=Phase.FINAL_MASKING)


@pytest.fixture
def program(house: House) -> httpx.Client:
    return house.program(house.token("Iwashi"))


def left_behind(house: House) -> list[str]:
    return [path.name for path in house.contest.store.incoming.iterdir()]


def bomb() -> bytes:
    """A zip file of a few kilobytes that would unpack to ten megabytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("masked.csv", b"1,*,*,*,*\n" * 1_000_000)
    return packed.getvalue()


NO_MASKED_FILES = {
    "zip": bomb(),
    "gzip": gzip.compress(material.masked()),
    "NUL": material.masked().replace(b"1.25", b"1\x002", 1),
    "utf-16": material.masked().decode().encode("utf-16"),
    "cp932": "1,日付,*,*,*\n".encode("cp932"),
    "empty": b"",
    "blank lines": b"\n" * 100_000,
    "one long line": b"1" * 150_000,
}


def test_what_is_no_masked_file_is_refused_with_a_reason(
    house: House, program: httpx.Client
) -> None:
    sent = {
        kind: program.post("/api/masks", content=content).json()["id"]
        for kind, content in NO_MASKED_FILES.items()
    }
    Worker(house.contest).run(until_idle=True)
    for kind, number in sent.items():
        told = program.get(f"/api/entries/{number}").json()
        assert told["status"] == "refused", kind
        assert told["problem_count"] >= 1, kind
        assert told["problems"][0]["message"], kind


def test_ten_million_lines_are_too_large_however_they_are_announced(
    house: House, program: httpx.Client
) -> None:
    sent = 0

    def lines() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(1000):
            sent += 10_000
            yield b"1,*,*,*,*\n" * 10_000

    announced = program.post("/api/masks", content=b"x" * (LIMIT + 100_000))
    assert announced.status_code == 413
    with suppress(httpx.WriteError):  # the server has answered and hung up
        assert program.post("/api/masks", content=lines()).status_code == 413
    assert sent < 10_000_000
    assert left_behind(house) == []
    assert program.get("/api/entries").json() == []


def test_a_file_of_a_form_is_counted_too(house: House) -> None:
    browser = house.browser(house.token("Iwashi"))
    assert upload(browser, "/masks", b"1" * (LIMIT + 1)).status_code == 413
    assert left_behind(house) == []


def test_files_compressed_on_the_way_are_not_taken(program: httpx.Client) -> None:
    answer = program.post(
        "/api/masks", content=gzip.compress(b"1"), headers={"content-encoding": "gzip"}
    )
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "..\\..\\boot.ini", "a\x00b.csv", "<script>.csv", "é" * 300]
)
def test_names_are_only_shown(house: House, name: str) -> None:
    browser = house.browser(house.token("Iwashi"))
    assert upload(browser, "/masks", material.masked(), name).status_code == 303
    shown = browser.get("/masks").text
    assert "<script>.csv" not in shown
    assert ".." not in shown.split("What you have sent")[1]
    entry = house.contest.entries(house.contest.accounts.named("Iwashi"))[0]
    assert len(entry.filename) <= 120
    back = browser.get(f"/files/entry/{entry.id}")
    assert back.content == material.masked()
    assert back.headers["content-disposition"].startswith("attachment")
    assert back.headers["content-type"] == "application/octet-stream"


def test_a_form_with_two_files_or_without_an_end_is_refused(house: House) -> None:
    browser = house.browser(house.token("Iwashi"))
    hidden = {CSRF_FIELD: csrf_token(browser.get("/"))}
    two = [("file", ("a", b"1")), ("file", ("b", b"2"))]
    assert browser.post("/masks", data=hidden, files=two).status_code == 400
    kind = {"content-type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--x", b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf"):
        assert browser.post("/masks", content=body, headers=kind).status_code == 400
    assert left_behind(house) == []


def part(name: str, content: bytes = b"x") -> bytes:
    """A field of a form."""
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
    return head.encode() + content + b"\r\n"


FILE = part('file"; filename="a.csv', material.masked())
END = b"--x--\r\n"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (END, 400),
        (part("file", material.masked()) + END, 400),
        (part('file"; filename="', b"") + END, 400),
        (FILE + END, 202),
        (part("n" * 4000) * 10 + FILE + END, 202),
        (b"".join(part(f"{at}" + "n" * 4000) for at in range(20)) + FILE + END, 413),
        (part("n", b"x" * SMALL_BODY_BYTES) + FILE + END, 413),
        (FILE + END + b"x" * SMALL_BODY_BYTES, 413),
    ],
    ids=["nothing", "field", "no choice", "file", "names", "long names", "long field", "after"],
)
def test_a_form_holds_a_file_and_little_else(
    house: House, program: httpx.Client, body: bytes, told: int
) -> None:
    answer = program.post(
        "/api/masks", content=body, headers={"content-type": "multipart/form-data; boundary=x"}
    )
    assert answer.status_code == told
    sentences = {
        400: "the form holds no file.",
        413: "the form contains too much besides the file.",
    }
    assert answer.json().get("message") == sentences.get(told)
    assert len(program.get("/api/entries").json()) == (told == 202)
    assert left_behind(house) == []


@contextmanager
def half_sent(house: House) -> Iterator[socket.socket]:
    """A connection over which only the beginning of a file has come."""
    address = urlsplit(house.url)
    head = (
        f"POST /api/masks HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: 1000\r\n"
        f"Authorization: Bearer {house.token('Iwashi')}\r\n\r\n1,*"
    )
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(head.encode())
        yield connection


def test_a_broken_connection_leaves_nothing_behind(house: House) -> None:
    with half_sent(house):
        time.sleep(0.2)
    end = time.monotonic() + 60
    while left_behind(house) and time.monotonic() < end:
        time.sleep(0.05)
    assert left_behind(house) == []
    assert house.contest.entries(house.contest.referee()) == []


def test_a_sender_who_falls_silent_is_not_waited_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "SILENCE_SECONDS", 0.3)
    with half_sent(house) as connection:
        assert b" 408 " in connection.recv(1000)
    assert left_behind(house) == []
