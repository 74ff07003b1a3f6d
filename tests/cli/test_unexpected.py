"""What goes wrong in a command is one line and an exit code; what is confidential stays so."""

import errno
import os
import stat
from pathlib import Path

import pytest

from sudare import release
from tests.cli.test_cli import leave

PLANTED = "planted value of a cell"
KEYS = ("-k", "region", "-k", "education", "--identifier", "id")
# What the gate finds in this table and its custodian accepts; households and weights are repaired.
PASS = (
    *("--household", "household", "--weights", "weight"),
    *("--confirm", "exact-numbers:age", "--confirm", "exact-numbers:income"),
    *("--confirm", "undeclared-key:sex,age,occupation,region,education"),
)


def fail(*_: object, **__: object) -> None:
    raise KeyError(PLANTED)


def test_an_unexpected_error_is_one_line_with_a_number_and_no_value(
    survey: Path, recipe: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "outgoing", fail)
    words = ("mask", survey, "-o", survey.with_name("m.csv"), *KEYS, "--recipe", recipe)
    said = []
    for _ in range(2):
        assert leave(*words) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    *notes, last = said[0].splitlines()
    assert last.startswith("sudare: unexpected error ")
    assert all(note.startswith("survey.csv: ") for note in notes)  # of the reading
    assert PLANTED not in said[0]
    assert leave(*words, "--debug") == 2
    assert PLANTED in capsys.readouterr().err


def test_a_read_only_file_system_is_named_as_such(
    survey: Path, recipe: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = survey.with_name("read-only")
    folder.mkdir()

    def refusing(function: str) -> None:
        real = getattr(os, function)

        def refuse(path: object, *args: object, **kwargs: object) -> object:
            writes = function != "open" or (args and isinstance(args[0], int) and args[0] & 3)
            if writes and str(path).startswith(str(folder)):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
            return real(path, *args, **kwargs)

        monkeypatch.setattr(os, function, refuse)

    for function in ("open", "unlink", "mkdir"):
        refusing(function)
    words = (*KEYS, *PASS, "--recipe", recipe)
    assert leave("mask", survey, "-o", folder / "m.csv", *words) == 2
    said = capsys.readouterr().err.splitlines()
    assert "Read-only file system" in said[-1]
    release = folder / "release"
    assert leave("report", survey, *words, "--folder", release) == 2
    said = capsys.readouterr().err.splitlines()
    assert "Read-only file system" in said[-1]
    assert "Traceback" not in "".join(said)


@pytest.mark.parametrize("content", ["", 'name = "nothing"\n'])
def test_an_empty_recipe_releases_nothing(
    survey: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = survey.with_name("empty.toml")
    recipe.write_text(content, encoding="utf-8")
    output, folder = survey.with_name("m.csv"), survey.with_name("release")
    words = (*KEYS, *PASS, "--recipe", recipe)
    assert leave("mask", survey, "-o", output, *words) == 1
    assert leave("report", survey, *words, "--folder", folder) == 1
    assert capsys.readouterr().err.count("[nothing-masked]") == 2
    assert not output.exists()
    assert not folder.exists()


def test_a_recipe_that_changes_nothing_releases_nothing(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, folder = survey.with_name("m.csv"), survey.with_name("release")
    recipe = survey.with_name("idle.toml")
    recipe.write_text('[[steps]]\nmethod = "pram"\nretain = 1.0\n', encoding="utf-8")
    words = (*KEYS, *PASS, "--recipe", recipe)
    assert leave("mask", survey, "-o", output, *words) == 1
    assert leave("report", survey, *words, "--folder", folder) == 1
    assert capsys.readouterr().err.count("changed no value") == 2
    assert not output.exists()
    assert not folder.exists()


def test_an_output_that_is_the_input_is_refused_by_any_name(survey: Path, recipe: Path) -> None:
    before = survey.read_bytes()
    linked, hard = survey.with_name("link.csv"), survey.with_name("hard.csv")
    linked.symlink_to(survey)
    hard.hardlink_to(survey)
    roundabout = survey.parent / "." / ".." / survey.parent.name / survey.name
    for output in (survey, linked, hard, roundabout, recipe):
        words = ("mask", survey, "-o", output, *KEYS, "--recipe", recipe, "--force")
        assert leave(*words) == 2
    release = ("report", survey, *KEYS, "--recipe", recipe, "--force")
    assert leave(*release, "--folder", survey.parent) == 2
    assert leave(*release, "--folder", survey.with_name("r"), "--internal", linked) == 2
    assert survey.read_bytes() == before


def test_the_internal_report_is_private(survey: Path, recipe: Path) -> None:
    internal, folder = survey.with_name("internal.html"), survey.with_name("release")
    internal.touch(mode=0o644)
    words = ("report", survey, *KEYS, *PASS, "--recipe", recipe, "--folder", folder)
    assert leave(*words, "--internal", internal, "--force") == 0
    assert stat.S_IMODE(internal.stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "report.html").stat().st_mode) & 0o444 != 0o400


def test_kept_results_are_private(survey: Path, recipe: Path) -> None:
    folder = survey.with_name("kept")
    assert leave("compare", survey, *KEYS, "--recipe", recipe, "--folder", folder) == 0
    kept = folder / "comparison.jsonl"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_pipe_is_refused_and_never_waited_for(
    survey: Path, recipe: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, toml = survey.with_name("pipe.csv"), survey.with_name("pipe.toml")
    os.mkfifo(pipe)
    os.mkfifo(toml)
    output = survey.with_name("m.csv")
    assert leave("mask", pipe, "-o", output, *KEYS, "--recipe", recipe) == 2
    assert leave("mask", survey, "-o", output, *KEYS, "--recipe", toml) == 2
    assert leave("describe", pipe) == 2
    assert leave("history", "check", pipe, survey) == 2
    assert capsys.readouterr().err.count("is a pipe") == 4
    assert leave("mask", survey, "-o", pipe, *KEYS, "--recipe", recipe, "--force") == 2
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("content", ["steps = 3", "steps = {a = 1}", "roles = 3", "scales = 'x'"])
def test_a_recipe_of_the_wrong_shape_is_refused_in_a_sentence(
    survey: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = survey.with_name("odd.toml")
    recipe.write_text(content, encoding="utf-8")
    assert leave("mask", survey, "-o", survey.with_name("m.csv"), "--recipe", recipe) == 2
    said = capsys.readouterr().err
    assert "unexpected" not in said
    assert "Traceback" not in said
