"""Rules that hand out or answer what they should not: refused, and nothing else suffers."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sudare.contest import Contest, ContestRules, EvaluationTask, RuleBook, RulePackage
from sudare.contest.rulebooks import is_result
from sudare.contest.storage import FileStore, prepare_round
from sudare.core import InputError
from tests.contest.conftest import PASSWORD
from tests.contest.rulebooks.test_organizer_package import PACKAGE, rules_of
from tests.contest.working import working

PUBLISH = "task.outputs[0].write_text(text)"


class Handing(RulePackage):
    """Rules that hand out one file to the first seat as they should, and another thing."""

    other: Callable[[Path], object] = staticmethod(lambda _: None)

    def describe(self) -> RuleBook:
        raise NotImplementedError

    def prepare(self, source: Path | None, folder: Path, *, seats: int, secret: bytes) -> None:
        (folder / "1").mkdir()
        (folder / "1" / "words.csv").write_text("word\n")
        self.other(folder)

    def evaluate(self, kind: str, task: EvaluationTask) -> dict[str, object]:
        raise NotImplementedError


@pytest.mark.parametrize(
    "other",
    [
        lambda folder: (folder / "1" / "more.csv").symlink_to("/etc/hostname"),
        lambda folder: (folder / "1" / "more.csv").mkdir(),
        lambda folder: (folder / "1" / "words.exe").write_text(""),
        lambda folder: (folder / "1" / "a b.csv").write_text(""),
        lambda folder: (folder / "secret").mkdir(),
        lambda folder: (folder / "7").mkdir(),
        lambda folder: (folder / "2").symlink_to("/"),
        lambda folder: (folder / "link.csv").symlink_to("/proc/self/environ"),
        lambda folder: os.mkfifo(folder / "pipe.csv"),
    ],
)
def test_only_plain_files_for_the_seats_are_handed_out(
    tmp_path: Path, other: Callable[[Path], object]
) -> None:
    package = Handing(ContestRules())
    store = FileStore(tmp_path / "store")
    assert list(prepare_round(package, None, store, 3, b"").seats[0]) == ["words"]
    package.other = other
    with pytest.raises(InputError, match="hand out"):
        prepare_round(package, None, store, 3, b"")


HOSTILE = PACKAGE.replace(
    PUBLISH,
    """
            name = text.strip()
            if name == "link":
                task.outputs[0].unlink()
                task.outputs[0].symlink_to(task.data["words"])
                return {"result": {"score": 1.0, "parts": {}}}
            if name == "leave":
                import os
                os._exit(0)
            if name == "absent":
                open("/nowhere/at/all")
            if name == "large":
                with task.outputs[0].open("wb") as file:
                    file.truncate(1 << 40)
            if name == "nan":
                return {"result": {"score": float("nan"), "parts": {}}}
            if name == "html":
                return {"result": {"score": "<script>", "parts": {}}}
            task.outputs[0].write_text(text)
""",
)
EVIL = ("link", "leave", "absent", "large", "nan", "html")


def test_what_hostile_rules_answer_is_refused_and_the_next_file_is_scored(tmp_path: Path) -> None:
    with (
        Contest.create(tmp_path / "contest", rules_of(tmp_path, HOSTILE), password=PASSWORD) as c,
        working(c) as drained,
    ):
        team = c.register("alpha", PASSWORD)
        c.close_phase()
        for text in (*EVIL, "fine"):
            (tmp_path / "A.csv").write_text(text)
            c.accept_mask(team, tmp_path / "A.csv", "A.csv")
        drained()
        statuses = [entry.status for entry in reversed(c.entries(team))]
        assert statuses == [*["refused"] * len(EVIL), "accepted"]
        [line] = c.leaderboard(c.referee(), "final")
        assert (line.team, line.score) == ("alpha", 1.0)
        assert list(c.store.incoming.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        ("mask", None),
        ("mask", {}),
        ("mask", {"result": 3}),
        ("mask", {"result": {"score": True, "parts": {}}}),
        ("mask", {"result": {"score": 1.0}}),
        ("mask", {"result": {"score": 1.0, "parts": {"a": float("inf")}}}),
        ("mask", {"result": {"score": 1.0, "parts": {str(n): 0 for n in range(101)}}}),
        ("mask", {"result": {"score": 1.0, "parts": {}, "missed": "k"}}),
        ("mask", {"problems": [], "count": 0}),
        ("mask", {"problems": [{"line": 1}], "count": 1}),
        (
            "mask",
            {
                "problems": [{"line": 1, "column": "", "template": "{a.b}", "facts": {"a": 1}}],
                "count": 1,
            },
        ),
        ("attack", {"result": {"named": 1}}),
        ("attack", {"result": {"named": -1, "effective": True}}),
        ("attack", {"result": {"named": 1, "effective": 1}}),
        ("attack", {"result": {"named": 1, "effective": True, "success": 1.5}}),
    ],
)
def test_results_that_are_none_are_recognized(kind: str, result: object) -> None:
    assert not is_result(kind, result)
