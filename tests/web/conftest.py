"""A small site that has nothing to do with any other."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI, Request, Response

from sudare.core import InputError
from sudare.web import Site, create_application, form_fields, redirect_after_form


class SmallSite(Site):
    def __init__(self) -> None:
        super().__init__("tests.web")
        self.names: list[str] = []

    def context(self, request: Request) -> dict[str, Any]:
        return {
            **super().context(request),
            "site_title": "Small site",
            "navigation": [("/", "Start")],
        }

    def notice(self, name: str) -> str:
        return {"kept": "The name was kept."}.get(name, "")


def routes(site: SmallSite) -> APIRouter:
    router = APIRouter()

    @router.get("/")
    def start(request: Request) -> Response:
        return site.page(request, "hello.html.j2", greeting="<Hello>")

    @router.post("/name")
    async def keep_name(request: Request) -> Response:
        fields = await form_fields(request)
        site.names.append(fields["name"])
        return redirect_after_form("/", "kept")

    @router.post("/upload")
    async def size(request: Request) -> int:
        return len(await request.body())

    @router.get("/refused")
    @router.get("/api/refused")
    def refused() -> None:
        raise InputError("there is no file '{path}'.", path="x.csv")

    @router.get("/broken")
    @router.get("/api/broken")
    def broken() -> None:
        raise ValueError("42 years, income 300")

    @router.get("/api/number/{number}")
    def number(number: int) -> int:
        return number

    return router


@pytest.fixture
def site() -> SmallSite:
    return SmallSite()


@pytest.fixture
def app(site: SmallSite, tmp_path: Path) -> FastAPI:
    (tmp_path / "own.css").write_text("h1 { color: red }")
    return create_application(
        site,
        [routes(site)],
        title="Small site",
        summary="For tests.",
        static=tmp_path,
        uploads=("/upload",),
    )


class Browser:
    """Asks an application without a network between, and keeps its cookies."""

    def __init__(self, app: FastAPI) -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        return asyncio.run(self.client.request(method, path, **request))

    def get(self, path: str, **request: Any) -> httpx.Response:
        return self.ask("GET", path, **request)

    def post(self, path: str, **request: Any) -> httpx.Response:
        return self.ask("POST", path, **request)


@pytest.fixture
def browser(app: FastAPI) -> Browser:
    return Browser(app)
