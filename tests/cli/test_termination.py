"""Whatever ends a command, no record stays behind: at once, or at the next start."""

import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are looked for in /proc")

# A command that was started in the background would not hear of interrupts and hang-ups.
HEARING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""
# The table is read in blocks although it would fit in memory, and few groups are counted as many.
CHILD = (
    HEARING
    + """
import sys
from sudare.cli import main, table_source
from sudare.engine import open_table
from sudare.engine.large import combined_texts, group_counts
combined_texts._MOST = group_counts._FEW = 0
def in_blocks(path, memory=None, beside=None, **reading):
    return open_table(path, memory="1GB", **reading)
assert table_source.read_or_open
table_source.read_or_open = in_blocks
main()
"""
)
SEED = int(os.environ.get("SUDARE_FUZZ_SEED", "20"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("table") / "table.csv"
    columns = {f"c{i}": rng.choice([*"abcdefghi"], 300_000) for i in range(6)}
    pl.DataFrame(columns).write_csv(path)
    return path


MASK = ("-k", "c0", "--step", "pram: retain = 0.5", "--force", "--internal")
COUNT = ("--measure", "uniques", *(word for i in range(6) for word in ("-k", f"c{i}")))


def _leads_to(link: Path) -> str:
    """Return where a link leads; nowhere, if its file was closed in this moment."""
    try:
        return os.readlink(link)  # noqa: PTH115 - it leads nowhere
    except FileNotFoundError:
        return ""


def _is_unlisted(target: str, folder: Path) -> bool:
    return target.startswith(str(folder)) and target.endswith("(deleted)")


class Work:
    """A command in a process of its own, with its own folder for temporary files."""

    def __init__(self, folder: Path, *words: object) -> None:
        self.temporary, self.target = folder / "tmp", folder / "out"
        self.temporary.mkdir(exist_ok=True)
        self.target.mkdir(exist_ok=True)
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD, *map(str, words)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    @classmethod
    def masking(cls, table: Path, folder: Path) -> Self:
        return cls(folder, "mask", table, "-o", folder / "out" / "m.csv", *MASK)

    @classmethod
    def counting(cls, table: Path, folder: Path) -> Self:
        return cls(folder, "measure", table, *COUNT)

    def left_behind(self) -> list[str]:
        paths = [*self.temporary.iterdir(), *self.target.iterdir()]
        return [path.name for path in paths if path.name != "m.csv"]

    def wait_for(self, there: Callable[[], bool]) -> None:
        while self.process.poll() is None:
            if there():
                return
            time.sleep(0.002)
        pytest.fail("the command ended without a temporary file: it has not read in blocks")

    def named(self) -> list[Path]:
        """Return what a folder lists of our temporary files; Python tries the folder out, too."""
        return [path for path in self.temporary.iterdir() if "sudare" in path.name]

    def has_records(self) -> bool:
        """Return whether raw records are on disk, in a file that no folder lists."""
        assert self.named() == []
        opened = Path(f"/proc/{self.process.pid}/fd")
        return any(_is_unlisted(_leads_to(link), self.temporary) for link in opened.iterdir())

    def has_groups(self) -> bool:
        """Return whether groups are being counted, in a folder that nobody else can read."""
        folders = self.named()
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o700 for path in folders)
        return bool(folders)

    def end(self, number: int, times: int = 1) -> int:
        """Send a signal, and return what the command ends with: its code, or that it is done."""
        for _ in range(times):
            self.process.send_signal(number)
        _, said = self.process.communicate(timeout=120)
        code = self.process.returncode
        ended = -number if number == signal.SIGKILL else 128 + number
        assert code in {0, ended}, f"exit code {code}:\n{said}"
        words = ("interrupted; no file", "records, read in blocks")
        others = [line for line in said.splitlines() if not any(word in line for word in words)]
        assert code == 0 or others == []
        return code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_nothing_behind(table: Path, tmp_path: Path, number: int) -> None:
    moments = random.Random(SEED + number)  # noqa: S311
    print(f"seed {SEED}")  # noqa: T201
    for attempt in range(2):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        work = Work.masking(table, folder)
        work.wait_for(work.has_records)
        time.sleep(moments.uniform(0, 0.6))
        code = work.end(number, times=1 + attempt)
        masked = work.target / "m.csv"
        assert masked.exists() or code
        assert not masked.exists() or masked.stat().st_size == table.stat().st_size
        assert work.left_behind() == []


def test_a_signal_ends_counting_too(table: Path, tmp_path: Path) -> None:
    work = Work.counting(table, tmp_path)
    work.wait_for(work.has_groups)
    work.end(signal.SIGTERM)
    assert work.left_behind() == []


def test_the_next_start_removes_what_a_killed_one_left(table: Path, tmp_path: Path) -> None:
    moments = random.Random(SEED)  # noqa: S311
    print(f"seed {SEED}")  # noqa: T201
    for _ in range(2):
        work = Work.masking(table, tmp_path)
        work.wait_for(work.has_records)
        time.sleep(moments.uniform(0, 0.6))
        work.end(signal.SIGKILL)
        assert list(work.temporary.iterdir()) == []  # raw records go with their process
    work = Work.counting(table, tmp_path)
    work.wait_for(work.has_groups)
    work.end(signal.SIGKILL)
    (work.temporary / "of-somebody-else").touch()
    assert len(work.left_behind()) > 1
    work = Work.masking(table, tmp_path)
    work.process.communicate(timeout=120)
    assert work.process.returncode == 0
    assert work.left_behind() == ["of-somebody-else"]
    assert (work.target / "m.csv").exists()


# Commands whose work is a line of Python: what a library does with an interrupt, for instance.
PROGRAM = (
    HEARING
    + """
import os, signal, sys, time
from sudare.cli import main
from sudare.cli.commands import methods
from sudare.engine.formats import Folder

class Freed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0)  # the signal is raised here, where nobody can catch it

def interrupted_library():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    except BaseException:
        raise RuntimeError("query interrupted") from None

def interrupted_removal():
    folder = Folder()
    (folder.path / "records").touch()
    real = os.rmdir
    def removed(*arguments, **named):
        os.rmdir = real
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    os.rmdir = removed
    with folder:
        pass

def polars_imported():
    from sudare.engine.frames import part
    handler = signal.getsignal(signal.SIGINT)
    part("polars").DataFrame({"a": [1]})
    assert signal.getsignal(signal.SIGINT) is handler
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)

def run():
    WORK
run.__module__ = methods.__name__
methods.run = run
sys.argv = ["sudare", "list"]
main()
"""
)


@pytest.mark.parametrize(
    ("work", "code"),
    [
        ("Freed(); time.sleep(60)", 143),
        ("interrupted_library()", 143),
        ("interrupted_removal()", 143),
        ("polars_imported()", 130),
    ],
)
def test_no_library_swallows_a_signal(work: str, code: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("WORK", work)],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert done.stderr.splitlines() == ["sudare: interrupted; no file was left half-written."]
    assert list(tmp_path.iterdir()) == []


EARLY = (
    HEARING
    + """
import os, signal, sys
from sudare.cli import main
set_handler = signal.signal
def setting(number, handler):
    before = set_handler(number, handler)
    if number == signal.SIGHUP:
        signal.signal = set_handler
        os.kill(os.getpid(), number)
    return before
signal.signal = setting
sys.argv = ["sudare", "list"]
main()
"""
)


def test_a_signal_while_listening_begins_ends_the_command_without_a_word() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (128 + signal.SIGHUP, b"")


def test_an_interrupt_is_taken_care_of_before_anything_is_imported() -> None:
    script = (
        "import sudare_start, sys; loaded = [name for name in sys.modules if 'sudare.' in name]\n"
        "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_DFL, loaded)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert told.stdout.decode().strip() == "True []"
