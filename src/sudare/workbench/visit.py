"""A visit of a screen: the request, the project as it is now, its table, and how it is changed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from sudare.core import InputError, Message, Microdata, Role, SudareError
from sudare.release import Project
from sudare.web import redirect_after_form
from sudare.workbench.access import Session
from sudare.workbench.guided_tour import TourStop, tour_stop
from sudare.workbench.projects import OpenProject
from sudare.workbench.recoding import recoded_entries
from sudare.workbench.session_code import SessionCode, session_code
from sudare.workbench.tables import KeyGroups, TableCounts, TableState
from sudare.workbench.variants import TrialState

if TYPE_CHECKING:
    from sudare.workbench.workbench_site import WorkbenchSite

REVISION_FIELD = "revision"


@dataclass(frozen=True, eq=False)
class Visit:
    """What a screen needs to show itself, and to take a form."""

    site: "WorkbenchSite"
    request: Request
    opened: OpenProject
    project: Project
    session: Session

    @classmethod
    def of(cls, site: "WorkbenchSite", request: Request, opened: OpenProject) -> "Visit":
        """Return a visit of an open project."""
        return cls(site, request, opened, opened.current(), site.session(request))

    @cached_property
    def table(self) -> TableState:
        """The table: counted, being counted, or in trouble; a history is read by jobs alone."""
        if self.project.sections.subject == "history":
            return TableState(None, is_current=True)
        return self.site.tables.state(self.opened, self.project)

    @property
    def counts(self) -> TableCounts | None:
        """The counts of the table, if there are any; perhaps those of an earlier reading."""
        return self.table.counts

    @property
    def project_id(self) -> str:
        """What addresses call the project."""
        return str(self.request.path_params["project_id"])

    def path(self, screen: str, **query: str) -> str:
        """Return the address of a screen of this project."""
        asked = f"?{urlencode(query, quote_via=quote)}" if query else ""
        return f"/project/{self.project_id}/{screen}{asked}"

    def keys(self) -> tuple[str, ...]:
        """Return the columns that have the role of a key, and are in the table."""
        columns = self.project.sections.columns
        return tuple(
            name
            for name, column in columns.items()
            if column.role == "key" and self.counts is not None and name in self.counts.head
        )

    def entries(self, names: tuple[str, ...]) -> Microdata:
        """Return equal combinations of some columns once, with the roles of the project."""
        counts = self.known_counts()
        columns = self.project.sections.columns
        roles = {name: columns[name].role for name in (*names, *self.weight()) if name in columns}
        return counts.remembered(
            ("entries", names, *roles.items()),
            lambda: _with_roles(counts.counted(names), roles),
        )

    def key_groups(self, steps: Sequence[Mapping[str, Any]] = ()) -> KeyGroups:
        """Return the groups of equal keys, after the steps of a recipe that recode keys."""
        keys = self.keys()
        about = ("groups", keys, json.dumps(steps, sort_keys=True, default=str))
        counts = self.known_counts()
        if not steps:  # one count is enough: combinations are not needed yet
            return counts.remembered(about, lambda: KeyGroups.of(counts.holding(keys), keys))
        return counts.remembered(
            about, lambda: KeyGroups.of(recoded_entries(self.entries(keys), steps), keys)
        )

    def known_counts(self) -> TableCounts:
        """Return the counts of the table; refuse what needs them before they are there."""
        if self.counts is None:
            raise InputError("the table is not counted yet.")
        return self.counts

    def trial(
        self, kind: str, names: tuple[str, ...] | None = None, about: object = None
    ) -> TrialState:
        """Return what is known of a trial; that the table cannot be found, where it cannot."""
        try:
            return self.site.trials.state(self.opened, kind, self.project, names, about)
        except SudareError as error:
            return TrialState(trouble=error)

    def weight(self) -> tuple[str, ...]:
        """Return the column that has the role of a weight, if there is one."""
        columns = self.project.sections.columns.items()
        return tuple(name for name, told in columns if told.role == "weight")

    def code(self, python: str, command: str) -> SessionCode:
        """Return the code of this screen; see :func:`session_code`."""
        return session_code(self.project, python, command, shows_values=self.session.shows_values)

    def page(self, template: str, **context: Any) -> Response:
        """Return a page about the project."""
        context.setdefault("code", self.code("", "sudare describe"))
        return self.site.page(self.request, template, **{**self._facts(), **context})

    def _facts(self) -> Mapping[str, Any]:
        opened = self.opened
        return {
            "visit": self,
            "project": self.project,
            "project_path": f"/project/{self.project_id}",
            "revision": opened.revision,
            "trouble": opened.trouble,
            "lost_jobs": opened.lost_jobs,
            "table": self.table,
            "tour": self._tour(),
        }

    def _tour(self) -> TourStop | None:
        screen = self.request.url.path.rpartition("/")[2]
        return tour_stop(screen, self.project.sections.subject) if self.session.is_guided else None

    def edit(
        self,
        fields: Mapping[str, str],
        change: Callable[[Project], Project] | Mapping[str, Any],
        summary: Message,
        screen: str,
        notice: str = "saved",
        **query: str,
    ) -> Response:
        """Make a step, and send the browser on to a screen.

        Parameters
        ----------
        fields
            The form; it says which text of the project it was made from.
        change
            Returns the changed project; or the entries that change, as in the project file.
        summary
            What is done, without a value of the data.
        screen
            Where to go next.
        notice
            What the next page says.
        query
            What the address of the next page asks for.
        """
        changes = change if callable(change) else lambda project: project.edited(change)
        self.opened.edit(fields.get(REVISION_FIELD, ""), changes, summary)
        return self.go(screen, notice, **query)

    def go(self, screen: str, notice: str = "", **query: str) -> Response:
        """Send the browser on to a screen."""
        return redirect_after_form(self.path(screen, **query), notice)


def _with_roles(counted: Microdata, roles: Mapping[str, Role]) -> Microdata:
    return counted.assigning(roles={n: role for n, role in roles.items() if n in counted})


def unless_refused(work: Callable[[], Any]) -> tuple[Any, SudareError | None]:
    """Return what some work gives, or why it is refused, for a page that shows either."""
    try:
        return work(), None
    except SudareError as error:
        return None, error
