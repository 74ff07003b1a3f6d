"""Rules of an organizer's own: a file of Python, run only in processes with limits."""

import sys
from pathlib import Path

import pytest

from sudare.contest import Contest, ContestLimits, ContestRules
from sudare.contest.rulebooks.loading import package_for
from sudare.core import InputError, SudareError, speaking
from tests.contest.conftest import PASSWORD
from tests.contest.working import working

PACKAGE = '''
"""A contest of short lists: the fewer lines the better, and who guesses how many has hit."""

from sudare.contest import FileKind, Handout, RuleBook, RulePackage
from sudare.core import language

class Lines(RulePackage):
    def describe(self):
        title = {"en": "List", "ja": "一覧"}[language()]
        return RuleBook(
            summary="Short lists win.",
            score_title="Lines",
            handouts=(Handout(name="words", title="Words", own=True),),
            files=(
                FileKind(name="mask", title=title, at_once=("score",)),
                FileKind(name="count", title="Count", examples=("3",), at_once=("named",)),
            ),
        )

    def prepare(self, source, folder, *, seats, secret):
        for seat in range(1, seats + 1):
            (folder / str(seat)).mkdir()
            text = f"word {seat}\\n" * self.rules.settings["lines"]
            (folder / str(seat) / "words.csv").write_text(text)

    def evaluate(self, kind, task):
        text = task.file.read_text()
        if "loop" in text:
            while True:
                pass
        if "crash" in text:
            raise RuntimeError("broken rules")
        if kind == "mask":
            task.outputs[0].write_text(text)
            return {"result": {"score": float(len(text.splitlines())), "parts": {}}}
        right = len(task.outputs[0].read_text().splitlines()) == int(text)
        return {"result": {"named": 1, "right": int(right), "needed": 1, "effective": right}}

RULES = Lines
'''


def rules_of(path: Path, text: str = PACKAGE) -> ContestRules:
    (path / "lines_rules.py").write_text(text, encoding="utf-8")
    (path / "rules.toml").write_text(
        'subject = "lines_rules.py"\nrounds = ["final"]\nsettings = {lines = 2}\n'
        "limits = {teams = 3, seconds = 1}\n"
    )
    return ContestRules.read(path / "rules.toml")


def test_a_contest_by_an_organizers_rules(tmp_path: Path) -> None:
    rules = rules_of(tmp_path)
    with (
        Contest.create(tmp_path / "contest", rules, password=PASSWORD) as contest,
        working(contest) as drained,
    ):
        (tmp_path / "lines_rules.py").unlink()  # the contest has its own copy
        alpha, beta = (contest.register(name, PASSWORD) for name in ("alpha", "beta"))
        contest.close_phase()
        assert contest.file(beta, "final/words/beta").path.read_text() == "word 2\n" * 2
        (tmp_path / "A.csv").write_text("a\nb\nc\n")
        contest.accept_mask(alpha, tmp_path / "A.csv", "A.csv")
        drained()
        [entry] = contest.entries(alpha)
        assert (entry.status, entry.score) == ("accepted", 3.0)
        contest.close_phase()
        (tmp_path / "F.csv").write_text("3")
        contest.accept_attack(beta, "alpha", tmp_path / "F.csv", "F.csv")
        drained()
        [hit] = contest.hits(contest.referee(), "final")
        assert (hit.kind, hit.effective) == ("count", True)
        with speaking("ja"):
            assert contest.book().files[0].title == "一覧"
    assert "sudare_contest_rules" not in sys.modules, "the rules never ran in this process"


def test_rules_that_loop_or_crash_refuse_the_file_and_nothing_else(tmp_path: Path) -> None:
    with (
        Contest.create(tmp_path / "contest", rules_of(tmp_path), password=PASSWORD) as contest,
        working(contest) as drained,
    ):
        team = contest.register("alpha", PASSWORD)
        contest.close_phase()
        for text in ("loop", "fine"):
            (tmp_path / "A.csv").write_text(text)
            contest.accept_mask(team, tmp_path / "A.csv", "A.csv")
        drained()
        [fine, loop] = contest.entries(team)
        assert (fine.status, loop.status) == ("accepted", "refused")
        assert "too long" in str(loop.problems[0])


@pytest.mark.parametrize(
    "text",
    [
        "RULES = 3",
        "raise SystemExit(0)",
        "import os\nos.kill(os.getpid(), 9)",
        "this is no Python",
        PACKAGE.replace("title = {", "title = bytearray(1 << 40) or {"),
        PACKAGE.replace('name="count"', 'name="a/b"'),
    ],
    ids=["no rules", "ends", "dies", "no Python", "memory", "name"],
)
def test_a_package_that_cannot_be_used_is_refused_when_the_contest_is_made(
    tmp_path: Path, text: str
) -> None:
    rules = rules_of(tmp_path, text)
    with pytest.raises(SudareError):
        package_for(rules).describe()
    with pytest.raises(SudareError):
        Contest.create(tmp_path / "contest", rules, password=PASSWORD)
    assert not (tmp_path / "contest").exists()


def test_rules_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no rules"):
        ContestRules(subject=str(tmp_path / "none.py"))
    with pytest.raises(SudareError, match="history"):
        ContestRules(subject="histroy", limits=ContestLimits())
