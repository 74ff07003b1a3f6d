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

from sudare.contest.results import LeaderboardLine, Statistics
from sudare.contest.rules import ContestRole, Moment, Round
from sudare.contest.site.contest_site import ContestSite, role_of
from sudare.contest.site.rules_page import listed_weights
from sudare.contest.site.words import error_title, number_title
from sudare.core import Language, language, say
from sudare.study.history_study import TABLES
from sudare.transactions import COLUMNS
from sudare.web import NOTICE_COOKIE, decimal

FRESH_SECONDS = 1.0  # for which a leaderboard is not made again
OLDEST_SECONDS = 15.0  # for which the last one will do while a new one is made
SIGNIFICANT = 0.05  # p-value below which a correlation is starred
MOST_PAGES = 100  # in memory


def pages(site: ContestSite) -> APIRouter:
    """Return the pages of results."""
    router = APIRouter(include_in_schema=False)
    cached = CachedLeaderboard(site)

    @router.get("/leaderboard")
    @router.get("/leaderboard/{round_}")
    def leaderboard(request: Request, round_: Round | None = None) -> Response:
        return cached.page(request, round_)

    @router.get("/statistics")
    @router.get("/statistics/{round_}")
    def statistics(request: Request, round_: Round | None = None) -> Response:
        rounds = site.open_rounds(request, "statistics")
        shown_round = _chosen_round(site, request, "statistics", rounds, round_)
        if shown_round is None:
            raise HTTPException(403, say("this is not open to you in this phase."))
        errors = site.contest.statistics(site.viewer(request), shown_round)
        return site.page(
            request,
            "statistics.html.j2",
            rounds=rounds,
            round=shown_round,
            waiting=errors.waiting,
            failed=errors.failed,
            tables=list(_tables(errors)),
        )

    return router


def _chosen_round(
    site: ContestSite, request: Request, resource: str, rounds: list[Round], asked: Round | None
) -> Round | None:
    if asked is not None:
        site.demand(request, resource, asked)
        return asked
    return rounds[0] if rounds else None


class CachedText:
    """A text that takes long to make: made again after a second, by one thread at a time.

    The others get the last one meanwhile, and wait where there is none that is fairly new.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._text, self._made = "", -inf

    def text(self, make: Callable[[], str]) -> str:
        """Return the text, made now or a moment ago."""
        age = monotonic() - self._made
        if age > FRESH_SECONDS and self._lock.acquire(blocking=age > OLDEST_SECONDS):
            try:
                if monotonic() - self._made > FRESH_SECONDS:  # nobody was quicker
                    self._text, self._made = make(), monotonic()
            finally:
                self._lock.release()
        return self._text


class CachedLeaderboard:
    """The leaderboards as HTML, made again after a second; who may see them is asked every time."""

    def __init__(self, site: ContestSite) -> None:
        self.site = site
        self._parts: dict[tuple[Round, Language, ContestRole], CachedText] = {}
        self._pages: dict[tuple[Round | None, Language, Moment], tuple[float, bytes]] = {}

    def page(self, request: Request, asked: Round | None) -> Response:
        """Return the leaderboard of a round, or of the latest that is open."""
        if self.site.viewer(request) is not None or NOTICE_COOKIE in request.cookies:
            return self._page(request, asked)
        key = (asked, language(), self.site.moment(request))
        made, content = self._pages.get(key, (-FRESH_SECONDS, b""))
        if monotonic() - made > FRESH_SECONDS:
            page = self._page(request, asked)
            if len(self._pages) > MOST_PAGES:
                self._pages.clear()
            self._pages[key] = (monotonic(), bytes(page.body))
            return page
        return HTMLResponse(content)

    def _page(self, request: Request, asked: Round | None) -> HTMLResponse:
        rounds = self.site.open_rounds(request, "leaderboard")
        round_ = _chosen_round(self.site, request, "leaderboard", rounds, asked)
        part = Markup(self._part(request, round_) if round_ else "")  # noqa: S704
        return self.site.page(
            request, "leaderboard.html.j2", rounds=rounds, round=round_, part=part
        )

    def _part(self, request: Request, round_: Round) -> str:
        cached = self._parts.setdefault(
            (round_, language(), role_of(self.site.viewer(request))), CachedText()
        )
        return cached.text(lambda: self._render(request, round_))

    def _render(self, request: Request, round_: Round) -> str:
        standings = self.site.contest.standings(self.site.viewer(request), round_)
        leaders, hits = standings.leaderboard(), standings.hits()
        book = self.site.contest.book()
        behind = [line for line in leaders if line.rank and line.rank > 1]
        return self.site.part(
            "leaderboard_part.html.j2",
            leaders=leaders,
            waiting=standings.waiting,
            frozen=standings.frozen,
            winners=[line for line in leaders if line.rank == 1 and not standings.waiting],
            runner_up=behind[0] if behind else None,
            worst=max((line.score for line in leaders), default=0.0),
            part_names=_part_names(leaders),
            attackers=standings.attackers(),
            targets=sorted(line.team for line in leaders),
            attacking=sorted({hit.attacker for hit in hits}),
            outcomes={
                (hit.attacker, hit.target): hit
                for hit in sorted(hits, key=lambda hit: hit.success or 0.0)
            },
            points=listed_weights(standings.weights),
            shown_title=say("Points") if standings.weights else book.score_title,
        )


def _part_names(leaders: Sequence[LeaderboardLine]) -> list[str]:
    names = leaders[0].parts if leaders else []
    return [say(name) if name in COLUMNS else number_title(name) for name in names]


@dataclass(frozen=True)
class ErrorTable:
    """Errors by team, as text, and below them their correlations with the score.

    A correlation that is significant at 5 % has a star.
    """

    header: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    correlations: Sequence[str]
    p_values: Sequence[str]


def _tables(statistics: Statistics) -> Iterator[tuple[str, ErrorTable]]:
    headings = (
        say("Use cases"),
        say("Rows and items"),
        say("Dates"),
        say("Prices"),
        say("Quantities"),
    )
    for heading, layout in zip(headings, TABLES.values(), strict=True):
        if set(layout.columns.values()) <= set(statistics.correlations):
            yield heading, _error_table(statistics, layout.columns)


def _error_table(statistics: Statistics, columns: Mapping[str, str]) -> ErrorTable:
    return ErrorTable(
        [say("score"), *(error_title(name) for name in columns)],
        [
            (
                str(row["team"]),
                [
                    _shown_number(row["score"]),
                    *(_shown_number(row[key]) for key in columns.values()),
                ],
            )
            for row in statistics.rows
        ],
        ["", *(_shown_correlation(statistics, key) for key in columns.values())],
        ["", *(decimal(statistics.p_values[key], 3) for key in columns.values())],
    )


def _shown_correlation(statistics: Statistics, key: str) -> str:
    p = statistics.p_values[key]
    star = "★" if p is not None and p < SIGNIFICANT else ""
    return decimal(statistics.correlations[key], 2) + star


def _shown_number(value: object) -> str:
    if value is None:
        return decimal(None)
    number = float(str(value))
    return f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.0f}"
