"""Whatever ends a command, no record stays behind: at once, or at the next start."""

import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

# The table is read in blocks although it would fit in memory.
CHILD = """
import sys
from sudare.cli import main, table_source
from sudare.engine import open_table
def in_blocks(path, memory=None, beside=None, **reading):
    return open_table(path, memory="1GB", **reading)
assert table_source.read_or_open
table_source.read_or_open = in_blocks
main(sys.argv[1:])
"""
SEED = int(os.environ.get("SUDARE_FUZZ_SEED", "20"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("table") / "table.csv"
    columns = {f"c{i}": rng.choice([*"abcdefghi"], 300_000) for i in range(6)}
    pl.DataFrame(columns).write_csv(path)
    return path


class Work:
    """A command in a process of its own, with its own folder for temporary files."""

    def __init__(self, table: Path, folder: Path) -> None:
        self.temporary, self.target = folder / "tmp", folder / "out"
        self.temporary.mkdir(exist_ok=True)
        self.target.mkdir(exist_ok=True)
        words = ["mask", str(table), "-o", str(self.target / "m.csv"), "--force"]
        words += ["-k", "c0", "--step", "pram: retain = 0.5"]
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD, *words],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def left_behind(self) -> list[str]:
        found = [*self.temporary.iterdir(), *self.target.iterdir()]
        return [path.name for path in found if path.name != "m.csv"]

    def wait_for_records(self) -> None:
        """Wait until the first temporary folder is there, and see that nobody else can read it."""
        while self.process.poll() is None:
            for path in self.temporary.iterdir():
                if "sudare" in path.name:
                    assert stat.S_IMODE(path.stat().st_mode) == 0o700
                    return
            time.sleep(0.005)
        pytest.fail("the command ended without a temporary folder: it has not read in blocks")

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=120)
        assert "Traceback" not in said
        return self.process.returncode


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_behind(table: Path, tmp_path: Path, number: int) -> None:
    moments = random.Random(SEED + number)  # noqa: S311
    print(f"seed {SEED}")  # noqa: T201
    for attempt in range(2):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        work = Work(table, folder)
        work.wait_for_records()
        time.sleep(moments.uniform(0, 0.6))
        code = work.end(number)
        assert code in {0, 128 + number}
        assert (work.target / "m.csv").exists() == (code == 0)
        assert work.left_behind() == []


def test_the_next_start_removes_what_a_killed_one_left(table: Path, tmp_path: Path) -> None:
    moments = random.Random(SEED)  # noqa: S311
    print(f"seed {SEED}")  # noqa: T201
    for _ in range(2):
        work = Work(table, tmp_path)
        work.wait_for_records()
        time.sleep(moments.uniform(0, 0.6))
        work.end(signal.SIGKILL)
    (work.temporary / "of-somebody-else").touch()
    assert len(work.left_behind()) > 1
    work = Work(table, tmp_path)
    work.process.communicate(timeout=120)
    assert work.process.returncode == 0
    assert work.left_behind() == ["of-somebody-else"]
    assert (work.target / "m.csv").exists()
