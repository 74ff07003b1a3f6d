"""The library that draws charts: from vl-convert, which is installed anyway, and not from afar."""

from functools import cache

from fastapi import APIRouter, Response

_DAY = 24 * 3600


@cache
def bundle() -> str:
    """Return Vega, Vega-Lite and the function that puts a chart into a page, as a module."""
    import vl_convert

    return str(vl_convert.javascript_bundle())  # type: ignore[call-arg]


routes = APIRouter()


@routes.get("/vega.js")
def vega() -> Response:
    """Send the library that draws charts."""
    headers = {"Cache-Control": f"private, max-age={_DAY}"}
    return Response(bundle(), media_type="text/javascript", headers=headers)
