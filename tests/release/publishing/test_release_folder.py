"""The folder of a release: what goes wrong while it is written harms nothing that was there."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sudare.core import OutputError
from sudare.engine.formats import writing
from sudare.release.publishing import release_folder
from sudare.release.publishing.release_folder import write_folder


def report(text: str) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        with writing(folder / "report.html") as draft:
            draft.write_text(text)

    return fill


def fail(folder: Path) -> None:
    with writing(folder / "report.html") as draft:
        raise OSError(28, os.strerror(28), str(draft))


def test_a_file_that_cannot_be_written_is_called_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as refused:
        write_folder(tmp_path / "release", fail, overwrite=False)
    assert str(tmp_path / "release" / "report.html") in str(refused.value)
    assert ".sudare-" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", [1, 2])
def test_an_old_release_stays_when_its_replacement_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    target = write_folder(tmp_path / "release", report("old"), overwrite=False)
    monkeypatch.setattr(release_folder, "_exchanged", lambda *_: False)  # as on other machines
    real, calls = Path.rename, []

    def interrupted(path: Path, other: Path) -> Path:
        calls.append(path)
        moved = real(path, other)
        if len(calls) == call:
            raise KeyboardInterrupt
        return moved

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_folder(target, report("new"), overwrite=True)
    assert (target / "report.html").read_text() == ("old" if call == 1 else "new")
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform != "linux", reason="others cannot exchange two folders at once")
def test_there_is_a_release_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = write_folder(tmp_path / "release", report("old"), overwrite=False)
    real, stands = Path.rename, []

    def watched(path: Path, other: Path) -> Path:
        moved = real(path, other)
        stands.append(target.exists())
        return moved

    monkeypatch.setattr(Path, "rename", watched)
    write_folder(target, report("new"), overwrite=True)
    assert all(stands)
    assert (target / "report.html").read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["masked.original.csv", "report/draft.docx", "notes.txt"])
def test_a_folder_with_files_of_others_is_never_replaced(tmp_path: Path, name: str) -> None:
    target = write_folder(tmp_path / "release", report("old"), overwrite=False)
    other = target / name
    other.parent.mkdir(exist_ok=True)
    other.write_text("theirs")
    with pytest.raises(OutputError, match="holds other files"):
        write_folder(target, report("new"), overwrite=True)
    assert other.read_text() == "theirs"


def test_a_folder_that_appears_meanwhile_is_not_replaced_unasked(tmp_path: Path) -> None:
    target = tmp_path / "release"

    def slowly(folder: Path) -> None:
        write_folder(target, report("first"), overwrite=False)
        report("second")(folder)

    with pytest.raises(OutputError, match="release' exists; choose another name"):
        write_folder(target, slowly, overwrite=False)
    assert (target / "report.html").read_text() == "first"
    assert list(tmp_path.iterdir()) == [target]
