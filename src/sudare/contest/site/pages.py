"""The site: a contest, who is looking at it, and how its pages are made."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from sudare.contest import Contest
from sudare.contest.accounts import SHORTEST, Account
from sudare.contest.phases import Moment, Period, Phase, Resource, Role, Round, allowed
from sudare.contest.site import words
from sudare.contest.site.bodies import too_large
from sudare.contest.site.forms import FIELD, SESSION, VISIT, form_word, remember
from sudare.contest.site.language import NAMES
from sudare.contest.site.rate_limit import Pace
from sudare.core import language, say

NOTICE = "sudare_notice"
HASHES = 4  # passwords that are hashed at once, 64 MiB each
Result = TypeVar("Result")


@dataclass(frozen=True)
class Step:
    """A phase on the line of phases: past, now or to come."""

    phase: Phase
    state: str
    period: Period


@dataclass(frozen=True)
class Hidden:
    """The hidden word of a form; a page without a form makes up none, and sets no cookie."""

    request: Request

    def __html__(self) -> str:
        field = Markup('<input type="hidden" name="{}" value="{}">')
        return field.format(FIELD, form_word(self.request))


@dataclass
class Site:
    """A contest on the web."""

    contest: Contest
    logins: Pace = field(default_factory=lambda: Pace(per_minute=60, at_once=60))
    uploads: Pace = field(default_factory=lambda: Pace(per_minute=120, at_once=60))

    def __post_init__(self) -> None:
        self._few = CapacityLimiter(HASHES)
        self.environment = Environment(
            loader=PackageLoader("sudare.contest.site"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters["phase_title"] = words.phase_title
        self.environment.globals.update(
            say=say,
            when=partial(words.when, zone=self.contest.rules.zone),
            figure=words.figure,
            size=words.size,
            phase_title=words.phase_title,
            phase_story=words.phase_story,
            round_title=words.round_title,
            state_title=words.state_title,
            rules=self.contest.rules,
            password_length=SHORTEST,
            tongues=list(NAMES.items()),
            too_large=lambda limit: too_large(limit).detail,
            score_title=lambda: "U" if self.contest.rules.subject == "history" else say("Score"),
        )

    async def hashing(self, work: Callable[..., Result], *given: object) -> Result:
        """Do something that hashes a password: slow and large by design, so only a few at once."""
        return await to_thread.run_sync(work, *given, limiter=self._few)

    def viewer(self, request: Request) -> Account | None:
        """Return who is looking at a page; nobody who is known is a visitor."""
        if not hasattr(request.state, "viewer"):
            request.state.viewer = self.contest.session(request.cookies.get(SESSION))
        found: Account | None = request.state.viewer
        return found

    def moment(self, request: Request) -> Moment:
        """Return where the contest stands; the same throughout a request."""
        if not hasattr(request.state, "moment"):
            request.state.moment = self.contest.phase()
        found: Moment = request.state.moment
        return found

    def may(self, request: Request, resource: str, round_: Round | None = None) -> bool:
        """Return whether whoever is looking may do or read something now.

        Without a round it is about that of the present phase.
        """
        moment = self.moment(request)
        asked = Resource(resource)
        return any(
            allowed(role_of(self.viewer(request)), moment.phase, asked, one, is_open=moment.is_open)
            for one in ((round_,) if round_ else (None, moment.phase.round))
        )

    def demand(self, request: Request, resource: str, round_: Round | None = None) -> None:
        """Refuse what may not be done or read now; send visitors to log in first."""
        if not self.may(request, resource, round_):
            if self.viewer(request) is None:
                raise NeedsLogin(request.url.path)
            raise HTTPException(403, say("this is not open to you in this phase."))

    def demand_account(self, request: Request) -> Account:
        """Return who is logged in."""
        viewer = self.viewer(request)
        if viewer is None:
            raise NeedsLogin(request.url.path)
        return viewer

    def demand_team(self, request: Request) -> Account:
        """Return the team that is logged in."""
        viewer = self.demand_account(request)
        if viewer.role != "team":
            raise HTTPException(403, say("this page is for teams."))
        return viewer

    def page(
        self, request: Request, template: str, *, status: int = 200, **facts: Any
    ) -> HTMLResponse:
        """Return a whole page."""
        moment = self.moment(request)
        text = self.environment.get_template(template).render(
            language=language(),
            viewer=self.viewer(request),
            moment=moment,
            steps=list(self.steps(moment)),
            may=partial(self.may, request),
            places=list(self.places(request)),
            here=request.url.path if request.method == "GET" else "/",
            hidden=Hidden(request),
            **{"notice": words.notice(request.cookies.get(NOTICE)), "trouble": "", **facts},
        )
        response = HTMLResponse(text, status)
        if hasattr(request.state, "visit"):
            remember(request, response, VISIT, request.state.visit, days=1)
        if NOTICE in request.cookies:
            response.delete_cookie(NOTICE)
        return response

    def refusal(
        self, request: Request, status: int, heading: str, message: str, back: str = "/"
    ) -> HTMLResponse:
        """Return a page that says why something was refused."""
        return self.page(
            request, "error.html.j2", status=status, heading=heading, message=message, back=back
        )

    def part(self, template: str, **facts: object) -> str:
        """Return a part of a page."""
        return self.environment.get_template(template).render(**facts)

    def steps(self, moment: Moment) -> Iterator[Step]:
        """Yield the phases of the contest, as past, now and to come."""
        state = "past"
        for phase, period in self.contest.phases():
            if phase == moment.phase:
                state, period = "now", Period(moment.opens, moment.closes)  # noqa: PLW2901
            yield Step(phase, state, period)
            state = "to-come" if state == "now" else state

    def places(self, request: Request) -> Iterator[tuple[str, str]]:
        """Yield the pages that whoever is looking can go to, with their titles."""
        viewer = self.viewer(request)
        yield "/", say("Contest")
        yield "/rules", say("Rules")
        if viewer is not None and viewer.role == "team":
            yield "/masks", say("Masked files")
            yield "/attacks", say("Attacks")
        if viewer is not None:
            yield "/progress", say("Progress")
        yield "/leaderboard", say("Leaderboard")
        if self.open_rounds(request, "statistics"):
            yield "/statistics", say("Statistics")
        if viewer is not None and viewer.role == "referee":
            yield "/referee", say("Referee")
        if viewer is not None and viewer.role == "team":
            yield "/script", say("From a script")

    def open_rounds(self, request: Request, resource: str) -> list[Round]:
        """Return the rounds of which something may be read now, the latest first."""
        rounds = reversed(self.contest.rules.rounds)
        return [one for one in rounds if self.may(request, resource, one)]


class NeedsLogin(Exception):  # noqa: N818 - a turn on the way, not an error
    """Somebody has to log in before going on."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def role_of(viewer: Account | None) -> Role:
    """Return the role of whoever is looking."""
    return "visitor" if viewer is None else viewer.role


def onward(path: str, notice: str = "") -> Response:
    """Send a browser on after a form, so that loading the page again sends nothing twice."""
    response = RedirectResponse(quote(path, safe="/?=&%"), 303)
    if notice:
        response.set_cookie(NOTICE, notice, max_age=30, httponly=True, samesite="lax")
    return response


def origin(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else ""
