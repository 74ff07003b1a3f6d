"""The queue, on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from sudare.contest import Contest, Phase
from sudare.contest.scoring.evaluation_queue import LEASE_SECONDS, EvaluationJob, Verdict
from sudare.contest.storage.database import Base, JobRow, ResultRow
from sudare.transactions import History, MaskedHistory, write_masked
from tests.contest.conftest import MakeContest
from tests.contest.test_accounts import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def busy(make_contest: MakeContest, history: History, clock: Clock) -> Contest:
    """A contest with eight files that wait."""
    contest = make_contest("alpha", clock=clock)
    contest.open_phase(Phase.FINAL_MASKING)
    path = contest.folder.parent / "A.csv"
    write_masked(MaskedHistory.of(history), path)
    for number in range(8):
        contest.accept_mask(contest.teams()[0], path, f"{number}.csv")
    return contest


def test_the_tables_that_migrations_make_are_those_of_the_models(
    make_contest: MakeContest,
) -> None:
    contest = make_contest()
    contest.database.migrate()  # a second time changes nothing
    with contest.database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_of_many_workers_each_job_goes_to_one(busy: Contest) -> None:
    def take(worker: int) -> list[int]:
        taken = []
        while job := busy.jobs.claim(f"worker {worker}"):
            taken.append(job.id)
        return taken

    with ThreadPoolExecutor(4) as pool:
        taken = sorted(job for jobs in pool.map(take, range(4)) for job in jobs)
    assert taken == list(range(1, 9))
    assert busy.progress().running == 8


def test_files_are_taken_in_the_order_of_their_arrival(busy: Contest) -> None:
    jobs = [busy.jobs.claim("one") for _ in range(3)]
    assert [job.entry_id for job in jobs if job] == [1, 2, 3]


def test_the_job_of_a_silent_worker_is_taken_again(busy: Contest, clock: Clock) -> None:
    first = claimed(busy, "one")
    clock.now += LEASE_SECONDS - 1
    assert busy.jobs.heartbeat(first)
    clock.now += LEASE_SECONDS - 1
    assert claimed(busy, "two").id == 2
    clock.now += 2
    again = claimed(busy, "three")
    assert (again.id, again.attempts) == (1, 2)
    assert not busy.jobs.heartbeat(first)


def test_a_worker_that_comes_back_late_writes_nothing(busy: Contest, clock: Clock) -> None:
    late = claimed(busy, "late")
    clock.now += LEASE_SECONDS + 1
    second = claimed(busy, "second")
    assert busy.jobs.finish(second, Verdict({"score": 0.2}))
    assert not busy.jobs.finish(late, Verdict({"score": 0.9}))
    assert not busy.jobs.give_up(late, Verdict())
    assert scores(busy) == [0.2]


def test_a_worker_that_was_overtaken_by_itself_writes_nothing(busy: Contest, clock: Clock) -> None:
    late = claimed(busy, "same")
    clock.now += LEASE_SECONDS + 1
    assert claimed(busy, "same").attempts == 2
    assert not busy.jobs.finish(late, Verdict({"score": 0.9}))


def test_the_database_itself_refuses_a_second_result(busy: Contest) -> None:
    job = claimed(busy, "one")
    busy.jobs.finish(job, Verdict({"score": 0.2}))
    again = insert(ResultRow).values(job_id=job.id, entry_id=1, kind="mask", content={})
    with pytest.raises(IntegrityError), busy.database.writing() as session:
        session.execute(again)
    with pytest.raises(IntegrityError), busy.database.writing() as session:
        session.add(JobRow(kind="mask", entry_id=1, status="queued", created=0.0))
    assert scores(busy) == [0.2]


def test_a_job_that_is_put_back_can_be_taken_as_if_new(busy: Contest) -> None:
    busy.jobs.release(claimed(busy, "one"), attempts=0)
    assert claimed(busy, "two").attempts == 1


def test_a_job_that_pauses_is_taken_by_nobody_meanwhile(busy: Contest, clock: Clock) -> None:
    busy.jobs.release(claimed(busy, "one"), attempts=0, pause=5.0)
    assert busy.progress().queued == 8
    assert claimed(busy, "two").id == 2, "the others do not wait for it"
    clock.now += 6
    again = claimed(busy, "three")
    assert (again.id, again.attempts) == (1, 1)


def test_statistics_come_after_files_and_once(busy: Contest) -> None:
    assert busy.jobs.request("statistics", [1, 2]) == 2
    assert busy.jobs.request("statistics", [1, 2, 3]) == 1
    kinds = []
    while job := busy.jobs.claim("one"):
        kinds.append(job.kind)
    assert kinds == ["mask"] * 8 + ["statistics"] * 3


def test_a_refused_file_says_why(busy: Contest) -> None:
    kept = {"line": 3, "column": "date", "template": "there is no such day.", "facts": {}}
    busy.jobs.finish(claimed(busy, "one"), Verdict(problems=(kept,), problem_count=7))
    entry = busy.entries(busy.teams()[0])[-1]
    assert (entry.status, entry.problem_count) == ("refused", 7)
    assert [str(problem) for problem in entry.problems] == ["line 3, date: there is no such day."]


def claimed(contest: Contest, worker: str) -> EvaluationJob:
    job = contest.jobs.claim(worker)
    assert job is not None
    return job


def scores(contest: Contest) -> list[float]:
    with contest.database.reading() as session:
        count = session.scalar(select(func.count()).select_from(ResultRow))
        scores = [content["score"] for content in session.scalars(select(ResultRow.content))]
    assert count == len(scores)
    return scores
