"""The workbench in a container: what its image states, and a server configured as there."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sudare.cli.commands import serve

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


def environment(folder: Path, token: str) -> dict[str, str]:
    """The environment of a container, on this machine."""
    (folder / "token").write_text(token, encoding="ascii")
    return {
        **os.environ,
        "SUDARE_HOST": "127.0.0.1",
        "SUDARE_PORT": "0",
        "SUDARE_NAMES": NAME,
        "SUDARE_TOKEN_FILE": str(folder / "token"),
        "SUDARE_STATE": str(folder / "state"),
        "SUDARE_LANG": "en",
    }


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a server is that was started as in the container."""
    command = [sys.executable, "-m", "sudare", "serve", "--no-browser"]
    with subprocess.Popen(
        command,
        env=environment(tmp_path, TOKEN),
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
        yield link[0]
        server.terminate()


def test_a_proxy_reaches_it_by_its_name_and_its_token_alone(address: str) -> None:
    proxied = {"host": NAME, "origin": f"https://{NAME}"}
    with httpx.Client(base_url=address) as client:
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
