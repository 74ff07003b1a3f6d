"""How a session begins, what holds for it (whether values are shown), and what draws its charts."""

from functools import cache

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse

from sudare.core import say
from sudare.web import local_path, redirect_after_form
from sudare.workbench.access import access_cookie
from sudare.workbench.screens.parameters import CurrentSite, Fields

_LONGEST_TOKEN = 200
_DAY = 24 * 3600

routes = APIRouter()


@routes.post("/session")
async def begin(request: Request, site: CurrentSite) -> Response:
    """Exchange the token of a link for a session; the guard has checked the origin."""
    token = (await request.body())[: _LONGEST_TOKEN + 1].decode("utf-8", "replace")
    cookie = site.sessions.open(token)
    if cookie is None:
        message = say("This link was used before. The terminal shows the one that is open now.")
        return JSONResponse({"message": message}, 403)
    response = JSONResponse({"message": ""})
    response.set_cookie(
        access_cookie(request.url.port),
        cookie,
        httponly=True,
        samesite="strict",
        # A proxy speaks HTTPS for us; the guard has made sure that the origin is ours.
        secure=request.headers.get("origin", "").startswith("https://"),
    )
    return response


@routes.get("/session")
def state(request: Request) -> Response:
    """Say whether the browser has a session: a link from elsewhere came without its cookie."""
    return JSONResponse({"open": request.state.session is not None})


@routes.post("/guide")
def guide(request: Request, site: CurrentSite, fields: Fields) -> Response:
    """Begin or end the guided run in this session."""
    site.session(request).is_guided = fields.get("guided") == "yes"
    return redirect_after_form(local_path(fields.get("next", "/")))


@routes.post("/values")
def show_values(request: Request, site: CurrentSite, fields: Fields) -> Response:
    """Show or hide values of the data in this session."""
    session = site.session(request)
    session.shows_values = fields.get("show") == "yes"
    notice = "values-shown" if session.shows_values else "values-hidden"
    return redirect_after_form(local_path(fields.get("next", "/")), notice)


@cache
def bundle() -> str:
    """Return Vega, Vega-Lite and the function that puts a chart into a page, as a module.

    It comes from vl-convert, which is installed anyway, and not from the network.
    """
    import vl_convert

    return str(vl_convert.javascript_bundle())  # type: ignore[call-arg]


@routes.get("/vega.js")
def vega() -> Response:
    """Send the library that draws charts."""
    headers = {"Cache-Control": f"private, max-age={_DAY}"}
    return Response(bundle(), media_type="text/javascript", headers=headers)
