"""Writing is all or nothing: a full disk or an interrupt leaves the old file and no draft."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sudare
from sudare.core.errors import OutputError
from sudare.engine.formats.atomic import writing
from tests.engine.conftest import Save

SETUP = """
import resource, signal, sys, threading
import numpy as np, polars as pl, sudare
rng = np.random.default_rng(1)
rows = int(sys.argv[2])
frame = pl.DataFrame({"a": rng.integers(0, 10**9, rows), "b": rng.random(rows)})
data = sudare.read(frame)
"""
FULL = """
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    sudare.write(data, sys.argv[1], overwrite=True)
except sudare.errors.OutputError as error:
    print(error)
"""
INTERRUPTED = """
print("ready", flush=True)
try:
    sudare.write(data, sys.argv[1], overwrite=True)
    print("written")
except KeyboardInterrupt:
    print("interrupted")
"""


def script(body: str, path: Path, rows: int) -> list[str]:
    return [sys.executable, "-c", SETUP + body, str(path), str(rows)]


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx", "sav", "zsav", "dta", "xpt"])
def test_a_full_disk_leaves_the_old_file_and_no_draft(save: Save, ending: str) -> None:
    path = save("old", f"out.{ending}")
    run = subprocess.run(script(FULL, path, 20_000), capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert re.search("could not write|Unable to write|not all records were written", run.stdout)
    assert run.stdout.count("\n") == 1, "one sentence"
    assert path.read_text() == "old"
    assert [child.name for child in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx", "sav"])
def test_an_interrupt_leaves_the_old_file_and_no_draft(save: Save, ending: str) -> None:
    path = save("old", f"out.{ending}")
    rows = 200_000 if ending == "xlsx" else 3_000_000
    with subprocess.Popen(
        script(INTERRUPTED, path, rows), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        while len(list(path.parent.iterdir())) < 2 and run.poll() is None:
            time.sleep(0.001)  # until there is a draft
        run.send_signal(signal.SIGINT)
        out, errors = run.communicate(timeout=60)
    assert errors == ""
    assert out == "interrupted\n"
    assert path.read_text() == "old"
    assert [child.name for child in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, ValueError])
def test_trouble_while_writing_passes_on_and_leaves_nothing(
    tmp_path: Path, trouble: type[BaseException]
) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")

    def write() -> None:
        with writing(target, overwrite=True) as draft:
            draft.write_text("half")
            raise trouble

    with pytest.raises(trouble):
        write()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_cannot_be_written_is_reported_with_the_reason(tmp_path: Path) -> None:
    def write() -> None:
        with writing(tmp_path / "out.txt"):
            raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match=r"could not write '.*out.txt': No space left on device;"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    data = sudare.read(pl.DataFrame({"a": np.arange(3)}))
    for ending in ("csv", "parquet", "xlsx", "sav"):
        path = sudare.write(data, tmp_path / f"out.{ending}")
        path.chmod(0o600)
        sudare.write(data, path, overwrite=True)
        assert path.stat().st_mode & 0o777 == 0o600


def test_the_file_that_a_link_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "out.csv", tmp_path / "out.csv"
    real.write_text("old")
    real.chmod(0o755)
    link.symlink_to(real)
    data = sudare.read(pl.DataFrame({"a": [1]}))
    sudare.write(data, link, overwrite=True)
    assert link.is_symlink()
    assert real.read_text() == "a\n1\n"
    assert real.stat().st_mode & 0o777 == 0o644  # a table is no program
    sudare.write(data, link, overwrite=True, private=True)
    assert real.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("has_links", [True, False])
def test_what_another_command_wrote_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not has_links:
        monkeypatch.setattr("os.link", refused)
    monkeypatch.chdir(tmp_path)
    path = Path("out.txt")

    def write() -> None:
        with writing(path) as draft:
            draft.write_text("second")
            with writing(path) as faster:
                faster.write_text("first")

    with pytest.raises(OutputError, match=r"^'out\.txt' exists"):
        write()
    assert path.read_text() == "first"
    assert list(Path().iterdir()) == [path]


def test_names_as_long_as_the_system_allows_can_be_written(tmp_path: Path) -> None:
    data = sudare.read(pl.DataFrame({"a": [1]}))
    path = tmp_path / ("調" * 83 + ".csv")
    assert sudare.read(sudare.write(data, path)).rows == 1
