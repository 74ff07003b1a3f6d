"""The workbench in a container: what its image states, and a server configured as there."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

import sudare
from sudare.cli.commands import serve
from sudare.workbench.access import access_cookie
from tests.browsers import new_window

RECIPE = Path(__file__).parents[3] / "packaging" / "workbench" / "Dockerfile"
TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105
NAME = "bench.example.org"


def instructions() -> list[tuple[str, str]]:
    """The instructions of the image, each on one line."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.partition(" ")[2]) for line in lines if line.strip()]


def test_the_image_runs_as_nobody_special_and_states_its_versions() -> None:
    stated = instructions()
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"}
    assert {word for word, _ in stated} <= known
    assert [rest for word, rest in stated if word == "USER"] == ["10001"]
    for word, rest in stated:
        if word == "FROM":
            assert re.match(r"python:3\.\d+-slim( AS build)?$", rest)
    assert stated[-1] == ("ENTRYPOINT", '["sudare", "serve", "--no-browser"]')


def test_the_image_sets_what_the_server_reads() -> None:
    (environment,) = [rest for word, rest in instructions() if word == "ENV"]
    source = Path(serve.__file__).read_text(encoding="utf-8")
    for variable in re.findall(r"(SUDARE_(?:HOST|PORT))=", environment):
        assert f'envvar="{variable}"' in source
    assert "SUDARE_TOKEN_FILE=" in environment


def environment(folder: Path, token: str, names: str = NAME) -> dict[str, str]:
    """The environment of a container, on this machine."""
    (folder / "token").write_text(token, encoding="ascii")
    return {
        **os.environ,
        "SUDARE_HOST": "127.0.0.1",
        "SUDARE_PORT": "0",
        "SUDARE_NAMES": names,
        "SUDARE_TOKEN_FILE": str(folder / "token"),
        "SUDARE_STATE": str(folder / "state"),
        "SUDARE_LANG": "en",
    }


@contextmanager
def started(tmp_path: Path, names: str = NAME) -> Iterator[str]:
    """Start a server as in the container, and yield where it is."""
    command = [sys.executable, "-m", "sudare", "serve", "--no-browser"]
    with subprocess.Popen(
        command,
        env=environment(tmp_path, TOKEN, names),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        assert server.stdout is not None
        told = server.stdout.readline()
        link = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert link is not None, told
        assert TOKEN not in told
        try:
            yield link[0]
        finally:
            server.terminate()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a server is that was started as in the container."""
    with started(tmp_path) as address:
        yield address


def test_a_proxy_reaches_it_by_its_name_and_its_token_alone(address: str) -> None:
    proxied = {"host": NAME, "origin": f"https://{NAME}"}
    with httpx.Client(base_url=address, timeout=60) as client:
        assert client.get("/", headers={"host": "elsewhere.example.org"}).status_code == 403
        assert client.get("/", headers=proxied).status_code == 401
        assert client.post("/session", content="wrong", headers=proxied).status_code == 403
        for _ in range(2):  # the token lasts
            entered = client.post("/session", content=TOKEN, headers=proxied)
            assert entered.status_code == 200
            cookie = entered.headers["set-cookie"].lower()
            assert "secure" in cookie
            assert "httponly" in cookie
            assert "samesite=strict" in cookie
        held = entered.headers["set-cookie"].partition(";")[0]
        assert client.get("/", headers={**proxied, "cookie": held}).status_code == 200


def test_a_token_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sudare", "serve", "--no-browser"]
    ended = subprocess.run(
        command,
        env=environment(tmp_path, "secret"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "at least 32 characters" in ended.stderr


# A proxy of one user: it speaks HTTPS, and passes on what it hears.
PROXY = """
import asyncio, socket, ssl, sys

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
host, port = sys.stdin.readline().split()

async def pass_on(source, target):
    try:
        while part := await source.read(65536):
            target.write(part)
            await target.drain()
    finally:
        target.close()

async def connect(reader, writer):
    inside, answers = await asyncio.open_connection(host, int(port))
    ways = pass_on(reader, answers), pass_on(inside, writer)
    await asyncio.gather(*ways, return_exceptions=True)

async def main():
    async with await asyncio.start_server(connect, sock=listener, ssl=context) as server:
        await server.serve_forever()

asyncio.run(main())
"""


@contextmanager
def proxy(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """A proxy that tells its port, and is told the server."""
    files = [str(folder / "proxy.pem"), str(folder / "proxy.key")]
    line = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    made = ["openssl", *line.split(), "-out", files[0], "-keyout", files[1]]
    subprocess.run(made, check=True, capture_output=True)
    command = [sys.executable, "-c", PROXY, *files]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe) as process:
        try:
            yield process
        finally:
            process.terminate()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate")
def test_a_browser_works_through_a_real_proxy(browser: Browser, tmp_path: Path) -> None:
    sudare.write(sudare.datasets.toy(60), tmp_path / "people.csv")
    with proxy(tmp_path) as passing:
        assert passing.stdin is not None
        assert passing.stdout is not None
        port = int(passing.stdout.readline())
        with started(tmp_path, f"localhost:{port}") as address:
            url = httpx.URL(address)
            print(url.host, url.port, file=passing.stdin, flush=True)
            works_through(browser, port, tmp_path / "people.csv")


def works_through(browser: Browser, port: int, table: Path) -> None:
    """Enter by the token, open a table, and change it."""
    at = f"https://localhost:{port}"
    context = new_window(browser, ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"{at}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("belongs to somebody")
    page.goto(f"{at}/?first#{TOKEN}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("safe release")
    cookies = {cookie["name"]: cookie for cookie in context.cookies()}
    assert cookies[access_cookie(port)]["secure"]
    page.locator("#path").fill(str(table))
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator(".cards .card").first).to_be_visible()  # after progress by events
    page.goto(page.url.replace("/columns", "/roles"))
    page.get_by_role("combobox", name="Role of sex").select_option("other")
    expect(page.locator("section[data-drop=other] li[data-drag=sex]")).to_be_visible()
    context.close()
