"""The contest's site: who is looking, what they may do, and what every page says."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request

from sudare.contest import Contest
from sudare.contest.accounts import SHORTEST_PASSWORD, Account
from sudare.contest.contest_state import refusal
from sudare.contest.errors import (
    ChangedError,
    ContestError,
    EntryError,
    LoginError,
    NotAllowedError,
    NotFoundError,
    TakenError,
    ThrottledError,
)
from sudare.contest.rules import ContestRole, Moment, Phase, PhasePeriod, Resource, Round, allowed
from sudare.contest.site import words
from sudare.core import SudareError, language, say
from sudare.web import SESSION_COOKIE, RateLimit, Site, time_element

LARGEST_PAGE = 1 << 20  # bytes of a page of the organizers' own
HASHES = 4  # passwords that are hashed at once, 64 MiB each
T = TypeVar("T")


@dataclass(frozen=True)
class PhaseStep:
    """A phase on the line of phases: past, now or to come."""

    phase: Phase
    state: str
    period: PhasePeriod


class ContestSite(Site):
    """A contest on the web.

    Parameters
    ----------
    contest
        The contest.
    logins, uploads
        How often an address may try to log in, and a team may send files.
    prefix
        The path under which the contest is served, where there are several.
    """

    layout: ClassVar[str] = "layout.html.j2"
    statuses: ClassVar[Mapping[type[SudareError], int]] = {
        ContestError: 400,
        NotAllowedError: 403,
        NotFoundError: 404,
        LoginError: 401,
        ThrottledError: 429,
        TakenError: 409,
        ChangedError: 409,
        EntryError: 422,
    }

    def __init__(
        self,
        contest: Contest,
        *,
        logins: RateLimit | None = None,
        uploads: RateLimit | None = None,
        prefix: str = "",
    ) -> None:
        super().__init__("sudare.contest.site", prefix)
        self.contest = contest
        self.logins = logins or RateLimit(per_minute=60, burst=60)
        self.uploads = uploads or RateLimit(per_minute=120, burst=60)
        self._hashing = CapacityLimiter(HASHES)
        self.environment.filters["phase_title"] = words.phase_title
        self.environment.globals.update(
            time_element=partial(time_element, zone=contest.rules.zone),
            phase_title=words.phase_title,
            phase_summary=words.phase_summary,
            round_title=words.round_title,
            status_title=words.status_title,
            team_status=words.team_status,
            rules=contest.rules,
            shortest_password=SHORTEST_PASSWORD,
            book=contest.book,
            page_language=language,
            score_title=lambda: contest.book().score_title,
        )

    def context(self, request: Request) -> dict[str, Any]:
        """Return what the templates of whole pages know."""
        moment = self.moment(request)
        return {
            **super().context(request),
            "site_title": self.contest.rules.title,
            "navigation": list(self.navigation(request)),
            "viewer": self.viewer(request),
            "moment": moment,
            "steps": list(self.steps(moment)),
            "may": partial(self.may, request),
        }

    def notice(self, name: str) -> str:
        """Return what a page says about the form that led to it."""
        return words.notice(name)

    def error_headers(self, error: SudareError) -> Mapping[str, str]:
        """Return the headers that go with an error."""
        if isinstance(error, ThrottledError):
            return {"Retry-After": str(error.seconds)}
        return {"WWW-Authenticate": "Bearer"} if isinstance(error, LoginError) else {}

    def unexpected_error_message(self) -> str:
        """Return the message for an unexpected error."""
        return say(
            "The server could not complete the request. The referee can find the reason in the log."
        )

    async def hashing(self, work: Callable[..., T], *arguments: object) -> T:
        """Do something that hashes a password: slow and large by design, so only a few at once."""
        return await to_thread.run_sync(work, *arguments, limiter=self._hashing)

    def viewer(self, request: Request) -> Account | None:
        """Return who is looking at a page; nobody who is known is a visitor."""
        if not hasattr(request.state, "viewer"):
            request.state.viewer = self.contest.session(request.cookies.get(SESSION_COOKIE))
        return request.state.viewer

    def moment(self, request: Request) -> Moment:
        """Return where the contest stands; the same throughout a request."""
        if not hasattr(request.state, "moment"):
            request.state.moment = self.contest.phase()
        return request.state.moment

    def may(self, request: Request, resource: str, round_: Round | None = None) -> bool:
        """Return whether the viewer may do or read something now.

        Without a round it is about that of the present phase.
        """
        moment, role = self.moment(request), role_of(self.viewer(request))
        rounds = (round_,) if round_ else (None, moment.phase.round)
        return any(
            allowed(role, moment.phase, Resource(resource), which, is_open=moment.is_open)
            for which in rounds
        )

    def demand(self, request: Request, resource: str, round_: Round | None = None) -> None:
        """Refuse what may not be done or read now; send visitors to log in first."""
        if not self.may(request, resource, round_):
            viewer = self.viewer(request)
            if viewer is None:
                raise LoginRequired(request.url.path)
            if viewer.status != "active":
                raise HTTPException(403, say("the referee has not approved the team yet."))
            raise HTTPException(403, str(refusal(viewer.role, Resource(resource))))

    def demand_account(self, request: Request) -> Account:
        """Return who is logged in."""
        viewer = self.viewer(request)
        if viewer is None:
            raise LoginRequired(request.url.path)
        return viewer

    def demand_team(self, request: Request) -> Account:
        """Return the team that is logged in."""
        viewer = self.demand_account(request)
        if viewer.role != "team":
            raise HTTPException(403, say("this page is for teams."))
        return viewer

    def steps(self, moment: Moment) -> Iterator[PhaseStep]:
        """Yield the phases of the contest, as past, now and to come."""
        state = "past"
        for phase, period in self.contest.phases():
            if phase == moment.phase:
                state, period = "now", PhasePeriod(moment.opens, moment.closes)  # noqa: PLW2901
            yield PhaseStep(phase, state, period)
            state = "to-come" if state == "now" else state

    def navigation(self, request: Request) -> Iterator[tuple[str, str]]:
        """Yield the pages that the viewer can go to, with their titles."""
        viewer = self.viewer(request)
        yield "/", say("Contest")
        yield "/rules", say("Rules")
        for name, path in page_files(self.contest.folder).items():
            yield f"/pages/{name}", page_title(path)
        if viewer is not None and viewer.role == "team":
            yield "/masks", say("Masked files")
            yield "/attacks", say("Attacks")
        if viewer is not None:
            yield "/progress", say("Progress")
        yield "/leaderboard", say("Leaderboard")
        if self.contest.book().statistics and self.open_rounds(request, "statistics"):
            yield "/statistics", say("Statistics")
        if viewer is not None and viewer.role == "referee":
            yield "/referee", say("Referee")
        if viewer is not None and viewer.role == "team":
            yield "/script", say("From a script")

    def open_rounds(self, request: Request, resource: str) -> list[Round]:
        """Return the rounds of which something may be read now, the latest first."""
        rounds = reversed(self.contest.rules.rounds)
        return [round_ for round_ in rounds if self.may(request, resource, round_)]


def page_files(folder: Path) -> dict[str, Path]:
    """Return the organizers' own pages by name, each in the current language or else in any."""
    files = {}
    for ending in (".md", f".{language()}.md"):
        for path in sorted((folder / "pages").glob(f"*{ending}")):
            name = path.name.removesuffix(ending)
            if re.fullmatch("[a-z0-9-]{1,40}", name) and path.stat().st_size <= LARGEST_PAGE:
                files[name] = path
    return files


def page_title(path: Path) -> str:
    """Return what a page is called: its first heading, or else its name."""
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline().lstrip("# \ufeff").strip()
    return first[:40] or path.stem


class LoginRequired(Exception):  # noqa: N818 - a turn on the way, not an error
    """Somebody has to log in before going on."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def role_of(viewer: Account | None) -> ContestRole:
    """Return the role of the viewer; a team that waits for approval is a visitor."""
    return "visitor" if viewer is None or viewer.status != "active" else viewer.role


def client_address(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""
