"""The progress of a job for its page: as server-sent events, or as JSON where they are blocked."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import StreamingResponse

from sudare.core import say
from sudare.web.jobs.job_queue import Job, JobQueue

_LOOK_SECONDS = 0.2  # between two looks at the job
_KEEP_ALIVE_LOOKS = 75  # after which proxies see that the connection is alive


def job_summary(job: Job) -> dict[str, Any]:
    """Return what a page shows of a job, in the language of the request; not its result."""
    return {
        "id": job.id,
        "kind": job.kind,
        "state": job.state,
        "share": job.share,
        "stage": say(job.stage) if job.stage else "",
        "error": "" if job.error is None else str(job.error),
    }


def job_event_response(jobs: JobQueue, job_id: str) -> StreamingResponse:
    """Return a response that tells every change of a job until it is over."""
    jobs.job(job_id)  # refused here, not in the middle of a response
    return StreamingResponse(_events(jobs, job_id), media_type="text/event-stream")


async def _events(jobs: JobQueue, job_id: str) -> AsyncIterator[str]:
    job, known, looks = jobs.job(job_id), -1, 0
    while True:
        if job.version != known:
            known, looks = job.version, 0
            yield f"id: {job.version}\ndata: {json.dumps(job_summary(job))}\n\n"
        elif looks % _KEEP_ALIVE_LOOKS == 0:
            yield ":\n\n"
        if job.is_over:
            return
        await asyncio.sleep(_LOOK_SECONDS)
        job, looks = jobs.job(job_id), looks + 1
