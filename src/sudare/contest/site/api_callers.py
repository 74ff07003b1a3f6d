"""Who calls the API: programs send a bearer token, never a cookie.

So no page of another site can speak for them, and the API needs no hidden token.
"""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from sudare.contest.accounts import Account
from sudare.contest.errors import LoginError
from sudare.contest.site.contest_site import ContestSite

_bearer = HTTPBearer(auto_error=False, description="The token of a session")


def _site(request: Request) -> ContestSite:
    return request.app.state.site


TheSite = Annotated[ContestSite, Depends(_site)]
BearerToken = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


def _optional_account(site: TheSite, bearer: BearerToken) -> Account | None:
    if bearer is None:
        return None
    account = site.contest.session(bearer.credentials)
    if account is None:
        raise LoginError("the session has ended; log in again.")
    return account


OptionalAccount = Annotated[Account | None, Depends(_optional_account)]


def _account(account: OptionalAccount) -> Account:
    if account is None:
        raise LoginError("log in first.")
    return account


LoggedIn = Annotated[Account, Depends(_account)]
