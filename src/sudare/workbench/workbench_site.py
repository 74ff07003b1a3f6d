"""The workbench's site: its projects, tables, jobs and sessions, and what every page says."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from starlette.requests import Request

from sudare.core import InputError, MismatchError, OutputError, SudareError, say, scale_title
from sudare.web import JobQueue, Site, job_summary
from sudare.workbench.access import Origins, Session, Sessions
from sudare.workbench.explanations import explanation
from sudare.workbench.histories import HISTORY_OPENING, create_history_project, is_contest_format
from sudare.workbench.opening import (
    OPENING,
    create_project,
    has_doubtful_names,
    known_project,
    read_address,
)
from sudare.workbench.projects import Journal, OpenProject, RecentProjects, StaleError
from sudare.workbench.releasing import ReleaseSeeds
from sudare.workbench.screen_list import HISTORY_SCREENS, SCREENS
from sudare.workbench.tables import CountedTables
from sudare.workbench.variants import TrialResults
from sudare.workbench.visit import Visit
from sudare.workbench.words import notice, role_title

JOB_MODULES = (  # with what they import
    "sudare.workbench.histories.history_work",
    "sudare.workbench.opening",
    "sudare.workbench.releasing.release_work",
    "sudare.workbench.tables.counting_work",
    "sudare.workbench.variants.pair_work",
    "sudare.workbench.variants.trial_work",
    "sudare.core.kernels.object_code",  # and what is imported only when it is used
    "sudare.core.kernels.translation",
    "jinja2",
    "pandas",  # if it is there: pyarrow imports it with its first array
)


class WorkbenchSite(Site):
    """The workbench of one user.

    Parameters
    ----------
    folder
        Where the workbench remembers journals and projects.
    sessions
        Who may look.
    origins
        Where pages are served; set once the port is known.
    working_folder
        Where sample files and files that are dropped go; by default where the server was started.
    """

    layout: ClassVar[str] = "layout.html.j2"
    statuses: ClassVar[Mapping[type[SudareError], int]] = {
        SudareError: 400,
        StaleError: 409,
        MismatchError: 409,
        OutputError: 507,
    }

    def __init__(
        self,
        folder: Path,
        sessions: Sessions,
        origins: Origins | None = None,
        working_folder: Path | None = None,
    ) -> None:
        super().__init__("sudare.workbench")
        self.sessions = sessions
        self.origins = origins or Origins(frozenset())
        self.working_folder = working_folder or Path.cwd()
        self.recent = RecentProjects(folder)
        self.jobs = JobQueue(workers=1, preload=JOB_MODULES)
        self.tables = CountedTables(self.jobs)
        self.trials = TrialResults(self.jobs)
        self.seeds = ReleaseSeeds()
        self._opened: dict[str, OpenProject] = {}
        self.environment.globals.update(
            role_title=role_title,
            scale_title=scale_title,
            explanation=explanation,
            job_stage=lambda job: job_summary(job)["stage"] or say("Waiting"),
        )

    def open_project(self, path: Path, allow_paths: tuple[Path, ...] = ()) -> str:
        """Open a project file, and return what addresses call it."""
        project_id = self.recent.remember(path)
        if project_id not in self._opened:
            journal = Journal(self.recent.journal_path(path))
            self._opened[project_id] = OpenProject(path.resolve(), journal, allow_paths)
        return project_id

    def opening(
        self, path: Path, reading: Mapping[str, Any], *, names_are_checked: bool = False
    ) -> str:
        """Have a table or project opened, and return the address of the page that shows it.

        A file whose first line may be a record is shown first, so that no page takes it for the
        names of columns before a person has looked.
        """
        project = known_project(path)
        if project is not None:
            return self.first_screen(self.open_project(project))
        if is_contest_format(path):
            work = (create_history_project, path, None, (None, None))
            return f"/opening/{self.jobs.submit(HISTORY_OPENING, *work).id}"
        if not names_are_checked and has_doubtful_names(path, reading):
            return read_address(path)
        return f"/opening/{self.jobs.submit(OPENING, create_project, path, dict(reading)).id}"

    def first_screen(self, project_id: str) -> str:
        """Return the address of the first screen of an open project."""
        return f"/project/{project_id}/{next(iter(self._screens(project_id)))}"

    def _screens(self, project_id: str) -> Mapping[str, str]:
        subject = self._opened[project_id].current().sections.subject
        return HISTORY_SCREENS if subject == "history" else SCREENS

    def opened(self, project_id: str) -> OpenProject:
        """Return an open project; one that was opened lately is opened again."""
        if project_id not in self._opened:
            known = {project.id: project.path for project in self.recent.projects()}
            if project_id not in known:
                raise InputError("there is no such project; open it from the start page.")
            self.open_project(known[project_id])
        return self._opened[project_id]

    def visit(self, request: Request, project_id: str) -> Visit:
        """Return what a request for a screen needs."""
        return Visit.of(self, request, self.opened(project_id))

    def session(self, request: Request) -> Session:
        """Return the session of a request; the guard has made sure that there is one."""
        return request.state.session

    def context(self, request: Request) -> dict[str, Any]:
        """Return what the templates of whole pages know."""
        session: Session | None = getattr(request.state, "session", None)
        return {
            **super().context(request),
            "site_title": "sudare",
            "navigation": list(self.navigation(request)),
            "shows_values": session is not None and session.shows_values,
            "has_session": session is not None,
            "visit": None,
            "tour": None,
            "code": None,
        }

    def navigation(self, request: Request) -> Iterator[tuple[str, str]]:
        """Yield the screens that can be gone to."""
        if getattr(request.state, "session", None) is None:
            return
        yield "/", say("Start")
        project_id = request.path_params.get("project_id")
        if project_id in self._opened:
            for name, title in self._screens(project_id).items():
                yield f"/project/{project_id}/{name}", say(title)

    def notice(self, name: str) -> str:
        """Return what a page says about the form that led to it."""
        return notice(name)

    def close(self) -> None:
        """End what is running."""
        self.jobs.close()
