"""Pages of results: the leaderboard, who hit whom, and the tables of use cases."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from threading import Lock
from time import monotonic

from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse

from sudare.contest.phases import Moment, Round
from sudare.contest.results import Leader, Statistics
from sudare.contest.site.pages import NOTICE, Site
from sudare.contest.site.words import error_title, figure
from sudare.core import Language, language, say
from sudare.study.history_study import TABLES
from sudare.transactions import COLUMNS

FRESH = 1.0  # seconds for which a leaderboard is not made again
OLDEST = 15.0  # seconds for which the last one will do while a new one is made
MOST = 100  # pages that are kept


def pages(site: Site) -> APIRouter:
    """Return the pages of results."""
    router = APIRouter(include_in_schema=False)
    board = Board(site)

    @router.get("/leaderboard")
    @router.get("/leaderboard/{round_}")
    def leaderboard(request: Request, round_: Round | None = None) -> Response:
        return board.shown(request, round_)

    @router.get("/statistics")
    @router.get("/statistics/{round_}")
    def statistics(request: Request, round_: Round | None = None) -> Response:
        rounds = site.open_rounds(request, "statistics")
        shown = _chosen(site, request, "statistics", rounds, round_)
        if shown is None:
            raise HTTPException(403, say("this is not open to you in this phase."))
        found = site.contest.statistics(site.viewer(request), shown)
        return site.page(
            request,
            "statistics.html.j2",
            rounds=rounds,
            round=shown,
            waiting=found.waiting,
            failed=found.failed,
            tables=list(_tables(found)),
        )

    return router


def _chosen(
    site: Site, request: Request, resource: str, rounds: list[Round], asked: Round | None
) -> Round | None:
    if asked is not None:
        site.demand(request, resource, asked)
        return asked
    return rounds[0] if rounds else None


class Kept:
    """A text that takes long to make: made again after a second, by one thread at a time.

    The others get the last one meanwhile, and wait where there is none that is fairly new.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._text, self._made = "", -inf

    def text(self, make: Callable[[], str]) -> str:
        """Return the text, made now or kept."""
        age = monotonic() - self._made
        if age > FRESH and self._turn.acquire(blocking=age > OLDEST):
            try:
                if monotonic() - self._made > FRESH:  # nobody was quicker
                    self._text, self._made = make(), monotonic()
            finally:
                self._turn.release()
        return self._text


class Board:
    """The leaderboards as HTML, made again after a second; who may see them is asked every time."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._parts: dict[tuple[Round, Language], Kept] = {}
        self._pages: dict[tuple[Round | None, Language, Moment], tuple[float, bytes]] = {}

    def shown(self, request: Request, asked: Round | None) -> Response:
        """Return the leaderboard of a round, or of the latest that is open."""
        if self.site.viewer(request) is not None or NOTICE in request.cookies:
            return self._page(request, asked)
        key = (asked, language(), self.site.moment(request))
        made, content = self._pages.get(key, (-FRESH, b""))
        if monotonic() - made > FRESH:
            page = self._page(request, asked)
            if len(self._pages) > MOST:
                self._pages.clear()
            self._pages[key] = (monotonic(), bytes(page.body))
            return page
        return HTMLResponse(content)

    def _page(self, request: Request, asked: Round | None) -> HTMLResponse:
        rounds = self.site.open_rounds(request, "leaderboard")
        round_ = _chosen(self.site, request, "leaderboard", rounds, asked)
        part = Markup(self._part(request, round_) if round_ else "")  # noqa: S704
        return self.site.page(
            request, "leaderboard.html.j2", rounds=rounds, round=round_, part=part
        )

    def _part(self, request: Request, round_: Round) -> str:
        kept = self._parts.setdefault((round_, language()), Kept())
        return kept.text(lambda: self._render(request, round_))

    def _render(self, request: Request, round_: Round) -> str:
        standings = self.site.contest.standings(self.site.viewer(request), round_)
        leaders, hits = standings.leaderboard(), standings.hits()
        behind = [line for line in leaders if line.rank and line.rank > 1]
        return self.site.part(
            "leaderboard_part.html.j2",
            leaders=leaders,
            waiting=standings.waiting,
            winners=[line for line in leaders if line.rank == 1 and not standings.waiting],
            runner_up=behind[0] if behind else None,
            worst=max((line.score for line in leaders), default=0.0),
            part_names=_part_names(leaders),
            attackers=standings.attackers(),
            targets=sorted(line.team for line in leaders),
            attacking=sorted({hit.attacker for hit in hits}),
            met={(hit.attacker, hit.target): hit for hit in hits},
        )


def _part_names(leaders: Sequence[Leader]) -> list[str]:
    names = leaders[0].parts if leaders else []
    return [say(name) if name in COLUMNS else name for name in names]


@dataclass(frozen=True)
class ErrorTable:
    """Errors by team, as text, and below them their correlations with the score."""

    header: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    correlations: Sequence[str]


def _tables(found: Statistics) -> Iterator[tuple[str, ErrorTable]]:
    headings = (
        say("Use cases"),
        say("Rows and items"),
        say("Dates"),
        say("Prices"),
        say("Quantities"),
    )
    for heading, layout in zip(headings, TABLES.values(), strict=True):
        if set(layout.columns.values()) <= set(found.correlations):
            yield heading, _error_table(found, layout.columns)


def _error_table(found: Statistics, columns: Mapping[str, str]) -> ErrorTable:
    return ErrorTable(
        [say("score"), *(error_title(name) for name in columns)],
        [
            (
                str(row["team"]),
                [_shown(row["score"]), *(_shown(row[key]) for key in columns.values())],
            )
            for row in found.rows
        ],
        ["", *(figure(found.correlations[key], 2) for key in columns.values())],
    )


def _shown(value: object) -> str:
    if value is None:
        return figure(None)
    number = float(str(value))
    return f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.0f}"
