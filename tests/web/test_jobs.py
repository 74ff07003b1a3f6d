"""Long work: queue, progress, cancellation, and what becomes of processes."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import APIRouter
from starlette.responses import Response

from sudare.core import InputError, say, speaking
from sudare.web import JobQueue, create_application, job_event_response, job_summary
from tests.web import work
from tests.web.conftest import Browser, SmallSite


@pytest.fixture
def jobs() -> Iterator[JobQueue]:
    queue = JobQueue()
    yield queue
    queue.close()


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def descendants(pid: int) -> Iterator[int]:
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (thread / "children").read_text().split()):
            yield child
            yield from descendants(child)


def ended(*pids: int) -> bool:
    end = time.monotonic() + 60
    while any(map(is_running, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(is_running, pids))


def test_a_job_reports_and_returns_its_result(jobs: JobQueue) -> None:
    submitted = jobs.submit("sum", work.add, 1, 2, 3)
    assert (submitted.state, submitted.share) == ("waiting", 0.0)
    done = jobs.wait(submitted.id)
    assert (done.state, done.share, done.result) == ("done", 1.0, 6)
    assert done.stage == "Progress"


def test_errors_for_users_are_kept_and_said_in_their_language(jobs: JobQueue) -> None:
    job = jobs.wait(jobs.submit("x", work.refuse).id)
    assert job.state == "failed"
    assert job_summary(job)["error"] == "contest: title must be text."
    with speaking("ja"):
        assert "title" in job_summary(job)["error"]
        assert "must be" not in job_summary(job)["error"]


@pytest.mark.parametrize(
    ("function", "logged"), [(work.stumble, "sudare: ValueError in work.py:"), (work.die, "")]
)
def test_faults_end_the_job_and_tell_no_value(
    jobs: JobQueue, capfd: pytest.CaptureFixture[str], function: object, logged: str
) -> None:
    assert callable(function)
    job = jobs.wait(jobs.submit("x", function).id)
    assert job.state == "failed"
    assert "unexpectedly" in str(job.error)
    log = capfd.readouterr().err
    assert logged in log
    assert "cell" not in log
    assert jobs.wait(jobs.submit("sum", work.add, 1).id).result == 1


def test_cancelled_work_ends_with_all_it_has_started(jobs: JobQueue, tmp_path: Path) -> None:
    running = jobs.submit("sleep", work.sleep, tmp_path / "pids")
    waiting = jobs.submit("sum", work.add, 1)
    assert jobs.wait(running.id, after=1).share == 0.1
    pids = [int(word) for word in (tmp_path / "pids").read_text().split()]
    assert jobs.cancel(waiting.id).state == "cancelled"
    assert jobs.cancel(running.id).state == "cancelled"
    assert ended(*pids)
    assert jobs.wait(jobs.submit("sum", work.add, 2).id).result == 2
    assert jobs.job(waiting.id).result is None


def test_jobs_run_in_turn_or_side_by_side(tmp_path: Path) -> None:
    queue = JobQueue(workers=2)
    slow = queue.submit("wait", work.wait_for, tmp_path / "go")
    quick = queue.submit("sum", work.add, 1)
    assert queue.wait(quick.id).state == "done"
    assert queue.wait(slow.id, after=1).state == "running"
    (tmp_path / "go").touch()
    assert queue.wait(slow.id).result is True
    queue.close()


def test_jobs_that_are_over_are_forgotten_at_last() -> None:
    queue = JobQueue(remembered=1)
    first, *_, third = [queue.wait(queue.submit("sum", work.add, n).id) for n in (1, 2, 3)]
    last = queue.submit("sum", work.add, 4)
    assert {job.id for job in queue.jobs()} >= {third.id, last.id}
    with pytest.raises(InputError):
        queue.job(first.id)
    queue.close()


def test_work_ends_with_a_server_that_was_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from sudare.web import JobQueue\n"
        "from tests.web import work\n"
        "if __name__ == '__main__':\n"
        "    JobQueue().submit('wait', work.wait_for, Path(sys.argv[1]) / 'go')\n"
        "    time.sleep(600)\n"
    )
    (tmp_path / "server.py").write_text(program)
    root = Path(__file__).parents[2]
    path = os.pathsep.join((str(root / "src"), str(root)))
    command = [sys.executable, str(tmp_path / "server.py"), str(tmp_path)]
    server = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path})
    end, started = time.monotonic() + 60, set[int]()
    while len(started) < 3 and time.monotonic() < end:  # resource tracker, forking process, job
        started = set(descendants(server.pid))
        time.sleep(0.05)
    assert len(started) == 3
    server.kill()
    server.wait()
    assert ended(*started)


def test_a_page_is_told_every_change(jobs: JobQueue, site: SmallSite, tmp_path: Path) -> None:
    router = APIRouter()

    @router.get("/jobs/{job_id}/events")
    def events(job_id: str) -> Response:
        return job_event_response(jobs, job_id)

    app = create_application(site, [router], title="x", summary="x", static=tmp_path)
    job = jobs.submit("sum", work.add, 4)
    browser = Browser(app)
    answer = browser.get(f"/jobs/{job.id}/events", headers={"accept-language": "ja"})
    assert browser.get("/jobs/none/events").status_code == 400
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = [json.loads(line[5:]) for line in answer.text.splitlines() if line.startswith("data:")]
    assert told[-1]["state"] == "done"
    with speaking("ja"):
        assert told[-1]["stage"] == say("Progress") != "Progress"
    assert "result" not in told[-1]
