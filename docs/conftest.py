"""Run the ``console`` examples of the guide, so that no page shows what the program does not do."""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from console_commands import argument_words, run_command
from languages import FENCE, SUFFIX

from sudare.core import Language

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*(?:\n> .*)*)\n?((?:(?!\$ ).*\n?)*)", re.MULTILINE)
SHOWN_PORT = "8018"
CODE = re.compile(r"# exit code (\d+)")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the code of a page where a reader may be: in a folder that has nothing in it."""
    monkeypatch.chdir(tmp_path)


def language_of(page: Path) -> Language:
    """Return the language of a page, in which its commands run."""
    return "ja" if page.name.endswith(SUFFIX) else "en"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a page in Japanese whose commands show what those of the English page do."""
    if language_of(collection_path) == "en":
        return None
    english = collection_path.with_name(collection_path.name.removesuffix(SUFFIX) + ".md")
    blocks = [FENCE.findall(page.read_text("utf-8")) for page in (english, collection_path)]
    return True if blocks[0] == blocks[1] else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "Page | None":
    """Collect the pages that have console examples; they are for shells that Windows lacks."""
    if file_path.suffix != ".md" or sys.platform == "win32":
        return None
    has_console = BLOCK.search(file_path.read_text(encoding="utf-8"))
    return Page.from_parent(parent, path=file_path) if has_console else None


class Page(pytest.File):
    """A page; its commands run one after the other in one folder that is empty at first."""

    def collect(self) -> Iterator["Session"]:
        """Yield the one test of the page; pages of a language share what their commands import."""
        session = Session.from_parent(self, name="console")
        session.add_marker(pytest.mark.xdist_group(f"pages-{language_of(self.path)}"))
        yield session


class Session(pytest.Item):
    """All commands of a page."""

    def runtest(self) -> None:
        """Run the commands in their order."""
        folder = Path(tempfile.mkdtemp())
        around = environment(language_of(self.path))
        port = free_port()  # in place of the one that the page shows, which may be taken
        with ExitStack() as ended:
            ended.callback(shutil.rmtree, folder)
            for block in BLOCK.findall(self.path.read_text(encoding="utf-8")):
                for shown, expected in COMMAND.findall(block):
                    command = shown.replace("\n> ", "\n").replace(SHOWN_PORT, str(port))
                    if command.endswith(" &"):
                        ended.enter_context(
                            serving(folder, command.removesuffix(" &"), port, around)
                        )
                    else:
                        check(folder, command, expected, around)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """Return the command and what it printed, without a traceback."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return how the test is called."""
        return self.path, 0, "console examples"


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(folder: Path, command: str, port: int, environment: dict[str, str]) -> Iterator[None]:
    """Have a server run in the background, from when it listens to the end of the page."""
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            shlex.split(command), cwd=folder, env=environment, stdout=log, stderr=log
        )
        try:
            while server.poll() is None:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
                time.sleep(0.1)
            yield
        finally:
            server.terminate()
            server.wait()


def environment(language: Language) -> dict[str, str]:
    """Return what the commands of a page find around them."""
    bin_folder = str(Path(sys.executable).parent)
    return {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "90",
        "PYTHONIOENCODING": "utf-8",
        "SUDARE_LANG": language,
    }


def check(folder: Path, command: str, expected: str, environment: dict[str, str]) -> None:
    """Run one command; its exit code, and its output where the page shows it, must be as shown."""
    words = argument_words(command)
    code, written = (
        in_shell(command, folder, environment)
        if words is None
        else run_command(words, folder, environment)
    )
    wanted = CODE.search(command)
    if code != int(wanted[1] if wanted else 0):
        pytest.fail(f"exit code {code}:\n$ {command}\n{written}")
    if expected.strip() and _lines(written) != _lines(expected):
        pytest.fail(f"the page shows another output:\n$ {command}\n{written}")


def in_shell(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Return the exit code of a command of the shell, and all that it wrote."""
    done = subprocess.run(  # noqa: S602 - the commands are those of our own pages
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]
