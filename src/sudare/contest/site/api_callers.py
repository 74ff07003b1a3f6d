"""Who calls the API: programs send a bearer token, never a cookie.

So no page of another site can speak for them, and the API needs no hidden words.
"""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from sudare.contest.accounts import Account
from sudare.contest.errors import LoginError
from sudare.contest.site.pages import Site

_bearer = HTTPBearer(auto_error=False, description="The token of a session")


def _site(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


TheSite = Annotated[Site, Depends(_site)]
Given = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


def _anybody(site: TheSite, given: Given) -> Account | None:
    if given is None:
        return None
    account = site.contest.session(given.credentials)
    if account is None:
        raise LoginError("the session has ended; log in again.")
    return account


Anybody = Annotated[Account | None, Depends(_anybody)]


def _caller(account: Anybody) -> Account:
    if account is None:
        raise LoginError("log in first.")
    return account


Caller = Annotated[Account, Depends(_caller)]
