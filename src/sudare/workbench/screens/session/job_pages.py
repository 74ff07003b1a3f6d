"""Long work: its progress as events or by asking again, and its end before its time."""

from fastapi import APIRouter, Response
from starlette.responses import JSONResponse

from sudare.web import job_event_response, job_summary, local_path, redirect_after_form
from sudare.workbench.screens.parameters import CurrentSite, Fields

routes = APIRouter(prefix="/jobs/{job_id}")


@routes.get("/events")
def events(site: CurrentSite, job_id: str) -> Response:
    """Tell every change of a job until it is over."""
    return job_event_response(site.jobs, job_id)


@routes.get("")
def state(site: CurrentSite, job_id: str) -> Response:
    """Tell how far a job has come, where events are blocked."""
    return JSONResponse(job_summary(site.jobs.job(job_id)))


@routes.post("/cancel")
def cancel(site: CurrentSite, job_id: str, fields: Fields) -> Response:
    """End a job."""
    site.jobs.cancel(job_id)
    return redirect_after_form(local_path(fields.get("next", "/")))
