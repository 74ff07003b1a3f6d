"""Temporary folders: private, and swept up only when their process is gone."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sudare.core import OutputError
from sudare.engine.formats import Folder, UnnamedFile, remove_leftovers, temporary_name

LEAVE = """
import os, sys
from pathlib import Path
from sudare.engine.formats import temporary_name
folder = Path(sys.argv[1])
(folder / temporary_name()).mkdir()
(folder / f"{temporary_name()}.part").touch()
os._exit(1)
"""


def test_only_the_owner_can_read_a_temporary_folder(tmp_path: Path) -> None:
    with Folder(tmp_path) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_what_dead_processes_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", LEAVE, str(tmp_path)], check=False)
    assert len(list(tmp_path.iterdir())) == 2
    mine, others = tmp_path / temporary_name(), tmp_path / ".sudare-elsewhere-1-1-0"
    odd = tmp_path / ".sudare"
    for path in (mine, others, odd):
        path.mkdir()
    remove_leftovers(tmp_path)
    assert {*tmp_path.iterdir()} == {mine, others, odd}


def test_a_process_with_a_number_used_again_is_another_one(tmp_path: Path) -> None:
    prefix, machine, pid, started, token = temporary_name().split("-")
    assert int(pid) == os.getpid()
    old = tmp_path / "-".join((prefix, machine, pid, str(int(started) + 1), token))
    old.mkdir()
    remove_leftovers(tmp_path)
    assert not old.exists()


def test_a_folder_that_cannot_be_made_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="temporary folder"):
        Folder(tmp_path / "absent")


@pytest.mark.parametrize("kind", [Folder, UnnamedFile])
def test_no_other_disk_takes_the_place_of_the_one_that_was_chosen(
    kind: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "unmounted"))
    with pytest.raises(OutputError, match="unmounted"):
        kind()
