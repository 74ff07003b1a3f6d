"""Who calls the API: programs send a bearer token, never a cookie.

So no page of another site can speak for them, and the API needs no hidden words.
"""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from sudare.contest.accounts import Account
from sudare.contest.errors import LoginError
from sudare.contest.server.site import Site

_bearer = HTTPBearer(auto_error=False, description="The token of a session")


def _site(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


def _token(given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    if given is None:
        raise LoginError("log in first.")
    return given.credentials


TheSite = Annotated[Site, Depends(_site)]
SessionToken = Annotated[str, Depends(_token)]


def _caller(site: TheSite, token: SessionToken) -> Account:
    account = site.contest.session(token)
    if account is None:
        raise LoginError("the session has ended; log in again.")
    return account


Caller = Annotated[Account, Depends(_caller)]
