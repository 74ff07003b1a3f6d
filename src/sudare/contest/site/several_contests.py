"""Several contests on one server: each under its name, and a page that lists them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from sqlalchemy.exc import OperationalError
from starlette.types import ASGIApp

from sudare.contest import Contest
from sudare.contest.site import words
from sudare.contest.site.app import create_app
from sudare.core import SettingError, say
from sudare.web import Site, SitesByPath, create_application

_NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_RESERVED = ("static", "language", "api")


class ContestList(Site):
    """The start page of a server with several contests."""

    def __init__(self, contests: Mapping[str, Contest]) -> None:
        super().__init__("sudare.contest.site")
        self.contests = contests

    def context(self, request: Request) -> dict[str, Any]:
        """Return what the templates of whole pages know."""
        return {**super().context(request), "site_title": say("Contests"), "navigation": []}

    def lines(self) -> list[tuple[str, str, str]]:
        """Return of every contest its path, its title and its phase."""
        return [
            (f"/{name}/", contest.rules.title, _phase(contest))
            for name, contest in self.contests.items()
        ]


def _phase(contest: Contest) -> str:
    try:
        return words.phase_title(contest.phase().phase)
    except OperationalError:  # the other contests may have another database
        return say("The database of the contest does not answer. What was received is safe.")


def create_server(contests: Mapping[str, Contest]) -> ASGIApp:
    """Return several contests as one application, each under ``/name/``."""
    site = ContestList(contests)
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def contest_list(request: Request) -> Response:
        return site.page(request, "contest_list.html.j2", contests=site.lines())

    rest = create_application(
        site,
        [router],
        title="sudare contests",
        summary="Several contests on one server.",
        static=Path(__file__).parent / "static",
    )
    apps = {name: create_app(each, prefix=f"/{name}") for name, each in contests.items()}
    return SitesByPath(apps, rest)


def contest_names(folders: list[Path]) -> dict[str, Path]:
    """Return the folders of contests by the names under which they are served."""
    names: dict[str, Path] = {}
    for folder in folders:
        name = folder.resolve().name
        if not _NAME.fullmatch(name) or name in _RESERVED:
            raise SettingError(
                "contest: the folder '{name}' cannot be served with others; its name becomes part "
                "of the address and must consist of letters, digits, _ and -, and not be one of "
                "{reserved}.",
                name=name,
                reserved=", ".join(_RESERVED),
            )
        if name in names:
            raise SettingError(
                "contest: two folders are called '{name}'; contests on one server need different "
                "names.",
                name=name,
            )
        names[name] = folder
    return names
