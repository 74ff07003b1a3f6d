"""The journal: steps without end, and whatever a crash leaves of it."""

from pathlib import Path

from hypothesis import given, strategies as st

from sudare.core import Message
from sudare.workbench.projects import Journal

SAVED = Message("Saved.")


def filled(path: Path, texts: int) -> Journal:
    journal = Journal(path)
    for number in range(texts):
        journal.add("edited", SAVED, f"text {number}", at=float(number))
    return journal


def test_all_steps_come_back_after_a_restart(tmp_path: Path) -> None:
    journal = filled(tmp_path / "a.jsonl", 5)
    journal.move(2)
    again = Journal(tmp_path / "a.jsonl")
    assert again.steps == journal.steps
    assert again.current == journal.steps[2]
    assert [step.number for step in again.line()] == [0, 1, 2, 3, 4]


def test_a_new_step_after_undo_takes_the_place_of_those_undone(tmp_path: Path) -> None:
    journal = filled(tmp_path / "a.jsonl", 3)
    journal.move(0)
    journal.add("edited", SAVED, "another way", at=9.0)
    assert [step.text for step in journal.line()] == ["text 0", "another way"]


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    filled(tmp_path / "folder" / "a.jsonl", 1)
    assert (tmp_path / "folder" / "a.jsonl").stat().st_mode & 0o077 == 0


def test_a_line_that_a_crash_cut_short_is_as_if_it_had_never_been(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    filled(path, 3)
    whole = path.read_bytes()
    last = len(whole) - whole[:-1].rindex(b"\n") - 1
    for lost in range(1, last):
        path.write_bytes(whole[:-lost])
        journal = Journal(path)
        # Without its line end the last line is still whole.
        assert len(journal.steps) == (3 if lost == 1 else 2)
        journal.add("edited", SAVED, "afterwards", at=0.0)
        assert Journal(path).steps == journal.steps


def test_a_journal_of_another_version_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for content in ('{"kind": "edited"}\n', '{"kind": "moved", "to": 7}\n[]\n', "3\n"):
        path.write_text(content, encoding="utf-8")
        assert Journal(path).steps == []
        assert path.with_suffix(".unreadable").read_text(encoding="utf-8") == content
        assert not path.exists()


def test_a_clock_that_goes_back_changes_nothing(tmp_path: Path) -> None:
    journal = filled(tmp_path / "a.jsonl", 2)
    journal.add("edited", SAVED, "yesterday", at=-86_400.0)
    assert journal.line()[-1].text == "yesterday"
    assert Journal(journal.path).current == journal.current


def test_a_job_that_never_ended_is_remembered(tmp_path: Path) -> None:
    journal = filled(tmp_path / "a.jsonl", 1)
    journal.start_job("a", SAVED)
    journal.start_job("b", SAVED)
    journal.end_job("a")
    assert list(Journal(journal.path).started_jobs) == ["b"]


@given(st.lists(st.one_of(st.just("edit"), st.integers(0, 30)), max_size=15))
def test_undo_and_redo_walk_along_one_line(moves: list[str | int]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        journal = filled(Path(folder, "a.jsonl"), 1)
        for number, move in enumerate(moves):
            if move == "edit":
                journal.add("edited", SAVED, f"step {number}", at=0.0)
            else:
                journal.move(int(move) % len(journal.steps))
            line = [step.number for step in journal.line()]
            assert line == sorted(set(line))
            assert journal.position in line
            parents = [journal.steps[step].parent for step in line]
            assert parents == [None, *line[:-1]]
