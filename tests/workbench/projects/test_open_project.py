"""An open project: no lost update, edits of an editor, undo at any length, crashes."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import sudare
from sudare.core import Message, SudareError
from sudare.workbench.projects import Journal, OpenProject, StaleError

SAVED = Message("Saved.")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    table = sudare.write(sudare.datasets.toy(), tmp_path / "people.csv")
    return sudare.Project.create(table).save().path


def opened(file: Path) -> OpenProject:
    return OpenProject(file, Journal(file.parent / "journal.jsonl"))


def set_role(project: OpenProject, role: str, revision: str | None = None) -> None:
    changes = {"columns": {"age": {"role": role}}}
    stated = project.revision if revision is None else revision
    project.edit(stated, lambda known: known.edited(changes), SAVED)


def test_a_step_is_in_the_file_at_once(file: Path) -> None:
    project = opened(file)
    set_role(project, "sensitive")
    assert sudare.Project.open(file).sections.columns["age"].role == "sensitive"
    assert [step.kind for step in project.journal.line()] == ["opened", "edited"]


def test_undo_and_redo_give_back_every_byte(file: Path) -> None:
    project = opened(file)
    texts = [file.read_bytes()]
    for number in range(12):
        set_role(project, ("sensitive", "other")[number % 2])
        texts.append(file.read_bytes())
    for text in texts[-2::-1]:
        project.undo(project.revision)
        assert file.read_bytes() == text
    assert not project.can_undo()
    for text in texts[1:]:
        project.redo(project.revision)
        assert file.read_bytes() == text
    assert not project.can_redo()


def test_a_second_tab_does_not_undo_what_the_first_did(file: Path) -> None:
    project = opened(file)
    seen_by_both = project.revision
    set_role(project, "sensitive", seen_by_both)
    with pytest.raises(StaleError, match=r"nothing was written.*Saved"):
        set_role(project, "other", seen_by_both)
    assert sudare.Project.open(file).sections.columns["age"].role == "sensitive"


def test_of_many_tabs_at_once_one_wins_and_all_others_are_told(file: Path) -> None:
    project = opened(file)
    revision, refused = project.revision, list[StaleError]()

    def tab(role: str) -> None:
        try:
            set_role(project, role, revision)
        except StaleError as error:
            refused.append(error)

    tabs = [threading.Thread(target=tab, args=(role,)) for role in ("sensitive", "other") * 4]
    for thread in tabs:
        thread.start()
    for thread in tabs:
        thread.join()
    assert len(refused) == len(tabs) - 1
    assert len(project.journal.steps) == 2


def test_what_an_editor_writes_appears_and_can_be_undone(file: Path) -> None:
    project = opened(file)
    before = file.read_text(encoding="utf-8")
    file.write_text(before + "\n# by hand\n", encoding="utf-8")
    assert project.current().text.endswith("# by hand\n")
    assert project.journal.current is not None
    assert project.journal.current.kind == "outside"
    project.undo(project.revision)
    assert file.read_text(encoding="utf-8") == before


def test_a_file_that_an_editor_broke_is_shown_as_it_was_and_not_written_over(file: Path) -> None:
    project = opened(file)
    sound = file.read_text(encoding="utf-8")
    file.write_text("[columns", encoding="utf-8")
    assert project.current().text == sound
    assert project.trouble is not None
    with pytest.raises(SudareError, match="TOML"):
        set_role(project, "sensitive")
    assert file.read_text(encoding="utf-8") == "[columns"
    project.restore()
    assert file.read_text(encoding="utf-8") == sound
    assert project.trouble is None


def test_work_that_a_crash_ended_is_told_once(file: Path) -> None:
    opened(file).start_job("a", SAVED)
    assert [str(title) for title in opened(file).lost_jobs] == ["Saved."]
    assert opened(file).lost_jobs == []


ENDLESS = """
import sys, itertools
from pathlib import Path
from tests.workbench.projects.test_open_project import opened, set_role
project = opened(Path(sys.argv[1]))
print("ready", flush=True)
for role in itertools.cycle(("sensitive", "other", "key")):
    set_role(project, role)
"""


def test_a_server_killed_while_it_saves_leaves_a_whole_project(file: Path) -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(file)],
        stdout=subprocess.PIPE,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.15)
        process.send_signal(signal.SIGKILL)
    reopened = sudare.Project.open(file)
    project = opened(file)
    assert project.current().text == reopened.text
    assert project.journal.current is not None
    assert project.journal.current.text == reopened.text
    set_role(project, "household")
    while project.can_undo():
        project.undo(project.revision)
    assert project.journal.current.number == 0


def test_a_full_disk_leaves_the_project_as_it_was_and_says_so(file: Path) -> None:
    before = file.read_bytes()
    script = """
import resource, signal, sys
from pathlib import Path
from sudare.core import OutputError
from tests.workbench.projects.test_open_project import opened, set_role

project = opened(Path(sys.argv[1]))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # no file may grow, as on a full disk
try:
    set_role(project, "sensitive")
except OutputError as error:
    print("refused:", error)
"""
    told = subprocess.run(
        [sys.executable, "-c", script, str(file)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SUDARE_LANG": "en"},
        cwd=Path(__file__).parents[3],
    )
    assert told.stdout.startswith("refused: could not write"), told.stderr
    assert file.read_bytes() == before
    assert opened(file).current().sections.columns["age"].role != "sensitive"
