"""Pages of results, when many look at once and when a file could not be evaluated."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from sudare.contest import Contest, Phase
from sudare.contest.scoring.worker import Worker
from sudare.contest.site import leaderboard_pages
from sudare.contest.site.leaderboard_pages import CachedText
from tests.contest.site import material
from tests.contest.site.conftest import MakeHouse


@pytest.mark.parametrize("oldest", [0.0, 1000.0])
def test_a_page_that_many_want_at_once_is_made_once(
    monkeypatch: pytest.MonkeyPatch, oldest: float
) -> None:
    monkeypatch.setattr(leaderboard_pages, "FRESH_SECONDS", 100)
    monkeypatch.setattr(leaderboard_pages, "OLDEST_SECONDS", oldest)
    kept, start, made = CachedText(), Barrier(8), list[str]()

    def make() -> str:
        made.append(str(len(made)))
        time.sleep(0.1)
        return made[-1]

    def look(_: int) -> str:
        start.wait()
        return kept.text(make)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(look, range(8))) == {"0"}
        kept._made -= 200  # as if that had passed
        assert set(pool.map(look, range(8))) <= ({"1"} if oldest == 0 else {"0", "1"})
    assert made == ["0", "1"]


def test_the_last_page_will_do_while_a_new_one_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard_pages, "OLDEST_SECONDS", 1000)
    kept, meanwhile = CachedText(), list[str]()
    assert kept.text(lambda: "old") == "old"
    kept._made -= 200

    def make() -> str:
        meanwhile.append(kept.text(make))
        return "new"

    assert kept.text(make) == "new"
    assert meanwhile == ["old"]


def test_a_page_that_could_not_be_made_is_made_by_the_next() -> None:
    kept = CachedText()
    with pytest.raises(ZeroDivisionError):
        kept.text(lambda: str(1 / 0))
    assert kept.text(lambda: "page") == "page"


def test_nobody_has_won_while_an_attack_waits(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", "Saba", phase=Phase.FINAL_MASKING)
    contest = house.contest
    iwashi, saba = contest.teams()
    contest.accept_mask(saba, draft(contest, material.masked(3)), "A.csv")
    Worker(contest).run(until_idle=True)
    contest.open_phase(Phase.FINAL_ATTACK)
    contest.accept_attack(iwashi, "Saba", draft(contest, material.attack(3, wrong=11)), "F.csv")
    contest.open_phase(Phase.FINAL_RESULT)
    page = house.browser().get("/leaderboard").text
    assert "Files still being scored: 1." in page
    assert "Best file that nobody hit effectively" not in page
    assert house.browser().get("/api/results/final").json()["waiting"] == 1
    Worker(contest).run(until_idle=True)
    time.sleep(leaderboard_pages.FRESH_SECONDS)
    page = house.browser().get("/leaderboard").text
    assert "still being scored" not in page
    assert "Best file that nobody hit effectively" in page
    assert house.browser().get("/api/results/final").json()["waiting"] == 0


def draft(contest: Contest, content: bytes) -> Path:
    path = contest.store.draft()
    path.write_bytes(content)
    return path


def test_statistics_that_failed_are_shown_as_dashes(make_house: MakeHouse) -> None:
    house = make_house("Iwashi", "Saba", phase=Phase.FINAL_MASKING)
    contest = house.contest
    for shift, team in enumerate(contest.teams()):
        contest.accept_mask(team, draft(contest, material.masked(shift)), "A.csv")
    worker = Worker(contest)
    worker.run(until_idle=True)
    contest.open_phase(Phase.FINAL_RESULT)
    contest.request_statistics()
    page = house.browser().get("/statistics").text
    assert "Files still being scored: 2." in page
    job = contest.jobs.claim(worker.name)
    assert job is not None
    contest.store.path(contest.entry(contest.referee(), job.entry_id).file).write_text("broken")
    worker.handle(job)
    worker.run(until_idle=True)
    page = house.browser().get("/statistics").text
    assert "still being scored" not in page
    assert "Files that could not be scored: 1." in page
    assert '<td class="number">–</td>' in page
    told = house.browser().get("/api/statistics/final").json()
    assert (told["waiting"], told["failed"]) == (0, 1)
    assert {row["team"] for row in told["rows"] if row["rows"] is None} == {"Iwashi"}
